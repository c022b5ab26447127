"""Tiny: a complete small rule system, to test the core with and to read before writing another.

Ships sail, shoot with a black and a white D6 (the black hits if it is at most the guns, the white gives the
place), and tend fires and leaks. What a ship can do is read at the start of the phase; effects are written at
once.
"""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import (
    Available,
    FieldSpec,
    Measure,
    Option,
    Phase,
    PreparedOrder,
    Setup,
    Shape,
    out_of_phase,
)
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.system import Column, Field, RuleSystem, Span
from qf_tui.core.text import Distance, Scalar
from qf_tui.core.values import SUNK, Battle, Die, Faces, Form, Order, Owed, Ship, Slot

D6, BLACK, WHITE = Die(6), Die(6, "black"), Die(6, "white")
SIDES = ("port", "starboard")
REACH = {True: Distance(Fraction(200), "mm"), False: Distance(Fraction(8), "in")}

SHIP = Slot("ship", kinds.SHIP, "the ship", identifies=True)
TARGET = Slot("target", kinds.SHIP, "the target")
RANGE = Slot("range", kinds.MEASURE, "the range", choices=("near", "far"), optional=True)
SHIPS = Slot("ships", kinds.SHIPS, "the ships")
BOXES = Slot("boxes", kinds.COUNT, "how far", most=8)
TURNS = Slot("turns", kinds.COUNT, "how many turns", keyword="turns", optional=True, most=3)
SAIL = Form("sail", "s", "Sail", (SHIPS, BOXES, TURNS), phases=("sail",), help="moves ships")
SHOOT = Form(
    "shoot",
    "f",
    "Shoot",
    (SHIP, TARGET, RANGE, build_flag_slot("raking", "along the target's length")),
    dice="BLACK WHITE",
    phases=("shoot",),
    help="one shot a phase; a target that moved 4 or more is harder to hit",
)
TEND = Form("tend", "t", "Tend", (SHIP,), dice="D", phases=("tend",), help="puts out a fire or stops a leak")


