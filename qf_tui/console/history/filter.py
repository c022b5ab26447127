"""Which acts of the log are shown: the words of a search line, and the line in which they are typed."""

from collections.abc import Callable, Iterable

from attrs import frozen
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.history.log_view import DOUBTED, PARKED, SPARE, STRUCK, LogLine, LogView
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.text import listed, literal
from qf_tui.core.effects import ON_LOGS
from qf_tui.core.grammar.names import Candidate, candidates, meant, named_ships

IS, KIND, SHIP = "is:", "kind:", "ship:"
STATES = (PARKED, SPARE, DOUBTED, STRUCK, "forced", "amended", "shifted", "inserted", "noted")
AMISS = (PARKED, SPARE, DOUBTED, STRUCK)
"""What one key goes through."""

Fits = Callable[[int], bool]


@frozen
class Filter:
    """A search line: plain words, and words with `is:`, `kind:` or `ship:` before them; all must fit."""

    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.casefold().split())

    def without(self, begins: str) -> "Filter":
        """The filter without its words of one kind."""
        return Filter(" ".join(word for word in self.text.split() if not word.casefold().startswith(begins)))

    def having(self, begins: str, value: str) -> "Filter":
        """The filter with one word of a kind in place of those that it has; with "" none."""
        rest = self.without(begins).text
        return Filter(f"{rest} {begins}{value}".strip() if value else rest)

    def value(self, begins: str) -> str:
        """What follows the first word of a kind, or nothing."""
        return next((word[len(begins) :] for word in self.words if word.startswith(begins)), "")

    def lines(self, log_view: LogView, lines: Iterable[LogLine]) -> tuple[LogLine, ...]:
        """The lines that fit, and the headings above them."""
        fits = [_fits(log_view, word) for word in self.words]
        found: list[LogLine] = []
        heading: LogLine | None = None
        for line in lines:
            if line.heading:
                heading = line
            elif all(fit(line.act) for fit in fits):
                found.extend((heading, line) if heading else (line,))
                heading = None
        return tuple(found)


def _fits(log_view: LogView, word: str) -> Fits:
    """Whether an act fits a word of the search line."""
    begins, colon, value = word.partition(":")
    if begins + colon == IS:
        return lambda number: not value or any(mark.startswith(value) for mark in log_view.marks(number))
    if begins + colon == KIND:
        return lambda number: log_view.word(number).startswith(value)
    if begins + colon == SHIP:
        return _on_ship(log_view, value)
    return lambda number: word in log_view.hay(number)


def _on_ship(log_view: LogView, letters: str) -> Fits:
    """Whether an act names one of the ships that letters mean, or changes its log."""
    ships = named_ships(log_view.timeline.battle.ships.values())
    one = meant(letters, ships)
    found = {one} if one else {choice.text for choice in candidates(letters, ships)}
    rulings = log_view.timeline.rulings
    fields = {field.name for field in log_view.system.fields}

    def fits(number: int) -> bool:
        if not letters or not found.isdisjoint(log_view.ships_of(number)):
            return True
        ruling = rulings.get(number)
        effects = ruling.decision.effects if ruling else ()
        return any(e.ship in found and e.op in ON_LOGS and e.field in fields for e in effects)

    return fits


def by_ship(chosen: Filter, log_view: LogView, act: int) -> Filter:
    """The filter with the first ship that an act names, or the one after its own; after the last, no ship."""
    ids = ("", *log_view.ships_of(act), "")
    now = chosen.value(SHIP)
    return chosen.having(SHIP, ids[(ids.index(now) if now in ids else 0) + 1])


def by_kind(chosen: Filter, log_view: LogView, act: int) -> Filter:
    """The filter with the kind of an act; without a kind where it has one."""
    return chosen.having(KIND, "" if chosen.value(KIND) else log_view.word(act))


def by_what_is_amiss(chosen: Filter, log_view: LogView) -> Filter:
    """The filter with parked, spare, doubted or struck acts, those that there are in turn; then without."""
    now = chosen.value(IS)
    rest = AMISS[AMISS.index(now) + 1 :] if now in AMISS else AMISS
    marks = {mark for act in log_view.timeline.log for mark in log_view.marks(act.number)}
    return chosen.having(IS, next((state for state in rest if state in marks), ""))


def offers(log_view: LogView, text: str) -> tuple[Candidate, ...]:
    """What the word at the end of a search line may become; `text` of each is the whole word."""
    word = text.rpartition(" ")[2].casefold()
    begins, colon, value = word.partition(":")
    if begins + colon == IS:
        return tuple(Candidate(f"{IS}{one}", one) for one in STATES if one.startswith(value))
    if begins + colon == KIND:
        kinds = dict.fromkeys(log_view.word(act.number) for act in log_view.timeline.log)
        return tuple(Candidate(f"{KIND}{one}", one) for one in kinds if one.startswith(value))
    if begins + colon == SHIP or (word and not colon):
        ships = named_ships(log_view.timeline.battle.ships.values())
        found = candidates(value if colon else word, ships)
        return tuple(Candidate(f"{SHIP}{ship.text}", ship.label) for ship in found)
    return tuple(Candidate(begins, begins) for begins in (SHIP, KIND, IS))


class SearchLine(Vertical):
    """A prompt, a text, and what its last word may become.

    With a log_view it searches, without one it writes a remark.
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.log_view: LogView | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="search-line"):
            yield SteadyText(Content(""), id="search-prompt")
            yield Input(id="search-text", compact=True, select_on_focus=False)
        yield SteadyText(Content(""), id="search-offers")

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    def open(self, prompt: str, text: str, log_view: LogView | None) -> None:
        """Takes the keyboard."""
        self.log_view, self.display = log_view, True
        self.query_one("#search-prompt", SteadyText).update(literal(f" {prompt} > ", "bold $accent"))
        self._set(f"{text} " if text else "")
        self.screen.set_focus(self.query_one(Input))
        self.offer()

    def on_resize(self) -> None:
        self.offer()

    def close(self) -> None:
        """Gives the keyboard back."""
        self.display = False

    def offer(self) -> None:
        """Shows what the last word may become."""
        found = offers(self.log_view, self.text) if self.log_view else ()
        names = [
            one.label if one.label.casefold() in one.text else f"{one.label} ({one.text})" for one in found
        ]
        said = f" Tab takes: {listed(names, max(20, self.size.width - 14), ' · ')}" if names else ""
        self.query_one("#search-offers", SteadyText).update(literal(said, "$quiet"))

    def complete(self) -> None:
        """Takes the first word offered in place of the last one."""
        found = offers(self.log_view, self.text) if self.log_view else ()
        if found:
            before = self.text[: len(self.text) - len(self.text.rpartition(" ")[2])]
            end = "" if found[0].text.endswith(":") else " "
            self._set(f"{before}{found[0].text}{end}")

    def _set(self, text: str) -> None:
        field = self.query_one(Input)
        field.value, field.cursor_position = text, len(text)
