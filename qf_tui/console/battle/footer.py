"""The line of keys: the orders of this phase first, then as many others as fit; the help always."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen
from textual import events
from textual.content import Content

from qf_tui.console.widgets.actions import ACTIONS, Action
from qf_tui.console.widgets.key_screen import perform
from qf_tui.console.widgets.keys import form_action, key_of
from qf_tui.console.widgets.text import CUT, cut, literal, width_of
from qf_tui.console.widgets.text_pane import TextPane
from qf_tui.core.system import RuleSystem
from qf_tui.core.volley import volley_of


@frozen
class KeyShown:
    """A key as it is shown, with the title of what it does."""

    key: str
    title: str
    action: Action


WIDE = 110
"""Cells of width from which orders have their titles, not just their words."""
UNDO_LEAST = 7
"""Fewest cells for what an undo strikes."""
LAST = ("undo", "help")
"""The end of the line, the undo with what it strikes, so that the rest keeps its place."""
ALWAYS = ("next", "history", *LAST)
"""What is shown even where there is least room."""

MORE = KeyShown(CUT, "", next(one for one in ACTIONS if one.call.name == "help"))
"""Where there is no room for all the keys: the help has them."""


class Footer(TextPane):
    """The line of keys, each of which can be clicked too."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.shown: tuple[KeyShown, ...] = ()
        self._fitted: dict[tuple[int, str, int], tuple[Mapping[str, Action], list[KeyShown], int]] = {}

    def show_keys(self, shown: tuple[KeyShown, ...]) -> None:
        """Shows other keys, if they are others."""
        if shown == self.shown:
            return
        self.shown = shown
        parts: list[Content] = []
        for one in shown:
            parts += [literal(f" {one.key}", "bold $accent"), literal(f" {one.title} ", "$quiet")]
        self.show(lambda width: [Content.assemble(*parts)])

    def show_battle(
        self, keys: Mapping[str, Action], system: RuleSystem, phase: str, undone: str, width: int
    ) -> None:
        """Shows the keys that fit in a phase, with their titles; `undone` is what an undo would strike."""
        struck = max(0, width // 3 - 26)
        place = id(keys), phase, width
        if place not in self._fitted:
            self._fitted[place] = keys, *_fitting(_named(keys, system, phase, width), width - 1 - struck)
        _, kept, left = self._fitted[place]
        undo = _undo(undone, struck + left)
        self.show_keys(
            tuple(evolve(one, title=undo) if one.action.call.name == "undo" else one for one in kept)
        )

    async def on_click(self, event: events.Click) -> None:
        """Does what the key under the mouse does."""
        begins = 0
        for one in self.shown:
            ends = begins + _needs(one)
            if begins <= event.x < ends:
                await perform(self.screen, one.action)
                return
            begins = ends


def keys_of_place(keys: Mapping[str, Action]) -> tuple[KeyShown, ...]:
    """All the keys of a small place."""
    return tuple(KeyShown(key_of(one, keys), one.title, one) for one in dict.fromkeys(keys.values()))


def _named(keys: Mapping[str, Action], system: RuleSystem, phase: str, width: int) -> list[KeyShown]:
    """All the keys of the logs in a phase: its orders first."""
    idle = {"volley"} if volley_of(system, phase) is None else set()
    shown = (one for one in dict.fromkeys(keys.values()) if one.footer and one.call.name not in idle)
    others = sorted(shown, key=lambda one: len(one.places))
    others.sort(key=lambda one: LAST.index(one.call.name) if one.call.name in LAST else -1)
    named = [KeyShown(key, one.title, one) for one in others if (key := key_of(one, keys))]
    return [*_orders(system, phase, keys, width), *named]


def _orders(system: RuleSystem, phase: str, keys: Mapping[str, Action], width: int) -> list[KeyShown]:
    """The orders of this phase."""
    found = []
    for form in system.forms:
        key = key_of(form_action(form), keys)
        if key and (phase in form.phases or not form.phases):
            found.append(KeyShown(key, form.title.lower() if width >= WIDE else form.word, form_action(form)))
    return found


def _fitting(shown: Sequence[KeyShown], room: int) -> tuple[list[KeyShown], int]:
    """The keys that fit, with a sign where there are more, and the room left."""
    left = room - sum(_needs(one) for one in shown if one.action.call.name in ALWAYS)
    kept: list[KeyShown] = []
    for at, one in enumerate(shown):
        if one.action.call.name in ALWAYS:
            kept.append(one)
            continue
        rest = sum(_needs(other) for other in shown[at:] if other.action.call.name not in ALWAYS)
        if _needs(one) + (_needs(MORE) if rest > left else 0) <= left:
            kept.append(one)
            left -= _needs(one)
        elif MORE not in kept and left >= _needs(MORE):
            kept.append(MORE)
            left = 0
    return kept, left


def _undo(undone: str, room: int) -> str:
    """`undo`, with what it would strike as far as there is room."""
    return f"undo {cut(undone, room - 1)}" if undone and room > UNDO_LEAST else "undo"


def _needs(one: KeyShown) -> int:
    return width_of(f"{one.key} {one.title}") + 2
