"""Night: a shot that may stray, damage in halves, and a critical hit that binds the next turn."""

from collections.abc import Callable, Mapping

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.facts import Fact, FactField, FactSchema
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
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
    of_parts,
    out_of_phase,
)
from qf_tui.core.text import Scalar
from qf_tui.core.values import SUNK, Battle, Die, Form, Order, Owed, Ship, Slot

SHOT = (Die(10, "white", 0), Die(10, "red", 0), Die(10, "blue", 0))
TARGETING = (Die(6, "red"), Die(6, "blue"))
CRITICAL = (Die(10, "", 0),)
NOBODY = "nobody"
SINKING = "sinking"
HALVES = {1: (2, 2, 2, 1), 2: (4, 4, 2, 2, 1)}
"""Damage in halves by row, at equal odds and at two to one."""

SHIP = Slot("ship", kinds.SHIP, "the ship")
STRADDLE = Slot("straddle", kinds.COUNT, "the number on the stick", keyword="straddle", most=9)
FIRE = Form(
    "fire",
    "f",
    "Fire a battery",
    (
        SHIP,
        Slot("battery", kinds.NAME, "the battery", listed="battery"),
        Slot("target", kinds.SHIP, "the target"),
        STRADDLE,
        flag("penetrates", "the armor is penetrated"),
        Slot("low", kinds.COUNT, "causes of poor visibility", keyword="low", optional=True, most=5),
    ),
    dice="WHITE RED BLUE",
    phases=("gunnery",),
    help="one battery at one target; at night the targeting roll comes first",
)
MOVE = Form(
    "move",
    "m",
    "Move",
    (SHIP, Slot("inches", kinds.MEASURE, "how far", bare=True, most=99)),
    phases=("movement",),
)
FORMATION = Form(
    "formation",
    "",
    "Formation",
    (
        Slot("division", kinds.DIVISION, "the division"),
        Slot("shape", kinds.CHOICE, "the formation", choices=("astern", "abreast", "quarter")),
    ),
    phases=("movement",),
)
TABLE = Form(
    "table",
    "",
    "The table",
    (
        Slot("what", kinds.CHOICE, "what", choices=("light",)),
        Slot("value", kinds.CHOICE, "how it is", choices=("day", "dusk", "night")),
    ),
)


FACTS = FactSchema(
    acts={"fired": (FactField("battery"),), "damaged": (FactField("target"),)},
    questions={
        "targeting": (FactField("faces", "ints"),),
        "who": (FactField("faces", "ints"),),
        "fire": (
            FactField("target", group="shot"),
            FactField("band", "int", group="shot"),
            FactField("penetrates", "bool", group="shot"),
        ),
        "critical": (FactField("penetrated", "bool"),),
    },
)


