"""Tiny battles for the tests of the core, and functions that play them by typed orders."""

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
    """Build a ship of a side, as it musters."""
    card = {"hull": hull, "guns": guns, "speed": speed}
    log = SYSTEM.muster(card, Setup("only", "in"))
    return Ship(id, name or id.capitalize(), side, f"{side}-one", card, log)


def battle(*ships: Ship, units: str = "in", reserve: Iterable[Ship] = ()) -> Battle:
    """Build a battle before its first order; by default ant and bee against cat and dog."""
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
    """Start the timeline of such a battle."""
    return build_timeline(battle(*ships, units=units, reserve=reserve), ())


def revise(
    timeline: Timeline,
    order: str,
    throw: ThrowDie | None = None,
    overlay: Charts | None = None,
    system: RuleSystem = SYSTEM,
) -> Revision:
    """Work out one order or correction; raise OrderRefused if it is refused."""
    read_order = read_line(build_scope(build_vocabulary(system), timeline), order).require_order()
    return work_out(system, timeline, read_order, lambda order: Version(order, (), overlay), throw)


def play(
    timeline: Timeline,
    *orders: str,
    throw: ThrowDie | None = None,
    overlay: Charts | None = None,
    system: RuleSystem = SYSTEM,
) -> Timeline:
    """Play orders and corrections."""
    for order in orders:
        timeline = revise(timeline, order, throw, overlay, system).after
    return timeline


def play_shooting(*orders: str) -> Timeline:
    """Play orders in the first shooting phase of a default battle; entry 1 is the `next` before it."""
    return play(start(), "next", *orders)


def list_owed_keys(battle: Battle) -> list[str]:
    return [owed.key for owed in battle.owed]


@frozen
class Renumbering:
    """Numbers of entries by order of play, in place of the order of writing."""

    places: Mapping[int, int]

    def number(self, number: int) -> int:
        return self.places.get(number, number)

    def key(self, key: str) -> str:
        """Renumber the key of an owed roll."""
        entry, _, rest = key.partition("/")
        return f"{self.number(int(entry))}/{rest}"

    def id(self, id: str) -> str:
        """Renumber the id of a mark; return other text unchanged."""
        made = re.fullmatch(r"([0-9]+)\.([0-9]+)", id)
        return f"{self.number(int(made[1]))}.{made[2]}" if made else id

    def mark(self, mark: Mark) -> Mark:
        return evolve(mark, id=self.id(mark.id))

    def owed(self, owed: Owed) -> Owed:
        facts = {name: self.id(fact) if isinstance(fact, str) else fact for name, fact in owed.facts.items()}
        return evolve(owed, key=self.key(owed.key), facts=facts)

    def act(self, act: Act) -> Act:
        """Renumber an act; its facts `entry` and `opened` are numbers of entries."""
        facts = {name: act.facts[name] for name in ("entry", "opened") if name in act.facts}
        renumbered = {name: self.number(fact) for name, fact in facts.items() if isinstance(fact, int)}
        return evolve(act, facts={**act.facts, **renumbered})

    def battle(self, battle: Battle) -> Battle:
        """Renumber marks, acts, keys, doubts and `opened`, now and at the start of the phase."""
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


def renumber(timeline: Timeline, script: Sequence[int] | None = None) -> Battle:
    """Number the entries of a timeline's battle in the order of play, parked and spare ones last."""
    script = timeline.play_order if script is None else script
    standing = [n for n in script if timeline.rulings[n].state is State.STANDS]
    others = [act.number for act in timeline.log if act.number not in standing]
    places = {number: place for place, number in enumerate((*standing, *others), 1)}
    return Renumbering(places).battle(timeline.battle)


def parse(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    """Parse an order; raise OrderRefused if it is wrong."""
    return read_line(Scope(Vocabulary(forms), battle), text).require_order()
