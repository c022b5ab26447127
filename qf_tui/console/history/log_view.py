"""The log as it is read: every act under its turn and phase, with its marks and remarks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial

from attrs import frozen
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.widgets.picklist import PickLine, heading
from qf_tui.console.widgets.text import SteadyText, cut, listed, literal, width_of
from qf_tui.core.corrections import order_of
from qf_tui.core.decisions import ON_LOGS, Op
from qf_tui.core.grammar.names import Candidate, candidates, meant, named_ships
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, State, Timeline, order_of_play
from qf_tui.document.acts import (
    ActText,
    EntrySummary,
    Remark,
    Remarked,
    act_text,
    remarks_on_entries,
    summary,
    turn_text,
)

STRUCK, DOUBTED, FORCED, NOTED = "struck", "doubted", "forced", "noted"
PARKED, SPARE = State.PARKED.value, State.SPARE.value
SIGNS = {STRUCK: "×", PARKED: "‖", SPARE: "◇", DOUBTED: "!", FORCED: "»", "amended": "~", "inserted": "+"}
"""The sign of a mark before an act; the first that an act has."""
CHANGES = {CorrectionKind.AMEND: "amended", CorrectionKind.SHIFT: "shifted"}
_ABOUT_OTHERS = ("doubt", "settle")


@frozen
class LogLine:
    """One line: an act by its number, or with 0 a heading.

    `after` is the place of the script up to which the battle is played at the line.
    """

    act: int
    after: int
    heading: str = ""


class LogView:
    """The acts of a timeline, in the order of play and as they were written."""

    def __init__(self, system: RuleSystem, timeline: Timeline) -> None:
        self.system, self.timeline = system, timeline
        self.in_force = timeline.in_force
        self._texts: dict[int, ActText] = {}
        self._summaries: dict[int, EntrySummary] = {}
        self._hay: dict[int, str] = {}

    @cached_property
    def played(self) -> tuple[LogLine, ...]:
        """The entries in the order of play under turn and phase, each where it is or would be."""
        return tuple(self._played())

    def _played(self) -> Iterator[LogLine]:
        timeline = self.timeline
        places = {number: place for place, number in enumerate(timeline.play_order, start=1)}
        now, headed, after = (timeline.start.turn, timeline.start.phase), None, 0
        for number in order_of_play(timeline.log):
            if now != headed:
                headed = now
                yield LogLine(0, after, turn_text(self.system, *now))
            after = places.get(number, after)
            yield LogLine(number, after)
            if number in places and timeline.rulings[number].state is State.STANDS:
                for effect in timeline.rulings[number].decision.effects:
                    if effect.op is Op.PHASE and isinstance(effect.value, tuple):
                        now = effect.value[0], effect.field

    @cached_property
    def headings(self) -> dict[int, str]:
        """The turn and phase of each entry."""
        found, heading = {}, ""
        for line in self.played:
            heading = line.heading or heading
            found[line.act] = heading
        return found

    @cached_property
    def written(self) -> tuple[LogLine, ...]:
        """Every act as it was written, corrections too; a correction belongs to the entry that it touches."""
        after = {line.act: line.after for line in self.played}
        return tuple(
            LogLine(act.number, after[next(iter(self.touches.get(act.number, ())), act.number)])
            if act.number in after or self.touches.get(act.number)
            else LogLine(act.number, len(self.timeline.play_order))
            for act in self.timeline.log
        )

    @cached_property
    def touches(self) -> dict[int, tuple[int, ...]]:
        """The entries that each correction touches, through the corrections it strikes or restores too."""
        found: dict[int, tuple[int, ...]] = {}
        for act in self.timeline.log:
            if isinstance(act, Correction):
                entries = (found.get(target, (target,)) for target in act.targets)
                found[act.number] = tuple(dict.fromkeys(entry for some in entries for entry in some))
        return found

    @cached_property
    def touched(self) -> dict[int, tuple[int, ...]]:
        """The corrections that touch each entry, in the order in which they were written."""
        found: dict[int, tuple[int, ...]] = {}
        for correction, entries in self.touches.items():
            for entry in entries:
                found[entry] = (*found.get(entry, ()), correction)
        return found

    @cached_property
    def remarks(self) -> Mapping[int, tuple[Remark, ...]]:
        """What was remarked on each entry: notes on it, doubts, and that they were settled."""
        return remarks_on_entries(self.timeline)

    @property
    def latest(self) -> int:
        """The act that is played last, struck or not; doubts are about others. 0 if there is none."""
        acts = (line.act for line in reversed(self.played))
        return next((act for act in acts if self.word(act) not in _ABOUT_OTHERS), 0)

    def word(self, number: int) -> str:
        """The word that an act begins with: what kind of order or correction it is."""
        act = self.timeline.log[number - 1]
        if isinstance(act, Correction):
            return act.kind.value
        return self.timeline.versions.get(number, act.version).order.word

    def marks(self, number: int) -> tuple[str, ...]:
        """The state of an act beside what it did: struck, parked, spare, doubted, forced, changed, noted."""
        if number not in self.in_force:
            return (STRUCK,)
        act = self.timeline.act(number)
        if not isinstance(act, Entry):
            return ()
        found = []
        ruling = self.timeline.rulings[number]
        if ruling.state is not State.STANDS:
            found.append(ruling.state.value)
        if number in self.timeline.battle.doubts:
            found.append(DOUBTED)
        if self.timeline.versions[number].forced:
            found.append(FORCED)
        for correction in self.touched.get(number, ()):
            other = self.timeline.act(correction)
            if isinstance(other, Correction) and other.kind in CHANGES and correction in self.in_force:
                found.append(CHANGES[other.kind])
        if act.after is not None:
            found.append("inserted")
        if any(remark.kind is not Remarked.SETTLED for remark in self.remarks.get(number, ())):
            found.append(NOTED)
        return tuple(dict.fromkeys(found))

    def sign(self, number: int) -> str:
        """The sign before an act, or a space."""
        return next((sign for mark, sign in SIGNS.items() if mark in self.marks(number)), " ")

    def text_of(self, number: int) -> ActText:
        """An act in words."""
        if number not in self._texts:
            self._texts[number] = act_text(self.timeline, self.timeline.log[number - 1], self.in_force)
        return self._texts[number]

    def summary_of(self, number: int) -> EntrySummary:
        """What an act did to whom."""
        if number not in self._summaries:
            self._summaries[number] = summary(self.system, self.timeline, self.timeline.log[number - 1])
        return self._summaries[number]

    def corrections_of(self, number: int) -> tuple[str, ...]:
        """The corrections that touch an entry in words, each struck one marked."""
        found = []
        for correction in self.touched.get(number, ()):
            act = self.timeline.act(correction)
            if isinstance(act, Correction):
                struck = "" if correction in self.in_force else " [struck]"
                found.append(f"{correction} {order_of(act).line}{struck}")
        return tuple(found)

    def ships_of(self, number: int) -> tuple[str, ...]:
        """The ships that an entry names, in the order in which it names them."""
        ships, act = self.timeline.battle.ships, self.timeline.log[number - 1]
        version = self.timeline.versions.get(number, act.version) if isinstance(act, Entry) else act.version
        names = version.order.names if version is not None else ()
        return tuple(dict.fromkeys(name for name in names if name in ships))

    def hay(self, number: int) -> str:
        """All the words of an act and of the ships that it names, to be searched in."""
        if number not in self._hay:
            act, shown = self.text_of(number), self.summary_of(number)
            names = (self.timeline.battle.ships[id].name for id in self.ships_of(number))
            said = (act.order, act.title, act.result, act.clause, shown.effect, shown.by)
            parts = (str(number), *said, *names, *map(str, self.remarks.get(number, ())))
            self._hay[number] = " ".join(parts).casefold()
        return self._hay[number]


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


EFFECT_LEAST = 24


@frozen
class Listing:
    """The acts of a log that fit a filter, in the order of play or, with `as_written`, of writing."""

    log_view: LogView
    filter: Filter = Filter()
    as_written: bool = False

    @cached_property
    def lines(self) -> tuple[LogLine, ...]:
        """Acts and the headings above them."""
        log_view = self.log_view
        return self.filter.lines(log_view, log_view.written if self.as_written else log_view.played)

    @cached_property
    def acts(self) -> Mapping[int, LogLine]:
        """The lines of acts by their numbers."""
        return {line.act: line for line in self.lines if line.act}

    @property
    def picks(self) -> list[PickLine]:
        """The lines to be picked from, an act's number as its key; each is worded only when it is drawn."""
        return [
            heading(line.heading)
            if line.heading
            else PickLine(line.act, partial(_drawn, self.log_view, line.act))
            for line in self.lines
        ]

    def near(self, line: LogLine) -> int:
        """The act of a line if it is listed, else the nearest in the order of play; 0 if none is listed."""
        if line.act in self.acts:
            return line.act
        return min(self.acts.values(), key=lambda one: abs(one.after - line.after)).act if self.acts else 0

    def step(self, place: int, by: int) -> int | None:
        """The place of the next entry in force behind a place, or before it with a negative step."""
        script = set(self.log_view.timeline.play_order)
        there = [at for at, line in enumerate(self.lines) if line.act in script and (at - place) * by > 0]
        return (min if by > 0 else max)(there) if there else None

    def title(self, width: int) -> Content:
        """The line on top: what is listed, and at the right how many acts are not as they should be."""
        return _title(self.log_view.timeline, self._counted(), width)

    def _counted(self) -> str:
        count = len(self.log_view.timeline.log)
        entries = "1 entry" if count == 1 else f"{count} entries"
        order = "original wording" if self.as_written else "in the order of play"
        text = self.filter.text
        return f"{text} · {len(self.acts)} of {entries}" if text else f"{entries}, {order}"


