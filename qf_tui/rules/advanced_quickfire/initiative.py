"""Initiative in Advanced Quickfire: the throw in the movement phase that decides which side moves first.

Rule: AQF-PH-5.
"""

from collections.abc import Iterable

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.values import Battle, Die, Faces, Order, Owed
from qf_tui.rules.advanced_quickfire.clauses import read_option

LINE = "initiative"
RANKS = "ranks"
"""The fact that holds the sides from the first to move to the last. Sides that tie share one text."""
_ORDER = "moves_first"
"""The key of the table that holds the order of the sides. Old saves may name the first side alone."""
_CLAUSE = "AQF-PH-5"
_SWITCH = " (switch initiative)"


def list_sides_in_order(battle: Battle) -> tuple[str, ...]:
    """Return the sides in the order of their moves; () if all move at once or the order is not thrown yet."""
    switch = read_option(battle, "initiative")
    order = battle.table.get(_ORDER)
    # Under `each-turn` an order of an earlier turn no longer counts.
    is_order_known = switch == "once" or (switch == "each-turn" and battle.list_turn_acts(LINE, ""))
    return tuple(str(order).split()) if is_order_known and order else ()


def has_initiative(battle: Battle) -> bool:
    """Return whether sides move one after the other, in an order that dice give."""
    return read_option(battle, "initiative") != "simultaneous"


def format_order_of_sides(battle: Battle) -> str:
    """Format the order of moves as `Red, then Blue`; "" if there is none."""
    return ", then ".join(battle.find_side_name(side) for side in list_sides_in_order(battle))


def _list_sides_to_throw(battle: Battle) -> tuple[str, ...]:
    """Return the sides with a ship afloat if they must still throw for the order of moves; () if not."""
    if not has_initiative(battle) or list_sides_in_order(battle):
        return ()
    afloat = {ship.side for ship in battle.ships.values() if ship.afloat}
    sides = tuple(side.id for side in battle.sides if side.id in afloat)
    return sides if len(sides) > 1 else ()


def list_order_findings(battle: Battle, side: str) -> tuple[Finding, ...]:
    """Return the findings against a move of a side at this time.

    A move is refused while the throw is owed, after a later side has begun, or before an earlier one has.
    """
    if _list_sides_to_throw(battle):
        return (refused("roll for initiative before ships move (`roll`)", _CLAUSE),)
    order = list_sides_in_order(battle)
    side_name = battle.find_side_name(side)
    if side not in order:
        return ()
    place = order.index(side)
    sides_begun = {other.side for other in battle.ships.values() if other.log.get("moved") is not None}
    for later in order[place + 1 :]:
        if later in sides_begun:
            text = (
                f"{side_name} moves before {battle.find_side_name(later)}, which has begun to move{_SWITCH}"
            )
            return (refused(text, _CLAUSE),)
    sides_able = {other.side for other in battle.ships.values() if other.afloat and not other.is_land_battery}
    for earlier in order[:place]:
        if earlier in sides_able - sides_begun:
            earlier_name = battle.find_side_name(earlier)
            text = f"{side_name} moves after {earlier_name}, which has moved no ship yet{_SWITCH}"
            return (refused(text, "AQF-PH-10"),)
    return ()


def owe_throw(builder: DecisionBuilder) -> None:
    """Owe the throw for initiative, unless it is not needed or owed already."""
    sides = _list_sides_to_throw(builder.battle)
    if sides and not _find_owed_throw(builder.battle):
        # Before their first throw all sides share one rank.
        _owe_dice(builder, (" ".join(sides),))


def _find_owed_throw(battle: Battle) -> Owed | None:
    """Return the owed throw for initiative, or None."""
    return next((owed for owed in battle.owed if owed.line == LINE), None)


def _owe_dice(builder: DecisionBuilder, ranks: tuple[str, ...], *, again: bool = False) -> None:
    """Owe a die for each side that shares its rank with another.

    Args:
        ranks: Sides of each rank, from the first to move; sides that share a rank are one text.
        again: True if these sides have thrown before.
    """
    tied = _list_tied(ranks)
    names = ", ".join(builder.battle.find_side_name(side) for side in tied)
    prompt = f"initiative{' again' if again else ''}: {names}"
    dice = (Die(12, builder.battle.find_side_name(side)) for side in tied)
    builder.owe(LINE, "", prompt, *dice, facts={RANKS: ranks})


