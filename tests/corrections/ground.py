"""The ingredients of random battles of one rule system."""

from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Charts, Condition, Due, Plan, Ship


@frozen
class Step:
    """A step of a random battle, as numbers; ground and phase decide which order it becomes."""

    kind: str
    one: int
    other: int
    word: int
    faces: tuple[int, int, int]

    def pick(self, words: tuple[str, ...], number: int) -> str:
        """Pick a word by number."""
        return words[number % len(words)]


def add_reserve(start: Battle, *ships: Ship) -> Battle:
    """Add ships that may still join."""
    begun = evolve(start, reserve={ship.id: ship for ship in ships}, began=None)
    return evolve(begun, began=begun)


def add_plan(start: Battle, late: str) -> Battle:
    """Plan a ship's arrival on turn 2, dusk and a remark; red wins when two blue ships are lost."""
    dusk = Due(2, table={"light": "dusk"}, note="lamps are lit")
    blue, red = (side.id for side in start.sides)
    plan = Plan(
        (Due(2, (late,), "from the north"), dusk, Due(3, note="the wind drops")),
        (Condition(red, 2, blue, ("sunk", "withdrawn")),),
    )
    planned = evolve(start, plan=plan, began=None)
    return evolve(planned, began=planned) if start.began else planned


def restore_reserve(battle: Battle, reserve: Mapping[str, Ship]) -> Battle:
    """Put the ships that may still join back; a save does not hold them."""
    began = battle.began and evolve(battle.began, reserve=reserve)
    return evolve(battle, reserve=reserve, began=began)


@frozen(eq=False, repr=False)
class Ground:
    """A rule system with battles in which everything happens to every ship within a few turns.

    Attributes:
        start: Builds the battle before its first order, by `strict`.
        blue: Ids of the blue ships; the last (`late`) has still to join.
        red: Ids of the red ships.
        deeds: Kinds of the system's own orders, by phase.
        orders: Builds those orders by kind, from a step and two ships; their dice are within `sides`.
        codes: Arguments of `damage`.
        marks: Arguments of `mark`.
        switches: Arguments of `option`.
        words: Answers; every question takes at least one.
        quiet: Orders that change only `late`.
        overlay: The umpire's own chart.
    """

    system: RuleSystem
    start: Callable[[bool], Battle]
    blue: tuple[str, ...]
    red: tuple[str, ...]
    deeds: Mapping[str, tuple[str, ...]]
    orders: Callable[[Step, str, str], Mapping[str, str]]
    codes: tuple[str, ...]
    marks: tuple[str, ...]
    switches: tuple[str, ...]
    words: tuple[str, ...]
    quiet: tuple[str, ...]
    sides: int = 6
    overlay: Charts = field(factory=dict)

    def __repr__(self) -> str:
        return f"ground of {self.system.name}"

    @property
    def late(self) -> str:
        return self.blue[-1]

    def order(self, step: Step, phase: str) -> str:
        """Write a step as an order; a step that only acts gets an order that fits the phase."""
        deeds = self.deeds[phase]
        kind = step.pick(deeds, step.word) if step.kind in ("act", "next", "answer") else step.kind
        ships = (*self.blue, *self.red)
        one = step.pick(ships, step.one)
        other = step.pick(self.red if one in self.blue else self.blue, step.other)
        mark = step.pick(self.marks, step.other)
        common = {
            "damage": f"damage {one} {step.pick(self.codes, step.other)}",
            "mark": f"mark {one} {mark}" if step.word % 3 else f"state {one} {mark}; {other} {mark}",
            "leave": f"leave {one} {('withdrawn', 'sunk')[step.other % 2]}",
            "join": f"join blue {self.late}",
            "option": f"option {step.pick(self.switches, step.other)}",
            "chart": "chart mine",
            "note": "note the umpire looks up",
            "force next": "force next",
        }
        return common[kind] if kind in common else self.orders(step, one, other)[kind]
