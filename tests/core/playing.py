"""Tiny battles for the tests of the core, and a way to play them with orders in words."""

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import build_vocabulary
from qf_tui.core.corrections import build_scope
from qf_tui.core.decide import ThrowDie
from qf_tui.core.declarations import Setup
from qf_tui.core.grammar.names import Scope, Vocabulary
from qf_tui.core.grammar.reader import read_line
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import State, Timeline, Version, build_timeline
from qf_tui.core.values import Act, Battle, Charts, Division, Form, Mark, Order, Owed, Ship, Side
from tests.tiny import SYSTEM


def ship(id: str, side: str = "north", name: str = "", hull: int = 3, guns: int = 4, speed: int = 6) -> Ship:
    """One ship of a side, as it musters."""
    card = {"hull": hull, "guns": guns, "speed": speed}
    log = SYSTEM.muster(card, Setup("only", "in"))
    return Ship(id, name or id.capitalize(), side, f"{side}-one", card, log)


def battle(*ships: Ship, units: str = "in", reserve: Iterable[Ship] = ()) -> Battle:
    """A battle before its first order: two ships a side (ant and bee, cat and dog) unless told."""
    if not ships:
        ships = (ship("ant"), ship("bee"), ship("cat", "south"), ship("dog", "south"))
    sides = tuple(
        Side(name, name.capitalize(), (Division(f"{name}-one", "One"),)) for name in ("north", "south")
    )
    start = Battle(
        turn=1,
        phase="sail",
        sides=sides,
        ships={each.id: each for each in ships},
        table={"units": units, "scale": "only"},
        options={"blaze": "4-6"},
        charts={},
        reserve={each.id: each for each in reserve},
    )
    return evolve(start, began=start)


def start(*ships: Ship, units: str = "in", reserve: Iterable[Ship] = ()) -> Timeline:
    """The timeline of such a battle, nothing played."""
    return build_timeline(battle(*ships, units=units, reserve=reserve), ())


def revise(
    timeline: Timeline,
    order: str,
    throw: ThrowDie | None = None,
    overlay: Charts | None = None,
    system: RuleSystem = SYSTEM,
) -> Revision:
    """One order or correction in words, worked out; OrderRefused if it is refused."""
    read_order = read_line(build_scope(build_vocabulary(system), timeline), order).require_order()
    return work_out(system, timeline, read_order, lambda order: Version(order, (), overlay), throw)


def play(
    timeline: Timeline,
    *orders: str,
    throw: ThrowDie | None = None,
    overlay: Charts | None = None,
    system: RuleSystem = SYSTEM,
) -> Timeline:
    """The timeline after orders and corrections."""
    for order in orders:
        timeline = revise(timeline, order, throw, overlay, system).after
    return timeline


def shooting(*orders: str) -> Timeline:
    """A usual battle in its first shooting phase (the `next` was entry 1), some orders played."""
    return play(start(), "next", *orders)


def keys(battle: Battle) -> list[str]:
    return [owed.key for owed in battle.owed]


@frozen
class Renumbering:
    """Numbers of entries in the order of play instead of the order of writing."""

    places: Mapping[int, int]

    def number(self, number: int) -> int:
        return self.places.get(number, number)

    def key(self, key: str) -> str:
        """A key of an owed roll."""
        entry, _, rest = key.partition("/")
        return f"{self.number(int(entry))}/{rest}"

    def id(self, id: str) -> str:
        """The id of a mark; any other text as it is."""
        made = re.fullmatch(r"([0-9]+)\.([0-9]+)", id)
        return f"{self.number(int(made[1]))}.{made[2]}" if made else id

    def mark(self, mark: Mark) -> Mark:
        return evolve(mark, id=self.id(mark.id))

    def owed(self, owed: Owed) -> Owed:
        facts = {name: self.id(fact) if isinstance(fact, str) else fact for name, fact in owed.facts.items()}
        return evolve(owed, key=self.key(owed.key), facts=facts)

    def act(self, act: Act) -> Act:
        """An act; its facts `entry` and `opened` are numbers of entries."""
        facts = {name: act.facts[name] for name in ("entry", "opened") if name in act.facts}
        renumbered = {name: self.number(fact) for name, fact in facts.items() if isinstance(fact, int)}
        return evolve(act, facts={**act.facts, **renumbered})

    def battle(self, battle: Battle) -> Battle:
        """A battle with its marks, acts, keys, doubts and `opened` renumbered, as its phase began too."""
        return evolve(
            battle,
            ships={
                id: evolve(ship, marks=tuple(map(self.mark, ship.marks))) for id, ship in battle.ships.items()
            },
            owed=tuple(map(self.owed, battle.owed)),
            acts=tuple(map(self.act, battle.acts)),
            doubts=tuple(map(self.number, battle.doubts)),
            opened=self.number(battle.opened),
            began=self.battle(battle.began) if battle.began else None,
        )


def renumbered(timeline: Timeline, script: Sequence[int] | None = None) -> Battle:
    """The battle of a timeline with entries numbered as they are played (parked and spare ones last)."""
    script = timeline.play_order if script is None else script
    standing = [n for n in script if timeline.rulings[n].state is State.STANDS]
    others = [act.number for act in timeline.log if act.number not in standing]
    places = {number: place for place, number in enumerate((*standing, *others), 1)}
    return Renumbering(places).battle(timeline.battle)


def parse(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    """An order; OrderRefused says what is wrong with it."""
    return read_line(Scope(Vocabulary(forms), battle), text).require_order()
