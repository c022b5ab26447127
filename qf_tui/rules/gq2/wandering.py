"""Ships that wander: who checks, and what the end of movement owes for them (GQ2-MV-6, GQ2-NIT-1)."""

from collections.abc import Sequence

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import OrderRefused, impossible, refused
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.order import Order
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.measure import decimal
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.gq2.formation import ASTERN, changes, formation, leader, members
from qf_tui.rules.gq2.forms import MOVEMENT, TURN_ABOUT, WANDER
from qf_tui.rules.gq2.lights import is_night
from qf_tui.rules.gq2.measures import inches, unit
from qf_tui.rules.gq2.movement import out_of_reach, record_inches
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import record_manner, speed, turns_made
from qf_tui.rules.gq2.targets import of_phase, out_of_action
from qf_tui.rules.gq2.wander_checks import Moved, as_moved, kept, kept_by, owe_dice, recorded, wander

MOVES = "wander-moves"
"""What is owed for a division first: what nobody has recorded of its ships' moves."""
ASKED = "wander-asked"


def due(battle: Battle, division: str) -> tuple[Ship, ...]:
    """The ships of a division that a clause sends to a check this turn (GQ2-MV-2, GQ2-NIT-1)."""
    ships = members(battle, division)
    changed = any(change not in (ASTERN, TURN_ABOUT) for change in changes(battle, division))
    if not changed and not is_night(battle):
        return ()
    if not changed and formation(battle, division) == ASTERN:
        ships = leader(battle, division)
    ships = tuple(ship for ship in ships if changed or not _lay_still(ship))
    return tuple(
        ship for ship in ships if not _is_still(battle, ship) and not battle.done(WANDER.word, ship.id)
    )


def wanderers(battle: Battle) -> tuple[Ship, ...]:
    """The ships whose check is due and not asked for yet."""
    asked = _asked(battle)
    found = (
        ship for side in battle.sides for division in side.divisions for ship in due(battle, division.id)
    )
    return tuple(ship for ship in found if ship.id not in asked)


def _asked(battle: Battle) -> frozenset[str]:
    """The ships whose check of this turn is owed; one of an earlier turn may be carried over beside it."""
    return frozenset(
        id for owed in battle.owed if owed.number("turn") == battle.turn for id in owed.texts("ships")
    )


def _is_still(battle: Battle, ship: Ship) -> bool:
    """Whether a ship neither moves nor turns, so that no die can set it off."""
    moved = ship.log.get("moved")
    return not speed(battle, ship) if moved is None else not (moved or turns_made(ship))


def _lay_still(ship: Ship) -> bool:
    """Whether a ship, without a record, is assumed to lie still as last turn."""
    return ship.log.get("moved") is None and ship.log.get("told") == 0


def asked_for(battle: Battle) -> bool:
    """Whether the end of movement asks for the checks that are due (GQ2-MV-6)."""
    return option(battle, "wander_checks") == "owed"


def owe_checks(builder: DecisionBuilder) -> bool:
    """Owes the checks that are due, once a turn, one row a division; whether it owes any (GQ2-MV-6)."""
    battle, owes = builder.battle, False
    if not asked_for(battle):
        return False
    for side in battle.sides:
        for division in side.divisions:
            ships = tuple(ship for ship in due(battle, division.id) if ship in wanderers(battle))
            if ships and not battle.done(ASKED, division.id):
                builder.remember(ASKED, division.id)
                _owe(builder, division.id, ships, battle.opened)
                owes = True
    return owes


def _owe(builder: DecisionBuilder, division: str, ships: tuple[Ship, ...], cause: int) -> None:
    """The dice of a division's checks, or first what its ships have moved."""
    unknown = [ship for ship in ships if ship.log.get("moved") is None]
    known = [recorded(ship) for ship in ships if ship not in unknown]
    if not unknown:
        owe_dice(builder, division, known, builder.battle.turn, cause)
        return
    names = ", ".join(ship.name for ship in unknown)
    builder.owe(
        MOVES,
        ships[0].id,
        f"inches moved and points turned by each, for the wander checks of @{division}: {names}",
        facts={
            "ships": tuple(ship.id for ship in ships),
            "division": division,
            "turn": builder.battle.turn,
            **kept("recorded", known),
        },
        cause=cause,
    )


def _moves_known(battle: Battle, owed: Owed) -> dict[str, Moved]:
    """What is recorded of the ships of a row, by id: of an earlier turn what was when it was asked."""
    if owed.number("turn") != battle.turn:
        return {one.ship: one for one in kept_by(owed, "recorded")}
    ships = (battle.ships[id] for id in owed.texts("ships"))
    return {ship.id: recorded(ship) for ship in ships if ship.log.get("moved") is not None}