class Night(RuleSystem):
    """Ships move, and fire a battery with three ten-sided dice."""

    name = "night"
    facts = FACTS
    title = "Night"
    phases = (Phase("movement", "Movement"), Phase("gunnery", "Gunnery", slashes=True))
    fields = (
        Field("hull_lost", "hull lost", most=9, denominator=2),
        Field("armament_lost", "armament lost", most=9, denominator=2),
        Field("steam", "steam lines", "marks", most=9, lasting_turns=1),
        Field("status", "status", "status", words=("afloat", SINKING, "abandoned", SUNK)),
    )
    columns = (
        Column("hull_lost", "hull", 4, 1, ("hull_lost",)),
        Column("armament_lost", "arms", 4, 1, ("armament_lost",)),
        Column("speed", "speed", 5, 2, ("steam",)),
    )
    forms = (MOVE, FORMATION, FIRE, TABLE)
    clauses: Mapping[str, str] = {
        "N-MV-1": "No ship moves faster than its leftmost hull box, less 3 a steam line of the turn before.",
        "N-MV-2": "A division changes its formation once a turn.",
        "N-GUN-1": "White and its modifiers, 2 more at night, against the number on the stick.",
        "N-GUN-3": "Red is for the armament, blue for the hull; a blue row 1 is a critical hit.",
        "N-GUN-9": "A battery fires once a turn, and only of ships afloat.",
        "N-CRI-5": "A steam line slows the ship in the next turn, if its armor was penetrated.",
        "N-NIT-2": "One die double the other: one ship off; triple: two.",
    }

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {"hull_lost": 0, "armament_lost": 0}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        if order.word == "fire":
            return _fire(battle, order)
        if order.word == "move":
            return _move(battle, order)
        if order.word == "formation":
            return _form_up(battle, order)
        light = order.text("value")
        return PreparedOrder(decide=lambda faces, builder: builder.write(Op.TABLE, "", "light", light))

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line == "targeting":
            return _targeting(battle, owed)
        if owed.line == "critical":
            return _critical(owed)
        order = owed.declared
        return _shot(battle, Shot.of(order, owed), owed.entry)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        order = owed.declared
        shot, fault = _shot_at(Shot.of(order), owed, words)
        if fault:
            return PreparedOrder(findings=(impossible(fault),))

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            builder.because(f"it is {battle.ships[shot.target].name} that is fired at", "N-NIT-2")
            _go_on(builder, shot, owed)

        return PreparedOrder(decide=decide)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return {
            "hull_lost": of_parts(ship.count("hull_lost"), 2),
            "armament_lost": of_parts(ship.count("armament_lost"), 2),
            "speed": speed(battle, ship),
            "steam": len(ship.live("steam")),
            "status": ship.status,
        }


@frozen
class Shot:
    """A shot as it will be judged: its order, who is fired at, and what was measured to that ship."""

    order: Order
    firer: str
    target: str
    band: int
    penetrates: bool
    low: int

    @classmethod
    def of(cls, order: Order, owed: Owed | None = None) -> "Shot":
        """The shot of an order; `owed` holds what else came of the targeting."""
        if owed and owed.facts:
            target, band, penetrates = owed.text("target"), owed.number("band"), owed.has("penetrates")
        else:
            target, band = order.text("target"), order.number("straddle") or 0
            penetrates = order.has("penetrates")
        low = order.number("low") or 0
        return cls(order.bare, order.text("ship"), target, band, penetrates, low)

    @property
    def facts(self) -> dict[str, Fact]:
        return {"target": self.target, "band": self.band, "penetrates": self.penetrates}


