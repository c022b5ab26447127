"""The queue of owed rolls and questions, the first in full."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from qf_tui.console.battle.asking import advice_of
from qf_tui.console.text import cut, listed, literal, width_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Owed

MORE_LEAST = 24
"""Cells in which what is owed next is told at all."""


class OwedLine(Widget):
    """What is owed first, and how many more; while nothing is, what people are to be reminded of."""

    @dataclass
    class Asked(Message):
        """The line was clicked: its first question is to be answered."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system, self.battle = system, battle

    def show(self, battle: Battle) -> None:
        """Draws the queue of a battle."""
        self.battle = battle
        self.refresh()

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def render(self) -> Content:
        owed, width = self.battle.owed, self.size.width or 80
        if not owed:
            return self._advice(width)
        count = f" owed {len(owed)}  "
        wants = f"  {cut(wanted(owed[0]), max(24, width // 3))}"
        key = "  o answers"
        room = width - width_of(count) - width_of(wants) - width_of(key) - 1
        prompt = cut(owed[0].prompt, room)
        more = _behind(owed[1:], room - width_of(prompt))
        return Content.assemble(
            literal(count, "bold $text-warning"),
            literal(prompt, "bold"),
            literal(wants, "bold $accent"),
            literal(key, "$quiet"),
            literal(more, "$quiet"),
        )

    def _advice(self, width: int) -> Content:
        nothing = " nothing is owed"
        ended = self.system.ended(self.battle)
        advice = "   ".join(text for text in advice_of(self.system, self.battle) if text != ended)
        room = width - width_of(nothing) - 4
        ended = cut(ended, room)
        rest = cut(advice, max(0, room - width_of(ended) - 3))
        return Content.assemble(
            literal(nothing, "$quiet"),
            literal(f"   {ended}" if ended else "", "bold $text-warning"),
            literal(f"   {rest}" if rest else "", "$secondary"),
        )


def _behind(owed: Sequence[Owed], room: int) -> str:
    """What is owed next, the same once with how often, as far as there is room and how much more there is."""
    prompts = [cut(one.prompt, 30) for one in owed]
    counts = {prompt: prompts.count(prompt) for prompt in prompts}
    then = "  · then "
    told = listed(
        (prompt if many == 1 else f"{prompt} ×{many}" for prompt, many in counts.items()),
        room - width_of(then),
        "; ",
    )
    return f"{then}{told}" if told and room > MORE_LEAST else ""


def wanted(owed: Owed) -> str:
    """What a question wants: its dice by name, or its words."""
    thrown = f" (thrown: {' '.join(str(face) for face in owed.faces)})" if owed.faces else ""
    if owed.dice:
        dice = ", ".join(str(die) for die in owed.dice[:3])
        more = f" +{len(owed.dice) - 3}" if len(owed.dice) > 3 else ""
        return f"{dice}{more}{thrown}"
    return f"{' or '.join(owed.words) or 'in words'}{thrown}"