def all_told(battle: Battle, owed: Owed) -> bool:
    """Whether a question after moves has every answer, as the ships' moves were recorded meanwhile."""
    return owed.line == MOVES and len(_moves_known(battle, owed)) == len(owed.texts("ships"))


def lapse(builder: DecisionBuilder, owed: Owed) -> None:
    """Owes the dice of the checks once the moves that were asked for are recorded (GQ2-MV-6)."""
    if asked_for(builder.battle) and owed.line == MOVES:
        known = _moves_known(builder.battle, owed)
        moves = [known[id] for id in owed.texts("ships")]
        owe_dice(builder, owed.text("division"), moves, owed.number("turn"), owed.entry)


def prepare_moves(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """What the ships of a row have moved, where nobody had recorded it; then its dice are owed.

    Of an earlier turn it is no move of this one: nothing is recorded, and no rule of moves hinders it.
    """
    known, of_now = _moves_known(battle, owed), owed.number("turn") == battle.turn
    unknown = [battle.ships[id] for id in owed.texts("ships") if id not in known]
    try:
        told = _told(battle, unknown, words)
    except OrderRefused:
        names = ", ".join(ship.name for ship in unknown)
        fault = f"inches and points for each of {names}, as `{' '.join(['8 0'] * len(unknown))}`"
        return PreparedOrder(findings=(impossible(fault),))
    said = {one.ship: one for one in told}

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for one in said.values() if of_now else ():
            record_inches(battle, battle.ships[one.ship], one.inches, one.turns, builder)
            builder.record(one.ship, "turned", one.turns)
            record_manner(builder, builder.ship(one.ship), turns=one.turns)
        moves = [(known | said)[id] for id in owed.texts("ships")]
        text = ", ".join(f"{battle.ships[one.ship].name} {as_moved(battle, one)}" for one in said.values())
        builder.because(text, "GQ2-MV-6")
        owe_dice(builder, owed.text("division"), moves, owed.number("turn"), owed.entry)

    findings = (
        finding
        for one in (said.values() if of_now and battle.phase == MOVEMENT else ())
        for finding in out_of_reach(battle, battle.ships[one.ship], one.inches, one.turns)
    )
    return PreparedOrder(findings=tuple(findings), decide=decide)


def plain_moves(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """What ships have moved as far as anybody knows: all their speed allows, straight ahead."""
    known = _moves_known(battle, owed)
    unknown = (battle.ships[id] for id in owed.texts("ships") if id not in known)
    return tuple(word for ship in unknown for word in (decimal(speed(battle, ship)), "0"))


def _told(battle: Battle, ships: Sequence[Ship], words: tuple[str, ...]) -> list[Moved]:
    """Inches and points, ship by ship; OrderRefused for words that do not say them."""
    form = Form(MOVES, "", "", tuple(slot for ship in ships for slot in _slots(battle, ship)))
    said = read_words(words, form, battle)
    return [
        Moved(ship.id, inches(battle, said.slots[far.name]), said.number(points.name) or 0)
        for ship in ships
        for far, points in (_slots(battle, ship),)
    ]


def _slots(battle: Battle, ship: Ship) -> tuple[Slot, Slot]:
    """Where the inches and the points of a ship stand in an answer."""
    far, points = (slot for slot in WANDER.slots if slot.name in ("inches", "points"))
    return (
        evolve(far, name=f"{ship.id} inches", unit=unit(battle), known=None),
        evolve(points, name=f"{ship.id} points", known=None),
    )


def prepare_wander(battle: Battle, order: Order) -> PreparedOrder:
    """`wander`: a ship's wander check that nobody asked for, declared or with its dice."""
    ship = battle.ships[order.text("ship")]
    found = [*of_phase(battle, WANDER), *out_of_action(battle, ship)]
    if battle.done(WANDER.word, ship.id):
        found.append(refused(f"{ship.name} has checked this turn: amend that entry instead", "GQ2-MV-6"))
    if ship.id in _asked(battle):
        found.append(refused(f"the wander check of {ship.name} is owed: `roll`", "GQ2-MV-6"))
    return evolve(
        wander(battle, order),
        findings=tuple(found),
        declare=lambda builder: builder.remember(WANDER.word, ship.id),
        reminders=_against_record(battle, ship, order),
    )


def _against_record(battle: Battle, ship: Ship, order: Order) -> tuple[str, ...]:
    """What a ship's `move` says, where the check says otherwise."""
    if ship.log.get("moved") is None:
        return ()
    made = recorded(ship)
    given = inches(battle, order.slots["inches"]), order.number("points") or 0
    if given == (made.inches, made.points):
        return ()
    return (f"recorded is otherwise: {as_moved(battle, made)} (four for 45°)",)