def speed(battle: Battle, ship: Ship) -> int:
    """Inches that a ship may move now.

    By its leftmost hull box that is not wholly lost, and its steam lines.
    """
    boxes = ship.card_count("hull")
    lost = min(ship.count("hull_lost") // 2, boxes)
    fastest = 0 if lost == boxes else ship.card_count(f"hull.{lost + 1}")
    return max(0, fastest - 3 * sum(mark.turn < battle.turn for mark in ship.live("steam")))


def _move(battle: Battle, order: Order) -> PreparedOrder:
    ship, inches = battle.ships[order.text("ship")], order.number("inches") or 0
    findings = out_of_phase(battle, MOVE, "N-MV-1")
    if inches > speed(battle, ship):
        findings = (*findings, refused(f"{ship.name} moves {speed(battle, ship)} at most", "N-MV-1"))
    return PreparedOrder(
        findings=findings, decide=lambda faces, builder: builder.because(f"{ship.name} moves {inches}")
    )


def _form_up(battle: Battle, order: Order) -> PreparedOrder:
    division, shape = order.text("division"), order.text("shape")
    findings = out_of_phase(battle, FORMATION, "N-MV-2")
    if battle.done("formation", division):
        findings = (*findings, refused(f"{division} changed its formation this turn", "N-MV-2"))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember("formation", division)
        builder.write(Op.TABLE, "", f"formation.{division}", shape)
        builder.because(f"{division} forms line {shape}", "N-MV-2")

    return PreparedOrder(findings=findings, decide=decide)


def _fire(battle: Battle, order: Order) -> PreparedOrder:
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    battery, shot = order.text("battery"), Shot.of(order)
    findings: tuple[Finding, ...] = out_of_phase(battle, FIRE, "N-GUN-1")
    if ship.id == target.id:
        findings = (*findings, impossible(f"{ship.name} cannot fire at itself"))
    if not battle.start.ships[ship.id].afloat or target.status == SUNK:
        findings = (*findings, refused(f"{ship.name} or {target.name} is {target.status}", "N-GUN-9"))
    if battery in [act.text("battery") for act in battle.done("fired", ship.id)]:
        findings = (*findings, refused(f"{ship.name}'s {battery} fired this turn", "N-GUN-9"))

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("fired", ship.id, battery=battery)

    if battle.table.get("light") != "night":
        return _shot(battle, shot, None, findings, declare)

    def ask(faces: Faces, builder: DecisionBuilder) -> None:
        builder.owe(
            "targeting",
            ship.id,
            f"targeting of {ship.name} at {target.name}",
            *TARGETING,
            order=shot.order,
            facts={"faces": faces},
        )

    # The dice of a shot that were given before night fell on it, or too early, wait for the targeting.
    return PreparedOrder(
        findings=findings,
        dice=SHOT,
        missing=lambda faces: (),
        decide=ask,
        declare=declare,
        ship=ship.id,
        reminders=("at night the targeting roll comes first",),
    )


def _targeting(battle: Battle, owed: Owed) -> PreparedOrder:
    shot = Shot.of(owed.declared)
    firer, target = battle.ships[shot.firer], battle.ships[shot.target]

    def judge(faces: Faces) -> tuple[int, ...]:
        low, high = sorted(faces)
        return (2 if high >= 3 * low else 1 if high >= 2 * low else 0, int(faces[0] > faces[1]))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        off, right = judge(faces)
        place = f"{('one ship', 'two ships')[off - 1]} to the {('left', 'right')[right]} of {target.name}"
        builder.because(f"red {faces[0]}, blue {faces[1]}: {place if off else target.name}", "N-NIT-2")
        if not off:
            _go_on(builder, shot, owed)
            return
        others = (other.id for other in battle.ships.values() if other.status != SUNK)
        builder.owe(
            "who",
            firer.id,
            f"{place}, from {firer.name}: who is there?",
            words=(*(id for id in others if id not in (firer.id, target.id)), NOBODY),
            order=owed.order,
            facts=owed.facts,
            cause=owed.entry,
        )

    return PreparedOrder(
        dice=TARGETING,
        judge=judge,
        decide=decide,
        odds=(Measure("strays", 0),),
    )


def _shot_at(shot: Shot, owed: Owed, words: tuple[str, ...]) -> tuple[Shot, str]:
    """The shot at the ship that an answer names, measured as it says, or what is wrong with the answer."""
    expected = (
        f"{owed.prompt} {' or '.join(owed.words)}, then `straddle N` and `penetrates` as measured to it"
    )
    if not words or words[0] not in owed.words:
        return shot, expected
    target = shot.target if words[0] == NOBODY else words[0]
    band, penetrates = shot.band, shot.penetrates
    rest = list(words[1:])
    if rest[:1] == ["straddle"]:
        if len(rest) < 2 or not (rest[1].isascii() and rest[1].isdigit() and int(rest[1]) <= STRADDLE.most):
            return shot, expected
        band, penetrates, rest = int(rest[1]), False, rest[2:]
    if rest == ["penetrates"]:
        penetrates, rest = True, []
    return Shot(shot.order, shot.firer, target, band, penetrates, shot.low), expected if rest else ""


def _go_on(builder: DecisionBuilder, shot: Shot, owed: Owed) -> None:
    """Decides the shot if its dice were given, or owes them; the cause is the order, whoever is hit."""
    faces = owed.numbers("faces")
    ready = _shot(builder.battle, shot, owed.entry)
    missing = ready.missing(faces)
    if not missing:
        ready.decide(faces, builder)
        return
    name = builder.ship(shot.target).name
    builder.owe(
        "fire",
        shot.firer,
        f"{builder.ship(shot.firer).name} at {name}",
        *missing,
        order=shot.order,
        faces=faces,
        facts=shot.facts,
        cause=owed.entry,
    )


def _shot(
    battle: Battle,
    shot: Shot,
    declared: int | None,
    findings: tuple[Finding, ...] = (),
    declare: Callable[[DecisionBuilder], None] = lambda builder: None,
) -> PreparedOrder:
    """The shot itself; `declared` is the entry that declared it, if its dice are rolled apart."""
    firer, target = battle.ships[shot.firer], battle.ships[shot.target]
    before = [act.text("target") for act in battle.done("damaged", firer.id, turn=battle.turn - 1)]
    more = 2 * (battle.table.get("light") == "night") - (target.id in before) + shot.low
    rows = HALVES[min(2, firer.card_count("af") // target.card_count("df"))]

    def missing(faces: Faces) -> tuple[Die, ...]:
        return () if faces and faces[0] + more > shot.band else SHOT[len(faces) :]

    def judge(faces: Faces) -> tuple[int, ...]:
        if faces[0] + more > shot.band:
            return (0, 0, 0, 0)
        red = max(0, (faces[1] or 10) - (shot.band >= 7))
        blue = max(0, (faces[2] or 10) - (shot.band <= 2))
        return (1, *(rows[row] if row < len(rows) else 0 for row in (red, blue)), int(blue == 1))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        straddled, arms, hull, critical = judge(faces)
        verdict = "straddles" if straddled else "misses"
        builder.because(f"{faces[0]}{more:+} against {shot.band}: {verdict} {target.name}", "N-GUN-1")
        builder.result("fired", True)
        if not straddled:
            return
        _lose(builder, target.id, "armament", arms)
        _lose(builder, target.id, "hull", hull)
        if arms or hull or critical:
            builder.remember("damaged", firer.id, target=target.id)
        if critical:
            builder.owe(
                "critical",
                target.id,
                f"critical hit on {target.name}",
                *CRITICAL,
                facts={"penetrated": shot.penetrates},
                cause=declared,
            )

    return PreparedOrder(
        findings=findings,
        dice=SHOT,
        missing=missing,
        judge=judge,
        decide=decide,
        declare=declare,
        owes="fire",
        prompt=f"{firer.name} at {target.name}",
        ship=firer.id,
        odds=(
            Measure("straddles", 0),
            Measure("halves of hull", 2, mean=True),
            Measure("critical", 3),
        ),
    )


def _lose(builder: DecisionBuilder, ship: str, what: str, halves: int) -> None:
    if not halves:
        return
    builder.add(ship, f"{what}_lost", halves)
    now = builder.ship(ship)
    builder.because(f"{now.name} loses {halves / 2:g} of {what}", "N-GUN-3")
    if what == "hull" and now.count("hull_lost") >= 2 * now.card_count("hull") and now.afloat:
        builder.write(Op.STATUS, ship, "status", SINKING)
        builder.because(f"{now.name} is sinking")


def _critical(owed: Owed) -> PreparedOrder:
    """The roll for a critical hit: a steam line, or nothing in this small table."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        name = builder.ship(owed.ship).name
        if faces[0] == 5 and owed.has("penetrated"):
            builder.mark(owed.ship, "steam", until=builder.battle.turn + 1)
            builder.because(f"a steam line of {name}: 3 slower next turn", "N-CRI-5")
        else:
            builder.because(f"critical {faces[0]} on {name}: nothing")

    return PreparedOrder(
        dice=CRITICAL,
        judge=lambda faces: (int(faces[0] == 5),),
        decide=decide,
    )


SYSTEM = Night()
