"""Random gunnery phases at one ship near overflow, played in any order with the same dice."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from attrs import frozen

from qf_tui.core.facts import read_key
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Owed
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.playing import Card, lay_cells
from tests.rules.quickfire import tables as d6
from tests.rules.quickfire_clone import tables as clone

TARGET = "rook"
FIRERS = 7


@frozen
class Phase:
    """The battle at the start of a phase and its attacks as typed, forced so that all are accepted."""

    start: Battle
    attacks: tuple[str, ...]
    system: RuleSystem


class Play:
    """A phase played in some order; `lot` decides when owed rolls are answered.

    The faces of a roll depend only on its cause. The n-th T-hit roll of a ship always has the same face.
    """

    def __init__(self, phase: Phase, order: Sequence[int], seed: int, lot: Random) -> None:
        self.session = Session.begin(phase.system, phase.start)
        self._seed, self._t_hits, self._named = seed, 0, dict[int, str]()
        left = list(order)
        while left or self.session.battle.owed:
            owed = self.session.battle.owed
            if owed and (not left or lot.random() < 0.4):
                self._roll(lot.choice(owed))
            else:
                self._enter(phase.attacks[left[0]], f"attack {left.pop(0)}")

    def _enter(self, order: str, name: str) -> None:
        self._named[self.session.timeline.next_number] = name
        self.session.enter(order)
        assert not self.session.timeline.aside, f"{order} leaves {self.session.timeline.aside} aside"

    def _roll(self, owed: Owed) -> None:
        key = read_key(owed.key)
        name = f"{self._named.get(key.entry)}/{key.line}/{key.nth}"
        if owed.line == "t-hit":
            self._t_hits += 1
            name = f"T-hit {self._t_hits}"
        faces = Random(f"{self._seed}/{name}")
        self._enter(
            f"roll {owed.key} {' '.join(str(faces.randint(1, die.sides)) for die in owed.dice)}", name
        )

    @property
    def list_moves(self) -> list[str]:
        """List the reasons that move earlier results."""
        rulings = self.session.timeline.rulings.values()
        return [
            reason.text
            for ruling in rulings
            for reason in ruling.decision.reasons
            if "it counts after this" in reason.text
        ]


def _throw(lot: Random, *most: int) -> str:
    return " ".join(str(lot.randint(1, each)) for each in most)


def _draw_switches(lot: Random, system: RuleSystem, *names: str) -> dict[str, str]:
    return {each.name: lot.choice(each.values) for each in system.options if each.name in names}


def _lay_rows(
    start: Battle, lot: Random, columns: range, codes: Sequence[str], table: str, *rows: str
) -> Battle:
    for row in rows:
        start = lay_cells(start, table, row, {str(column): lot.choice(codes) for column in columns})
    return start


def build_advanced_phase(lot: Random) -> Phase:
    """Build a gunnery phase of Advanced Quickfire: torpedoes in the second, boat guns at small targets."""
    small, phase = lot.random() < 0.3, lot.choice(("first-gunnery", "second-gunnery"))
    lost = lot.choice((0, 0, 0, 1, 2, 8))
    log: dict[str, Scalar] = {
        "rof_heavy": lot.randint(0, 3),
        "rof_light": lot.randint(0, 3),
        "boat_guns": lot.randint(0, 2),
        "repair_points": lot.randint(0, 3),
        "torpedo_reload": lot.randint(0, 8),
        "speed_lost": lost,
        "speed_hits": lot.randint(min(5, 8 - lost), 8 - lost),
        "moved": 1,
    }
    card: Card = {}
    if lot.random() < 0.25:
        card["torpedo"], log["torpedo_reload"] = None, None
    if lot.random() < 0.2:
        card["boat_guns"], log["boat_guns"] = 0, 0
    if lot.random() < 0.2:
        card["repair"], log["repair_points"] = 0, 0
    make = advanced.craft if small else advanced.ship
    switches = _draw_switches(
        lot,
        advanced.TABLES.system,
        *(
            "light_armor_g",
            "light_s_overflow",
            "explosion_s_overflow",
            "explosion_g",
            "chain_stops",
            "b_chain",
        ),
        *("t_without_torpedoes", "overflow_first", "explosion_dice", "one_roll"),
    )
    firers = [advanced.ship(f"b{at}", log={"moved": 1}) for at in range(FIRERS)]
    start = advanced.battle(*firers, make(TARGET, "red", log=log, **card), phase=phase, **switches)
    blast = ("B", "T", "R", "F", "E", "D", "T B", "SX", "G", "S", "E F", "E E")
    start = _lay_rows(start, lot, range(2, 13), blast, "blast", "long", "medium", "pb")
    explosion = ("G", "2G", "S", "2S", "SX", "SX G", "B", "G S B", "3G")
    start = _lay_rows(start, lot, range(1, 13), explosion, "damage", "explosion")
    start = _lay_rows(start, lot, range(1, 13), ("-", "F", "R"), "damage", "t-hit")

    def attack(ship: str) -> str:
        kind = lot.random()
        if phase == "second-gunnery" and kind < 0.25:
            return f"force torpedo {ship} {TARGET} in converging {_throw(lot, 2, 12)}"
        if small and kind < 0.5:
            return f"force boats {ship} {TARGET} {_throw(lot, *[12] * lot.randint(1, 3))}"
        if kind < 0.65:
            return f"force fire {ship} {lot.choice(('heavy', 'light'))} {TARGET} medium {_throw(lot, 6, 11)}"
        if kind < 0.8:
            return f"force fire {ship} heavy {TARGET} long light-armor {_throw(lot, 6, 11)}"
        rolls = (6, 11) if switches["one_roll"] == "yes" else (6, 11, 6, 11)
        return f"force fire {ship} both {TARGET} medium {_throw(lot, *rolls)}"

    attacks = tuple(attack(f"b{at}") for at in range(lot.randint(2, FIRERS)))
    return Phase(start, attacks, advanced.TABLES.system)


def build_d6_phase(lot: Random) -> Phase:
    """Build the gunnery phase of Quickfire."""
    small = lot.random() < 0.3
    log: dict[str, Scalar] = {
        "rof_heavy": lot.randint(0, 3),
        "rof_light": lot.randint(0, 3),
        "boat_guns": lot.randint(0, 1),
        "repair_points": lot.randint(0, 2),
        "torpedo": lot.randint(0, 2),
        "speed_hits": lot.randint(4, 9),
        "moved": 1,
    }
    card: Card = {"rof": (6, lot.choice((5, 6)))}
    make = d6.craft if small else d6.ship
    names = ("light_g", "even_rof", "overflow_first", "one_roll", "direction_by", "blast_without_hit")
    switches = _draw_switches(lot, d6.TABLES.system, *names)
    firers = [d6.ship(f"b{at}", log={"moved": 1}, torpedo=4) for at in range(FIRERS)]
    start = d6.battle(*firers, make(TARGET, "red", log=log, **card), **switches)
    blast = ("T", "R", "F", "E", "D", "T R", "G", "S", "E F", "E E")
    start = _lay_rows(start, lot, range(3, 9), blast, "blast", "long", "short", "pb")
    explosion = ("G", "2G", "S", "3G", "G S", "R", "F 4S 2G")
    start = _lay_rows(start, lot, range(2, 13), explosion, "damage", "explosion")
    start = _lay_rows(start, lot, range(1, 7), ("G", "T", "S", "E", "2G"), "boat-guns", "boat-guns")

    def attack(ship: str) -> str:
        kind = lot.random()
        if kind < 0.15:
            return f"force torpedo {ship} {TARGET} in {_throw(lot, 2, 3)}"
        if small and kind < 0.5:
            return f"force boats {ship} {TARGET} {_throw(lot, 6)}"
        if kind < 0.75:
            return f"force fire {ship} {lot.choice(('heavy', 'light'))} {TARGET} short {_throw(lot, 3, 6, 4)}"
        rolls = (3, 6, 4) if switches["one_roll"] == "yes" else (3, 6, 4, 3, 6, 4)
        return f"force fire {ship} both {TARGET} short {_throw(lot, *rolls)}"

    attacks = tuple(attack(f"b{at}") for at in range(lot.randint(2, FIRERS)))
    return Phase(start, attacks, d6.TABLES.system)


def build_clone_phase(lot: Random) -> Phase:
    """Build the gunnery phase of Quickfire-Clone."""
    log: dict[str, Scalar] = {
        "rof_heavy": lot.randint(0, 3),
        "rof_light": lot.randint(0, 3),
        "repair_points": lot.randint(0, 2),
        "torpedo": lot.randint(0, 2),
        "speed_hits": lot.randint(4, 9),
    }
    names = ("g_falls_on", "g_at_zero", "explosion_g", "r_without_points", "light_blast")
    firers = [clone.ship(f"b{at}") for at in range(FIRERS)]
    start = clone.battle(
        *firers, clone.ship(TARGET, "red", log=log), **_draw_switches(lot, clone.TABLES.system, *names)
    )
    blast = ("T", "R", "F", "E", "D", "T R", "G", "S", "B", "E E")
    start = _lay_rows(start, lot, range(2, 9), blast, "blast", "long", "short")

    def attack(ship: str) -> str:
        if lot.random() < 0.2:
            return f"force torpedo {ship} {TARGET} 20cm {_throw(lot, 2, 2, 1)}"
        return f"force fire {ship} {lot.choice(('heavy', 'light'))} {TARGET} 100cm {_throw(lot, 5, 4)}"

    attacks = tuple(attack(f"b{at}") for at in range(lot.randint(2, FIRERS)))
    return Phase(start, attacks, clone.TABLES.system)


PHASES: Mapping[str, Callable[[Random], Phase]] = {
    "advanced-quickfire": build_advanced_phase,
    "quickfire": build_d6_phase,
    "quickfire-clone": build_clone_phase,
}
