"""Cuts a battle and its log down to what a viewer may know; a switch of the umpire sets how much."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property, partial

from attrs import evolve, field, frozen

from qf_tui.core.builtin_forms import ANSWER, NOTE
from qf_tui.core.decisions import Effect, Reason
from qf_tui.core.odds import Sought
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import (
    Correction,
    Entry,
    LogAct,
    Ruling,
    Timeline,
    Version,
    find_brought_entry,
    find_corrections,
    list_parked_or_spare,
)
from qf_tui.core.values import Battle, Order, Owed, Ship, replace
from qf_tui.features.points.sums import is_over
from qf_tui.registry import show_extras

Needs = dict[str, tuple[Sought, ...]]
ALL = ""
"""Viewer of the link for all, who belongs to no side."""


class BoardSwitch(StrEnum):
    """The umpire's switch: which logs the links show, and when."""

    AT_ONCE = "at-once"
    OWN_SIDE = "own-side"
    PHASE_END = "phase-end"


EMPTY_NOTE = Version(Order(NOTE, {}))
"""Placeholder for a remark that this viewer may not read."""


@frozen(slots=False)
class ViewerBattle:
    """The part of a battle that a viewer may know.

    Attributes:
        system: Rule system of the battle.
        timeline: Timeline reduced to the known part.
        viewer: Id of a side, or `ALL`.
        switch: Position of the umpire's switch.
        needs_cache: Cache of the faces that owed rolls need, by key; shared by viewers who may know them.
    """

    system: RuleSystem
    timeline: Timeline
    viewer: str
    switch: BoardSwitch
    needs_cache: Needs = field(factory=dict, eq=False)

    @property
    def battle(self) -> Battle:
        """The battle at the end of the known timeline."""
        return self.timeline.battle

    @property
    def at_once(self) -> bool:
        """True if every entry is known at once."""
        return self.switch is BoardSwitch.AT_ONCE

    @property
    def only_ended_phases(self) -> bool:
        """True if a phase is known only after it has ended."""
        return self.switch is BoardSwitch.PHASE_END

    @property
    def all_sides(self) -> bool:
        """True if the logs of all sides are known."""
        return self.switch is not BoardSwitch.OWN_SIDE

    def is_whole_known(self, ship: Ship | None) -> bool:
        """Return whether the whole log of a ship is known."""
        return ship is not None and (self.all_sides or (ship.side == self.viewer != ALL))

    @cached_property
    def seen(self) -> frozenset[str]:
        """The names of fields that the models on the table show."""
        field_names = {field.name for field in self.system.fields if field.seen or field.kind == "status"}
        return frozenset({*field_names, "name"})

    def is_field_known(self, ship: Ship | None, field: str) -> bool:
        """Return whether a field of a ship is known."""
        return ship is not None and (field in self.seen or self.is_whole_known(ship))


def build_viewer_battle(
    system: RuleSystem,
    timeline: Timeline,
    viewer: str,
    switch: BoardSwitch,
    needs_cache: Needs | None = None,
) -> ViewerBattle:
    """Return the part of a battle that a viewer may know.

    Under `phase-end`, this part ends with the entry that began the present phase. Remarks to others and the
    schedule are always removed, and others' secret points until the battle is over.
    """
    if switch is BoardSwitch.PHASE_END:
        timeline = cut_at_phase_start(timeline)
    needs = {} if needs_cache is None else needs_cache
    over = is_over(system, timeline.battle)
    return ViewerBattle(system, _remove_secrets(timeline, viewer, over=over), viewer, switch, needs)


def cut_at_phase_start(timeline: Timeline) -> Timeline:
    """Cut a timeline after the entry that began the present phase; without such an entry, at the start.

    Later acts are replaced by empty notes in the log, so that each act keeps its number.
    """
    play_order = timeline.play_order
    places = range(len(play_order), 0, -1)
    place = next((place for place in places if timeline.is_phase_opener(play_order[place - 1])), 0)
    known_numbers = play_order[:place]
    log = tuple(_list_known_acts(timeline, known_numbers))
    return evolve(
        timeline,
        battle=timeline.battle_at(place),
        log=log,
        corrections=find_corrections(log),
        play_order=tuple(known_numbers),
        versions={number: timeline.versions[number] for number in known_numbers},
        rulings={number: timeline.rulings[number] for number in known_numbers},
        aside=list_parked_or_spare(known_numbers, timeline.rulings),
        checkpoints={at: battle for at, battle in timeline.checkpoints.items() if at <= place},
    )


def _list_known_acts(timeline: Timeline, known: tuple[int, ...]) -> Iterator[LogAct]:
    """Yield the acts of a log up to the greatest number in `known`, with empty notes for unknown acts.

    These acts are known: the entries in `known` (in play order), all acts entered before the last of these
    entries, and corrections whose targets are all known.
    """
    known_acts = set(known)
    last = known[-1] if known else 0
    for act in timeline.log[: max(known_acts, default=0)]:
        if act.number <= last or (isinstance(act, Correction) and known_acts.issuperset(act.targets)):
            known_acts.add(act.number)
        rulings = {number: ruling for number, ruling in act.rulings.items() if number in known_acts}
        yield evolve(act, rulings=rulings) if act.number in known_acts else Entry(act.number, EMPTY_NOTE)