class Tiny(RuleSystem):
    """The system; `qf_tui.core.system.RuleSystem` explains each part."""

    name = "tiny"
    title = "Tiny"
    phases: tuple[Phase, ...] = (
        Phase("sail", "Sail"),
        Phase("shoot", "Shoot", slashes=True),
        Phase("tend", "Tend"),
    )
    fields: tuple[Field, ...] = (
        Field("hull", "hull", most=20),
        Field("guns", "guns", most=9),
        Field("moved", "moved", "number", most=8, empty=True),
        Field("fires", "fires", "marks", most=9),
        Field("leak", "leaks", "texts", words=SIDES),
        Field("status", "status", "status", words=("afloat", "withdrawn", SUNK)),
        Field("speed", "speed", most=8, card=True),
    )
    columns = (Column("hull", "hull", 6, 1, ("hull",)), Column("guns", "guns", 4, 2, ("guns", "fires")))
    card = (
        FieldSpec("hull", "int", "hull", least=1, most=20, required=True),
        FieldSpec("guns", "int", "guns", most=9, required=True),
        FieldSpec("speed", "int", "speed", most=8, default=6),
    )
    forms: tuple[Form, ...] = (SAIL, SHOOT, TEND)
    options = (Option("blaze", "T-FIR-1", ("4-6", "6"), "4-6", "the faces that set a ship on fire"),)
    clauses: Mapping[str, str] = {
        "T-PHA-1": "Each order belongs to one phase.",
        "T-SAI-1": "A ship sails once a turn.",
        "T-SAI-2": "No ship sails farther than its speed.",
        "T-SHO-1": "A ship shoots once a phase.",
        "T-SHO-2": "A ship without guns does not shoot.",
        "T-SHO-3": "Guns reach 8 inches, or 200 mm.",
        "T-SHO-4": "Only ships afloat shoot or are shot at.",
        "T-TEN-1": "A crew tends its ship once a turn.",
        "T-FIR-1": "A blaze sets the ship on fire.",
        "T-SIN-1": "A ship without hull may sink as the turn ends.",
    }

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {"hull": card["hull"], "guns": card["guns"], "moved": None}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        if order.word == "sail":
            return _prepare_sail(battle, order)
        return _prepare_shot(battle, order) if order.word == "shoot" else _prepare_tend(battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return self.prepare_declared(battle, owed) if owed.order else _prepare_check(battle, owed)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        if words not in [(word,) for word in owed.words]:
            return PreparedOrder(findings=(impossible(f"{owed.prompt} {' or '.join(owed.words)}"),))

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            builder.mark(owed.ship, "leak", words[0])
            builder.because(f"{builder.ship(owed.ship).name} leaks to {words[0]}")

        return PreparedOrder(decide=decide)

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        wrong = [code for code in codes if code.lower() not in ("h", "g", "f")]
        if wrong or not codes:
            return PreparedOrder(findings=(impossible(f"“{' '.join(wrong)}” is not H, G or F"),))

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            for code in codes:
                if code.lower() == "f":
                    builder.mark(ship, "fires")
                else:
                    lose(builder, ship, "hull" if code.lower() == "h" else "guns")
            builder.because(f"{battle.ships[ship].name}: {' '.join(codes)}")

        return PreparedOrder(decide=decide)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe a check of every fire when crews begin to tend; `opened` is the `next` of the phase."""
        for ship in battle.ships.values():
            if battle.phase == "tend" and ship.afloat:
                for _ in ship.live("fires"):
                    builder.owe("fire-check", ship.id, f"fire on {ship.name}", D6, cause=battle.opened)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """Forget the moves after the shooting; owe rolls for wrecks before the turn ends."""
        if battle.phase == "shoot":
            for ship in battle.ships.values():
                if ship.log.get("moved") is not None:
                    builder.record(ship.id, "moved", None)
        if battle.phase != "tend" or carried:
            return False
        sinking = [
            ship
            for ship in battle.ships.values()
            if ship.afloat and not ship.count("hull") and not battle.list_turn_acts("sinking", ship.id)
        ]
        for ship in sinking:
            builder.remember("sinking", ship.id)
            builder.owe("sinking", ship.id, f"does {ship.name} sink?", D6, cause=battle.opened)
        return bool(sinking)

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe a check of each leaking ship, once a turn, after the fires are checked."""
        for ship in battle.ships.values():
            leaks = battle.phase == "tend" and ship.afloat and ship.live("leak")
            if leaks and not battle.list_turn_acts("flood", ship.id):
                builder.remember("flood", ship.id)
                builder.owe("flood", ship.id, f"leak on {ship.name}", D6, cause=battle.opened)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        kinds = {"sail": ("sail", "sail"), "shoot": ("shot", "shoot"), "tend": ("tend", "tend")}
        kind, word = kinds[battle.phase]
        afloat = (ship.id for ship in battle.ships.values() if ship.afloat)
        return tuple(
            Available(id, "", f"{word} {id}") for id in afloat if not battle.list_turn_acts(kind, id)
        )

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        leaks: list[object] = [mark.text for mark in ship.live("leak")]
        counts: dict[str, Shape] = {"hull": ship.count("hull"), "guns": ship.count("guns")}
        return {**counts, "fires": len(ship.live("fires")), "leak": leaks, "status": ship.status}

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        began = battle.start.ships[ship.id].count(column.name)
        now = ship.count(column.name)
        return (Span(str(now)), Span("/" * max(0, began - now), "slash"))

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        return tuple(
            (ship.side, f"take {ship.name} off the table")
            for id, ship in after.ships.items()
            if ship.status == SUNK and id in before.ships and before.ships[id].status != SUNK
        )

    def ended(self, battle: Battle) -> str:
        sides = {ship.side for ship in battle.ships.values() if ship.afloat}
        return "one side is left" if len(sides) == 1 else ""


def lose(builder: DecisionBuilder, ship: str, field: str) -> None:
    """Take one from a count that is above 0."""
    if builder.ship(ship).count(field):
        builder.add(ship, field, -1)


def _prepare_sail(battle: Battle, order: Order) -> PreparedOrder:
    ships = [battle.ships[id] for id in order.list_texts("ships")]
    boxes = order.number("boxes") or 0
    findings = list(out_of_phase(battle, SAIL, "T-PHA-1"))
    for ship in ships:
        if battle.list_turn_acts("sail", ship.id):
            findings.append(refused(f"{ship.name} sailed this turn", "T-SAI-1"))
        if boxes > int(ship.card["speed"] or 0):
            findings.append(refused(f"{ship.name} sails {ship.card['speed']} at most", "T-SAI-2"))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for ship in ships:
            builder.remember("sail", ship.id)
            builder.record(ship.id, "moved", boxes)
            builder.because(f"sails {boxes}", subject=ship.name)

    return PreparedOrder(findings=tuple(findings), decide=decide)


def _prepare_shot(battle: Battle, order: Order) -> PreparedOrder:
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    guns = battle.start.ships[ship.id].count("guns")
    need = guns + order.has("raking") - (target.count("moved") >= 4)

    def missing(faces: Faces) -> tuple[Die, ...]:
        misses = bool(faces) and faces[0] > need
        return () if misses else (BLACK, WHITE)[len(faces) :]

    def judge(faces: Faces) -> tuple[int, ...]:
        if faces[0] > need:
            return (0, 0, 0)
        return (1, int(faces[1] != 4), int(faces[1] == 4))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        hit, hull, gun = judge(faces)
        builder.result("hits", hit)
        builder.because(
            f"{faces[0]} against {need}: {'hit' if hit else 'no hit'} on {target.name}", "T-SHO-1"
        )
        if hull:
            lose(builder, target.id, "hull")
        if gun:
            lose(builder, target.id, "guns")
        if hit and faces[1] == 6:
            builder.owe("blaze", target.id, f"does {target.name} catch fire?", D6)
        if hit and faces[1] == 5:
            builder.owe("side", target.id, f"{target.name} leaks to which side?", words=SIDES)

    return PreparedOrder(
        findings=_list_shot_findings(battle, order, ship, target, guns),
        dice=(BLACK, WHITE),
        missing=missing,
        judge=judge,
        decide=decide,
        declare=lambda builder: builder.remember("shot", ship.id),
        owes="shoot",
        prompt=f"{ship.name} at {target.name}",
        ship=ship.id,
        odds=(Measure("hits", 0), Measure("hull", 1, mean=True)),
    )


def _list_shot_findings(
    battle: Battle, order: Order, ship: Ship, target: Ship, guns: int
) -> tuple[Finding, ...]:
    findings = list(out_of_phase(battle, SHOOT, "T-PHA-1"))
    measured = order.slots.get("range")
    reach = REACH[battle.table.get("units") == "metric"]
    if ship.id == target.id:
        findings.append(impossible(f"{ship.name} cannot shoot at itself"))
    if battle.list_turn_acts("shot", ship.id, phase=battle.phase):
        findings.append(refused(f"{ship.name} shot this phase", "T-SHO-1"))
    if not guns:
        findings.append(refused(f"{ship.name} has no guns", "T-SHO-2"))
    if isinstance(measured, Distance) and measured.to(reach.unit) > reach.amount:
        findings.append(refused(f"{measured} is farther than {reach}", "T-SHO-3"))
    if not (battle.start.ships[ship.id].afloat and target.afloat):
        findings.append(refused(f"{ship.name} or {target.name} is not afloat", "T-SHO-4"))
    return tuple(findings)


def _prepare_tend(battle: Battle, order: Order) -> PreparedOrder:
    ship = battle.ships[order.text("ship")]
    findings = list(out_of_phase(battle, TEND, "T-PHA-1"))
    if battle.list_turn_acts("tend", ship.id):
        findings.append(refused(f"{ship.name} was tended this turn", "T-TEN-1"))

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(faces[0] >= 4),)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        now = builder.ship(ship.id)
        troubles = (*now.live("fires"), *now.live("leak"))
        if judge(faces)[0] and troubles:
            builder.lift(ship.id, troubles[0])
        builder.because(f"{ship.name} is tended: {faces[0]} against 4")

    return PreparedOrder(
        findings=tuple(findings),
        dice=(D6,),
        judge=judge,
        decide=decide,
        declare=lambda builder: builder.remember("tend", ship.id),
        owes="tend",
        prompt=f"{ship.name} is tended",
        ship=ship.id,
        odds=(Measure("works", 0),),
    )


def _prepare_check(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the rolls that the rules themselves ask for."""
    ship = battle.ships[owed.ship]
    blazes = 6 if battle.options.get("blaze") == "6" else 4

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        face, fires = faces[0], builder.ship(ship.id).live("fires")
        builder.because("done", of=owed.prompt, roll=str(face))
        if owed.line == "blaze" and face >= blazes:
            builder.mark(ship.id, "fires")
        if owed.line == "fire-check" and face == 6 and fires:
            builder.lift(ship.id, fires[0])
        if owed.line in ("fire-check", "flood") and face <= 2:
            lose(builder, ship.id, "hull")
        if owed.line == "sinking" and face <= 3:
            builder.write(Op.STATUS, ship.id, "status", SUNK)

    return PreparedOrder(dice=(D6,), judge=lambda faces: (faces[0],), decide=decide)


SYSTEM = Tiny()
