"""One ship on a page of her own: her card and log as printed, and why each box is as it is."""

from collections.abc import Iterator

from attrs import evolve

from qf_tui.board.tellings import known_of, telling
from qf_tui.board.values import Because, BoardSwitch, Known, LogCell, ShipView, known_to
from qf_tui.board.view import division_of, knows_owed, owing, seen_of
from qf_tui.core.decisions import fold
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Ship
from qf_tui.document.acts import chart_text, each_once, reason_text
from qf_tui.session.changes import Cause, causes, change_text


def ship_view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, id: str
) -> ShipView | None:
    """A ship as far as a viewer may know her, None where no such ship is in the battle that he knows."""
    known = known_to(system, timeline, viewer, switch)
    ship = known.battle.ships.get(id)
    if ship is None:
        return None
    side = known.battle.side(ship.side)
    seen = ShipView(ship.id, ship.name, side.name if side else ship.side, "", "", ship.status, False)
    if not known.whole(ship):
        return evolve(seen, seen=seen_of(known, ship))
    division, player = division_of(known.battle, ship)
    return evolve(
        seen,
        division=division,
        player=player,
        whole=True,
        sheet=tuple(system.sheet(known.battle, ship)),
        boxes=tuple(_boxes(known, ship)),
        owed=tuple(
            owing(known, one) for one in known.battle.owed if one.ship == id and knows_owed(known, one)
        ),
    )


def _boxes(known: Known, ship: Ship) -> Iterator[LogCell]:
    columns = [
        (column, causes(known.system, known.timeline, ship, column)) for column in known.system.columns
    ]
    every = {cause.number: cause for _, found in columns for cause in found}
    # In the order of play each battle is folded from the one before.
    told = {number: _because(known, every[number]) for number in known.timeline.play_order if number in every}
    for column, found in columns:
        cell = known.system.cell(known.battle, ship, column)
        because = (evolve(told[cause.number], changes=tuple(_changes(known, ship, cause))) for cause in found)
        yield LogCell(column.title, column.help, cell, tuple(because))


def _because(known: Known, cause: Cause) -> Because:
    """An entry as it is told to the viewer, with the reasons where he knows them, yet without changes."""
    after = fold(cause.before, cause.ruling.decision.effects, cause.number)
    told = telling(known, cause.number, cause.before, after)
    whole = known.all_sides or bool(told and told.why)
    reasons = cause.ruling.decision.reasons if whole else ()
    clauses = dict.fromkeys(reason.clause for reason in reasons if reason.clause)
    lines = (
        " · ".join(part for part in (f"{reason_text(one)}{times}", chart_text(one)) if part)
        for one, times in each_once(reasons)
    )
    texts = known.system.clauses
    return Because(
        turn=cause.before.turn,
        phase=find_phase(known.system, cause.before.phase).title,
        changes=(),
        order=told.order if told else "",
        dice=told.dice if told else (),
        call=told.call if told else "",
        reasons=tuple(lines),
        clauses=tuple((clause, texts.get(clause, "")) for clause in clauses),
        number=cause.number if known.at_once else 0,
    )


def _changes(known: Known, ship: Ship, cause: Cause) -> Iterator[str]:
    for one in known_of(known, cause.before, cause.changes):
        whose = "" if one.ship == ship.id else f"{cause.before.ships[one.ship].name}, "
        yield f"{whose}{change_text(known.system, one, ': ')}"
