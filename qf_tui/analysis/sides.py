"""What each side was worth and what its throws did at one place of a battle, as it was and in a reading."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from qf_tui.analysis.pricing import Pricer, Values
from qf_tui.analysis.thrower import thrower_of
from qf_tui.analysis.verdicts import SideFigures
from qf_tui.core.acts import Ruling, State
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.core.worth import Worth


class SideBooks:
    """The worth and the results of each side of a battle by place; what was worked out is known again."""

    def __init__(
        self, system: RuleSystem, worth: Worth, timeline: Timeline, battles: Sequence[Battle]
    ) -> None:
        self._system, self._timeline, self._battles = system, timeline, battles
        # Apart, as a pricer forgets what it knows where switches and charts are others.
        self._of_battle, self._of_readings = Pricer(system, worth), Pricer(system, worth)
        self._worth: dict[int, Values] = {}

    def figures(self, battle: Battle, place: int, otherwise: Mapping[int, Ruling]) -> tuple[SideFigures, ...]:
        """Each side at a place, beside what it is in another battle there; owed consequences priced in.

        `otherwise` are the entries that came out otherwise in that one.
        """
        was, now = self._worth_at(place), self._of_readings.values(battle)
        done = {side.id: 0 for side in battle.sides}
        more = dict(done)
        for at, (side, results) in enumerate(self._results[:place]):
            if side in done:
                done[side] += results
                ruling = otherwise.get(self._timeline.play_order[at])
                if ruling is not None:
                    more[side] += self._counted(at, ruling)[1] - results
        return tuple(
            SideFigures(side, old, new, done[side], done[side] + more[side])
            for side, old, new in zip(done, was, now, strict=True)
        )

    def _worth_at(self, place: int) -> Values:
        if place not in self._worth:
            self._worth[place] = self._of_battle.values(self._battles[place])
        return self._worth[place]

    @cached_property
    def _results(self) -> tuple[tuple[str, int], ...]:
        """By place whose throw it was, and the results of damage that it brought."""
        order, rulings = self._timeline.play_order, self._timeline.rulings
        return tuple(self._counted(at, rulings[number]) for at, number in enumerate(order))

    def _counted(self, at: int, ruling: Ruling) -> tuple[str, int]:
        order = self._timeline.versions[self._timeline.play_order[at]].order
        if ruling.state is not State.STANDS or not order.dice:
            return "", 0
        battle = self._battles[at]
        thrower = thrower_of(self._system, self._timeline, battle, order, None)
        if thrower.kind is None or not thrower.kind.damage:
            return "", 0
        return thrower.side(battle), thrower.kind.counted(dict(ruling.decision.outcome))