def _remove_secrets(timeline: Timeline, viewer: str, *, over: bool) -> Timeline:
    """Remove remarks, extras and points that are not for a viewer, and everything about the schedule.

    Scheduled questions keep their keys, because entries answer them.

    Args:
        over: True if the battle is over, so that all may know secret points.
    """
    hide_plan = partial(_hide_plan, viewer=viewer, over=over)
    # Entries that lists leave out: remarks, and answers to the schedule.
    hidden_numbers = {
        find_brought_entry(act) for act in timeline.log if act.version is not None and is_hidden(act.version)
    }

    def hide_remark(version: Version) -> Version:
        """Return an empty note in place of a remark that is not for the viewer."""
        remark = read_address(timeline.battle, " ".join(version.order.list_texts("text")))
        is_known = version.order.form is not NOTE or (remark is not None and remark.side in (ALL, viewer))
        return version if is_known else EMPTY_NOTE

    def remove_texts(rulings: Mapping[int, Ruling]) -> Mapping[int, Ruling]:
        """Return the rulings without the schedule's texts; the same mapping if none has these texts."""
        new_rulings = {
            number: _remove_texts(ruling, hidden=number in hidden_numbers)
            for number, ruling in rulings.items()
        }
        has_texts = any(new_rulings[number] is not ruling for number, ruling in rulings.items())
        return new_rulings if has_texts else rulings

    def hide_act(act: LogAct) -> LogAct:
        """Return an act without the parts that the viewer may not know."""
        rulings = remove_texts(act.rulings)
        known_act = act if rulings is act.rulings else evolve(act, rulings=rulings)
        if act.version is not None and find_brought_entry(act) in hidden_numbers:
            return evolve(known_act, version=hide_remark(act.version), by="", extra={})
        return evolve(known_act, extra=show_extras(act.extra, viewer)) if act.extra else known_act

    hidden_versions = {
        number: hide_remark(timeline.versions[number]) for number in hidden_numbers & timeline.versions.keys()
    }
    return evolve(
        timeline,
        start=hide_plan(timeline.start),
        battle=hide_plan(timeline.battle),
        log=tuple(map(hide_act, timeline.log)),
        versions={**timeline.versions, **hidden_versions},
        rulings=remove_texts(timeline.rulings),
        checkpoints={at: hide_plan(battle) for at, battle in timeline.checkpoints.items()},
    )


def is_hidden(version: Version) -> bool:
    """Return whether lists of entries leave an entry out: a remark, or an answer to the schedule."""
    order = version.order
    return order.form is NOTE or (order.word == ANSWER.word and order.question_key.line == SCHEDULE)


def _remove_texts(ruling: Ruling, *, hidden: bool) -> Ruling:
    """Remove the schedule's texts from a ruling: prompts, and reasons without a clause that may repeat them.

    `hidden` is true if lists of entries leave its entry out; then all reasons without a clause are removed.
    """
    decision = ruling.decision
    questions = (effect.value for effect in decision.effects if effect.field == SCHEDULE)
    prompts = [owed.prompt for owed in questions if isinstance(owed, Owed)]
    if not prompts and not hidden:
        return ruling
    effects = tuple(
        evolve(effect, value=_remove_prompt(effect.value)) if isinstance(effect.value, Owed) else effect
        for effect in decision.effects
    )

    def may_repeat_text(reason: Reason) -> bool:
        return not reason.clause and (hidden or reason.is_remark or reason.result in prompts)

    reasons = tuple(reason for reason in decision.reasons if not may_repeat_text(reason))
    return evolve(ruling, decision=evolve(decision, effects=effects, reasons=reasons))


def _hide_plan(battle: Battle, viewer: str, *, over: bool) -> Battle:
    """Remove a battle's schedule, ships in reserve, texts of scheduled questions, and others' secret points.

    Args:
        over: True if all may know secret points.
    """
    known = tuple(
        condition
        for condition in battle.plan.victory
        if over or condition.points is None or not condition.points.secret or condition.side == viewer
    )
    return replace(
        battle,
        reserve={},
        owed=tuple(map(_remove_prompt, battle.owed)),
        began=_hide_plan(battle.began, viewer, over=over) if battle.began is not None else None,
        plan=replace(battle.plan, schedule=(), victory=known),
    )


def _remove_prompt(owed: Owed) -> Owed:
    """Remove the text of a scheduled question; return any other question unchanged."""
    return replace(owed, prompt="", order=None) if owed.line == SCHEDULE else owed


def list_effects(timeline: Timeline, number: int) -> tuple[Effect, ...]:
    """Return the effects of an entry."""
    return timeline.rulings[number].decision.effects


@frozen
class Addressed:
    """A remark for the players of a side, or of all sides ("")."""

    side: str
    text: str


def read_address(battle: Battle, text: str) -> Addressed | None:
    """Read to whom a remark is addressed: a side or `all` before a colon.

    Returns:
        None for a remark on a ship or for the umpire alone.
    """
    head, colon, words = text.partition(":")
    name = head.strip().casefold()
    if not colon or not words.strip() or head.strip() in battle.ships:
        return None
    if name == "all":
        return Addressed(ALL, words.strip())
    sides = (side.id for side in battle.sides if name in (side.id, side.name.casefold()))
    return next((Addressed(side, words.strip()) for side in sides), None)
