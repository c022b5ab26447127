"""What random battles of one rule system are made of."""

from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Charts, Condition, Due, Plan, Ship


@frozen
class Step:
    """What somebody does next, as numbers; which order that is depends on the ground and the phase."""

    kind: str
    one: int
    other: int
    word: int
    faces: tuple[int, int, int]

    def pick(self, words: tuple[str, ...], number: int) -> str:
        """One of some words, by a number."""
        return words[number % len(words)]


def to_come(start: Battle, *ships: Ship) -> Battle:
    """The battle with ships that may still join it."""
    begun = evolve(start, reserve={ship.id: ship for ship in ships}, began=None)
    return evolve(begun, began=begun)


def scheduled(start: Battle, late: str) -> Battle:
    """The battle with a ship that arrives on turn 2, dusk and a remark; the loss of two ships wins it."""
    dusk = Due(2, table={"light": "dusk"}, note="lamps are lit")
    blue, red = (side.id for side in start.sides)
    plan = Plan(
        (Due(2, (late,), "from the north"), dusk, Due(3, note="the wind drops")),
        (Condition(red, 2, blue, ("sunk", "withdrawn")),),
    )
    planned = evolve(start, plan=plan, began=None)
    return evolve(planned, began=planned) if start.began else planned


def offered(battle: Battle, reserve: Mapping[str, Ship]) -> Battle:
    """The battle of a save, which holds no ship that has not joined, with those that may."""
    began = battle.began and evolve(battle.began, reserve=reserve)
    return evolve(battle, reserve=reserve, began=began)


@frozen(eq=False, repr=False)
class Ground:
    """A rule system, and battles of it in which everything happens to everybody within a few turns.

    `start(strict)` is the battle before its first order; `blue` and `red` its ships by side, the last of blue
    (`late`) still to join, and untouched by any order of `quiet`. `deeds` are the kinds of its own orders by
    phase, `orders(step)` those orders in words by kind, their dice within `sides`. `codes`, `marks` and
    `switches` are what `damage`, `mark` and `option` say; `words` answers of which every question takes one;
    `overlay` an own chart.
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
        """A step in words, for a kind that is one order; steps that only act do what fits the phase."""
        deeds = self.deeds[phase]
        kind = step.pick(deeds, step.word) if step.kind in ("act", "next", "answer") else step.kind
        ships = (*self.blue, *self.red)
        one = step.pick(ships, step.one)
        other = step.pick(self.red if one in self.blue else self.blue, step.other)
        common = {
            "damage": f"damage {one} {step.pick(self.codes, step.other)}",
            "mark": f"mark {one} {step.pick(self.marks, step.other)}",
            "leave": f"leave {one} {('withdrawn', 'sunk')[step.other % 2]}",
            "join": f"join blue {self.late}",
            "option": f"option {step.pick(self.switches, step.other)}",
            "chart": "chart mine",
            "note": "note the umpire looks up",
            "force next": "force next",
        }
        return common[kind] if kind in common else self.orders(step, one, other)[kind]