def _list_tied(ranks: Iterable[str]) -> list[str]:
    """Return the sides that share their rank with another, rank by rank."""
    return [side for rank in ranks if " " in rank for side in rank.split()]


def prepare_throw(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the owed throw: a die for each side that shares a rank, in the order of the prompt's names.

    At first all sides share one rank; sides with equal dice throw again.

    Rule: AQF-PH-5.
    """
    ranks = owed.read_texts(RANKS)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _write_order(builder, ranks, dict(zip(_list_tied(ranks), faces, strict=True)))

    return PreparedOrder(dice=owed.dice, decide=decide, owes=LINE)


def _write_order(builder: DecisionBuilder, ranks: tuple[str, ...], face_by_side: dict[str, int]) -> None:
    """Write the order of moves that the dice give, or owe another throw for sides with equal dice.

    Args:
        ranks: Sides of each rank before these dice.
    """
    new_ranks = tuple(part for rank in ranks for part in _split_rank(rank, face_by_side))
    text = ", ".join(f"{builder.battle.find_side_name(side)} {face}" for side, face in face_by_side.items())
    if tied := _list_tied(new_ranks):
        names = ", ".join(builder.battle.find_side_name(side) for side in tied)
        builder.because(f"{names} throw again", _CLAUSE, roll=text)
        _owe_dice(builder, new_ranks, again=True)
        return
    # Without a tie each rank is one side.
    builder.write(Op.TABLE, "", _ORDER, " ".join(new_ranks))
    builder.remember(LINE, "", side=new_ranks[0])
    first_name, *other_names = (builder.battle.find_side_name(side) for side in new_ranks)
    builder.because(", then ".join((f"{first_name} moves first", *other_names)), _CLAUSE, roll=text)


def _split_rank(rank: str, face_by_side: dict[str, int]) -> list[str]:
    """Split a rank by the dice of its sides, the highest first. Sides with equal dice stay together.

    Args:
        rank: Ids of the sides that share the rank, separated by spaces.
    """
    sides = rank.split()
    if len(sides) == 1:
        return sides
    faces = sorted({face_by_side[side] for side in sides}, reverse=True)
    return [" ".join(side for side in sides if face_by_side[side] == face) for face in faces]


def prepare_initiative(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `initiative`: a die for each of two sides; the side with the higher die moves first.

    If the throw of these sides is owed, the order settles it.

    Rule: AQF-PH-5.
    """
    sides = order.text("side"), order.text("other")
    die = Die(12)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        # If no throw is owed, the two sides share one rank.
        ranks: tuple[str, ...] = (" ".join(sides),)
        if owed := _find_owed_throw(builder.battle):
            builder.settle(owed)
            ranks = owed.read_texts(RANKS)
        _write_order(builder, ranks, dict(zip(sides, faces, strict=True)))

    return PreparedOrder(
        findings=tuple(_list_findings(battle, order)), dice=(die, die), decide=decide, may_wait=False
    )


def _list_findings(battle: Battle, order: Order) -> list[Finding]:
    """Return the findings against the order `initiative`."""
    findings: list[Finding] = []
    named = {order.text("side"), order.text("other")}
    if len(named) == 1:
        findings.append(impossible("initiative: name two sides, each with its die"))
    if not has_initiative(battle):
        findings.append(refused("all ships move at once: `option initiative each-turn` first", _CLAUSE))
    if read_option(battle, "initiative") == "once" and list_sides_in_order(battle):
        findings.append(
            refused(f"initiative holds for the whole battle: {format_order_of_sides(battle)}", _CLAUSE)
        )
    if battle.list_turn_acts(LINE, ""):
        findings.append(refused("initiative was rolled this turn: amend that entry instead", _CLAUSE))
    if battle.phase != "movement":
        findings.append(refused("initiative is rolled in the movement phase only", _CLAUSE))
    owed = _find_owed_throw(battle)
    # If a throw is owed, the order must name exactly the sides that owe it; otherwise any two.
    must_throw = set(_list_tied(owed.read_texts(RANKS))) if owed else named
    if len(named) == 2 and named != must_throw:
        sides = ", ".join(side.name for side in battle.sides if side.id in must_throw)
        findings.append(impossible(f"initiative: {sides} throw a die each; enter them with `roll`"))
    return findings
