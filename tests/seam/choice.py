"""Choice: a repair whose dice may leave the player a choice of what is mended."""

from collections.abc import Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.system import (
    Column,
    Faces,
    Field,
    Measure,
    Phase,
    PreparedOrder,
    RuleSystem,
    Setup,
    Shape,
    out_of_phase,
)
from qf_tui.core.text import Scalar
from qf_tui.core.values import SUNK, Battle, Die, Form, Order, Owed, Ship, Slot

TWO_D6 = (Die(6), Die(6))
COURSES = ("left", "straight", "right")
REPAIR = Form(
    "repair",
    "r",
    "Repair",
    (Slot("ship", kinds.SHIP, "the ship"),),
    dice="D D",
    phases=("repair",),
    help="one repair point",
)


class Choice(RuleSystem):
    """Ships lose gunnery and speed by the umpire's word, and mend it by two dice."""

    name = "choice"
    title = "Choice"
    phases = (Phase("gunnery", "Gunnery", slashes=True), Phase("repair", "Repair"))
    fields = (
        Field("rof_heavy", "heavy", most=9),
        Field("rof_light", "light", most=9),
        Field("speed_hits", "speed hits", most=8),
        Field("course", "course", "texts", words=COURSES),
        Field("status", "status", "status", words=("afloat", SUNK)),
    )
    columns = (
        Column("rof_heavy", "H", 2, 1, ("rof_heavy",)),
        Column("rof_light", "L", 2, 1, ("rof_light",)),
        Column("speed_hits", "S", 2, 2, ("speed_hits", "course")),
    )
    forms = (REPAIR,)
    clauses: Mapping[str, str] = {
        "C-REP-1": "A ship repairs as often a turn as it has points.",
        "C-REP-2": "2-7 mends what the player chooses, 8-11 a speed hit, 12 nothing.",
    }

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {"rof_heavy": card["rof.heavy"], "rof_light": card["rof.light"], "speed_hits": 0}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return _repair(battle, order, None)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return _repair(battle, owed.declared, owed.entry)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        name = battle.ships[owed.ship].name
        left = damaged(battle.ships[owed.ship])
        if len(words) != 1 or words[0] not in left:
            return PreparedOrder(findings=(impossible(f"what does {name} repair? {' or '.join(left)}"),))
        return PreparedOrder(decide=lambda faces, builder: _mend(builder, owed.ship, words[0]))

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        return bool(damaged(battle.ships[owed.ship]))

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        wounds = {"H": ("rof_heavy", -1), "L": ("rof_light", -1), "S": ("speed_hits", 1)}
        if not all(code.upper() in (*wounds, "D") for code in codes):
            return PreparedOrder(findings=(impossible(f"“{' '.join(codes)}” is not H, L, S or D"),))

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            for code in codes:
                if code.upper() == "D":
                    builder.mark(ship, "course", "left")
                else:
                    builder.add(ship, *wounds[code.upper()])

        return PreparedOrder(decide=decide)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        course: list[object] = [mark.text for mark in ship.live("course")]
        counts = {name: ship.count(name) for name in ("rof_heavy", "rof_light", "speed_hits")}
        return {**counts, "course": course, "status": ship.status}


def damaged(ship: Ship) -> tuple[str, ...]:
    """The words for what a ship could mend."""
    found = {
        "gunnery-heavy": ship.count("rof_heavy") < ship.card_count("rof.heavy"),
        "gunnery-light": ship.count("rof_light") < ship.card_count("rof.light"),
        "speed": ship.count("speed_hits") > 0,
        "course": bool(ship.live("course")),
    }
    return tuple(word for word, is_damaged in found.items() if is_damaged)


def _repair(battle: Battle, order: Order, declared: int | None) -> PreparedOrder:
    """One repair; `declared` is the entry that declared it, if its dice are rolled apart."""
    ship = battle.ships[order.text("ship")]
    findings = out_of_phase(battle, REPAIR, "C-REP-1")
    if declared is None and len(battle.done("repair", ship.id)) >= ship.card_count("repair"):
        findings = (*findings, refused(f"{ship.name} has no repair point left", "C-REP-1"))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        total, left = sum(faces), damaged(builder.ship(ship.id))
        builder.because(f"{ship.name} repairs: {total}", "C-REP-2")
        words = left if total <= 7 else tuple(word for word in left if word == "speed") if total <= 11 else ()
        if len(words) > 1:
            builder.owe("choice", ship.id, f"what does {ship.name} repair?", words=words, cause=declared)
        elif words:
            _mend(builder, ship.id, words[0])
        else:
            builder.because("nothing is mended")

    return PreparedOrder(
        findings=findings if declared is None else (),
        dice=TWO_D6,
        judge=lambda faces: (int(sum(faces) <= 7), int(sum(faces) <= 11)),
        decide=decide,
        declare=lambda builder: builder.remember("repair", ship.id),
        owes="repair",
        prompt=f"{ship.name} repairs",
        ship=ship.id,
        odds=(Measure("a choice", 0), Measure("speed at least", 1)),
    )


def _mend(builder: DecisionBuilder, ship: str, what: str) -> None:
    now = builder.ship(ship)
    if what == "course":
        builder.lift(ship, now.live("course")[0])
    else:
        field, by = {
            "speed": ("speed_hits", -1),
            "gunnery-heavy": ("rof_heavy", 1),
            "gunnery-light": ("rof_light", 1),
        }[what]
        builder.add(ship, field, by)
    builder.because(f"{now.name} mends {what}", "C-REP-2")


SYSTEM = Choice()
