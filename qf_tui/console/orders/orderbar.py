"""The order bar: a line to type in, and under it what the order would meet while it is typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.timer import Timer
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from qf_tui.console.orders.completing import Typed
from qf_tui.console.orders.foreseeing import Foresight, foresee, typed_of
from qf_tui.console.reading.why import refusal_lines
from qf_tui.console.taking import Taking
from qf_tui.console.text import cut, listed, literal, width_of
from qf_tui.session import Session

SLOW = 0.02
"""Seconds that working an order out may take before it waits for a pause in the typing."""
PAUSE = 0.15
FORCES = "   F2 forces it"
TONES = {"refused": "bold $text-error", "wants": "$accent", "odds": "$text-success", "": ""}


class _Ghost(Suggester):
    """The rest of the first word offered, dim behind the cursor."""

    def __init__(self, bar: "OrderBar") -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.bar = bar

    async def get_suggestion(self, value: str) -> str | None:
        typed = typed_of(self.bar.session, value, self.bar.key)
        letters = typed.partial
        if not letters or not typed.completion.startswith(letters) or typed.completion == letters:
            return None
        return value + typed.completion[len(letters) :]


class OrderBar(Vertical):
    """The bar and its line of foresight. `key` is the owed question that it was opened for."""

    @dataclass
    class Asked(Message):
        """The clauses of the refusal that stands under the bar are asked for."""

    def __init__(self, session: Session, id: str) -> None:
        super().__init__(id=id)
        self.session = session
        self.key = ""
        self.stash = ""
        self.variants: tuple[str, ...] = ()
        self.typed = Typed("")
        self.foresight = Foresight()
        self.said = ""
        self._refused = ""
        self._sign = ""
        self._cleared = False
        self._older: list[str] = []
        self._at = 0
        self._cost = 0.0
        self._later: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="bar-line"):
            yield Static(Content(" > "), id="bar-prompt")
            yield Taking("", self.take, id="bar", suggester=_Ghost(self), select_on_focus=False)
        yield Static(Content(""), id="bar-says")

    @property
    def input(self) -> Input:
        return self.query_one("#bar", Input)

    @property
    def text(self) -> str:
        return self.input.value

    def take(self, character: str) -> bool:
        """Takes `?` where a refusal stands that names a clause."""
        asks = character == "?" and bool(refusal_lines(self.session.system, self.refusal))
        if asks:
            self.post_message(self.Asked())
        return asks

    @property
    def refusal(self) -> str:
        """What was refused in the line under the bar, or nothing."""
        if self.said:
            return self._refused
        return self.foresight.text if self.foresight.tone == "refused" else ""

    def put(self, text: str, *, key: str = "", variants: Sequence[str] = ()) -> None:
        """Fills the bar and takes the keyboard; what was half typed is put by."""
        self.put_by()
        self.variants = tuple(variants)
        self.ask(key)
        self.input.value = text
        self.input.cursor_position = len(text)
        self.screen.set_focus(self.input)

    def ask(self, key: str) -> None:
        """Opens the bar for an owed question, or with "" for any order."""
        self.key = key
        owed = self.session.battle.question(key) if key else None
        sign = "" if owed is None else "roll" if owed.dice else "answer"
        if sign != self._sign:
            self._sign = sign
            prompt = literal(f" {sign} > ".replace("  ", " "), "bold $accent")
            self.query_one("#bar-prompt", Static).update(prompt)

    def put_by(self) -> None:
        """Keeps what is half typed, and empties the bar; an answer is not kept, as it would answer something else."""
        text = self.text.strip()
        dice = all(word.isdigit() for word in text.replace(",", " ").split())
        if text and not dice and not self.key:
            self.stash = text
        self.clear()

    def let_go(self) -> bool:
        """Drops what is half typed; the arrow keys still find it."""
        if self.stash:
            self.entered(self.stash)
        dropped, self.stash = bool(self.stash), ""
        return dropped

    def bring_back(self) -> bool:
        """Puts what was half typed back into the bar."""
        if not self.stash:
            return False
        text, self.stash = self.stash, ""
        self.put(f"{text} ")
        return True

    def select_from(self, start: int) -> None:
        """Selects the text from a place on, so that typing replaces it."""
        self.input.selection = Selection(start, len(self.text))

    def clear(self) -> None:
        """Empties the bar."""
        self.ask("")
        self.variants = ()
        self.typed, self.foresight = Typed(""), Foresight()
        self._cleared = bool(self.text)
        self.input.value = ""

    def entered(self, text: str) -> None:
        """Remembers an order for the arrow keys."""
        self._older = [*(older for older in self._older if older != text), text][-50:]
        self._at = len(self._older)

    def older(self, step: int) -> None:
        """Fetches an older order, or with variants the next of them."""
        if self.variants:
            place = self.variants.index(self.text) if self.text in self.variants else -1
            self._set(self.variants[(place + 1) % len(self.variants)])
        elif self._older:
            self._at = max(0, min(self._at + step, len(self._older) - 1))
            self._set(self._older[self._at])

    def complete(self) -> None:
        """Takes the first word that is offered."""
        completion, partial = self.typed.completion, self.typed.partial
        if completion and self.text.endswith(partial):
            self._set(f"{self.text[: len(self.text) - len(partial)]}{completion} ")

    def _set(self, text: str) -> None:
        self.input.value = text
        self.input.cursor_position = len(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._cleared and not event.value:
            # What was said of the order that left the bar stays to be read.
            self._cleared = False
            return
        if self._later is not None:
            self._later.stop()
        if self._cost > SLOW:
            self._later = self.set_timer(PAUSE, self.look_ahead)
        else:
            self.look_ahead()

    def look_ahead(self) -> None:
        """Works out what the typed order would meet."""
        began = perf_counter()
        self.typed, self.foresight = foresee(self.session, self.text, self.key)
        self._cost = perf_counter() - began
        self._say()

    def look_ahead_unless_said(self) -> None:
        """Works out what the bar holds, unless a word of the last entry stands in the line."""
        if not self.said:
            self.look_ahead()

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says something else in the line under the bar."""
        self._refused = text if tone == "refused" else ""
        if forceable:
            text = f"{cut(text, self.size.width - 2 - len(FORCES))}{FORCES}"
        self.said = text
        self._write(literal(f" {cut(text, self.size.width - 2)}", TONES[tone]))

    def _write(self, line: Content) -> None:
        self.query_one("#bar-says", Static).update(line, layout=False)

    def _say(self) -> None:
        seen, width = self.foresight, self.size.width - 2
        if seen.text:
            force = FORCES if seen.forceable else ""
            text = cut(seen.text, width - width_of(force))
            room = width - width_of(text) - 3
            more = "" if force or room < 12 or not seen.more else f"   {cut('; '.join(seen.more), room)}"
            line = literal(f" {text}", TONES[seen.tone])
            self._write(Content.assemble(line, literal(force + more, "$quiet")))
        elif self.text.strip() or self.key:
            self._offer(width)
        elif self.stash:
            keys = "   : brings it back, Esc drops it"
            self.say(cut(f"half typed: {self.stash}", self.size.width - 2 - len(keys)) + keys)
        else:
            self.say("")

    def _offer(self, width: int) -> None:
        """The words that may stand at the end of the text."""
        owed = self.session.battle.question(self.key) if self.key else None
        typed = self.typed
        label = f" {owed.prompt if owed else typed.label}: "
        names = [*owed.words] if owed else _told_apart(typed)
        offered = listed(names, width - width_of(label), " · ")
        self._write(Content.assemble(literal(cut(label, width // 2), "$accent"), literal(offered)))


def _told_apart(typed: Typed) -> list[str]:
    """What is offered; where the label is not the word itself, both."""
    return [
        one.label if one.label.casefold() == one.text else f"{one.label} ({one.text})"
        for one in typed.choices[:24]
    ]