def _drawn(log_view: LogView, number: int, width: int) -> Content:
    said, marks = log_view.summary_of(number), log_view.marks(number)
    look = "strike $quiet" if STRUCK in marks else ""
    state = f" [{', '.join(marks)}]" if marks else ""
    first = f"{number:>4} {log_view.sign(number)} "
    room = width - width_of(first)
    effect = cut(said.effect, max(EFFECT_LEAST, room - width_of(state)))
    behind = cut(" · ".join(one for one in (said.by, said.why) if one), room - width_of(effect + state) - 2)
    return Content.assemble(
        literal(first, "$quiet" if not marks else "bold $text-warning"),
        literal(effect, look or ("bold $text-warning" if said.event else "")),
        literal(state, "bold $text-warning"),
        literal(f"  {behind}", "$quiet"),
    )


def _title(timeline: Timeline, count: str, width: int) -> Content:
    amiss = {
        PARKED: len(timeline.in_state(State.PARKED)),
        SPARE: len(timeline.in_state(State.SPARE)),
        DOUBTED: len(timeline.battle.doubts),
    }
    right = "  ".join(f"{state} {number}" for state, number in amiss.items() if number)
    left = cut(f" History · {count}", width - width_of(right) - 2)
    blank = " " * max(1, width - width_of(left) - width_of(right) - 1)
    return Content.assemble(literal(left, "bold $primary"), blank, literal(right, "bold $text-warning"))
