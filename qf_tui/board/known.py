"""Who may know what: the part of the log that counts for a viewer, and the ships that are known whole."""

from functools import cached_property

from attrs import evolve, frozen

from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.core.acts import Ruling, State, Version
from qf_tui.core.effects import Effect, Op
from qf_tui.core.numbered import Chain, Numbered
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, not_standing
from qf_tui.core.values import Battle, Ship


@frozen(slots=False)
class Known:
    """What a viewer may know of a battle; `timeline` ends where its knowledge does."""

    system: RuleSystem
    timeline: Timeline
    viewer: str
    switch: BoardSwitch

    @property
    def battle(self) -> Battle:
        """The battle as far as it is known."""
        return self.timeline.battle

    @property
    def at_once(self) -> bool:
        """Whether all that was entered is known, as it is entered."""
        return self.switch is BoardSwitch.AT_ONCE

    @property
    def ended(self) -> bool:
        """Whether nothing is known of the present phase before it has ended."""
        return self.switch is BoardSwitch.PHASE_END

    @property
    def all_sides(self) -> bool:
        """Whether the logs of all sides are known."""
        return self.switch is not BoardSwitch.OWN_SIDE

    def whole(self, ship: Ship | None) -> bool:
        """Whether all that stands in the log of a ship is known."""
        return ship is not None and (self.all_sides or (ship.side == self.viewer != ALL))

    @cached_property
    def seen(self) -> frozenset[str]:
        """The fields that models show."""
        shown = {field.name for field in self.system.fields if field.seen or field.kind == "status"}
        return frozenset({*shown, "name"})

    def shows(self, ship: Ship | None, field: str) -> bool:
        """Whether a field of a ship is known."""
        return ship is not None and (field in self.seen or self.whole(ship))


def known_to(system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Known:
    """What a viewer may know: with `phase-end` nothing behind the entry that ended the last phase."""
    if switch is BoardSwitch.PHASE_END:
        timeline = as_phase_began(timeline)
    return Known(system, timeline, viewer, switch)


def as_phase_began(timeline: Timeline) -> Timeline:
    """A timeline up to the entry that began its present phase; what came later is in no part of it.

    Its log keeps its acts, by which nothing is told here but the number of an entry.
    """
    order = timeline.play_order
    place = next((at + 1 for at in reversed(range(len(order))) if opens_phase(timeline, order[at])), 0)
    known = order[:place]
    return evolve(
        timeline,
        battle=timeline.battle_at(place),
        play_order=Chain(known),
        versions=Numbered[Version]().plus({number: timeline.versions[number] for number in known}),
        rulings=Numbered[Ruling]().plus({number: timeline.rulings[number] for number in known}),
        aside=not_standing(known, timeline.rulings),
        checkpoints={at: battle for at, battle in timeline.checkpoints.items() if at <= place},
    )


def opens_phase(timeline: Timeline, number: int) -> bool:
    """Whether an entry ended a phase and began another."""
    return timeline.rulings[number].state is State.STANDS and any(map(_opens, effects_of(timeline, number)))


def effects_of(timeline: Timeline, number: int) -> tuple[Effect, ...]:
    """What an entry did."""
    return timeline.rulings[number].decision.effects


def _opens(effect: Effect) -> bool:
    return effect.op is Op.PHASE
