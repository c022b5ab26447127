"""The log as it is read: every act under its turn and phase, with its marks and remarks."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from qf_tui.core.acts import Correction, CorrectionKind, Entry, State
from qf_tui.core.corrections import order_of
from qf_tui.core.effects import Op
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, order_of_play
from qf_tui.session.act_words import ActText, act_text, turn_text
from qf_tui.session.headlines import Headline, headline
from qf_tui.session.remarks import Remark, Remarked, remarks_on_entries

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
        self._headlines: dict[int, Headline] = {}
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

    def headline_of(self, number: int) -> Headline:
        """What an act did to whom."""
        if number not in self._headlines:
            self._headlines[number] = headline(self.system, self.timeline, self.timeline.log[number - 1])
        return self._headlines[number]

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
            act, shown = self.text_of(number), self.headline_of(number)
            names = (self.timeline.battle.ships[id].name for id in self.ships_of(number))
            said = (act.order, act.title, act.result, act.clause, shown.effect, shown.by)
            parts = (str(number), *said, *names, *map(str, self.remarks.get(number, ())))
            self._hay[number] = " ".join(parts).casefold()
        return self._hay[number]
