"""`view`: the one projection of a battle that decides what a viewer may know; pages are made of it alone."""

from collections.abc import Iterator

from attrs import evolve

from qf_tui.board.tellings import last_telling, tellings
from qf_tui.board.values import (
    ALL,
    BoardSwitch,
    Head,
    Known,
    LogRow,
    Owing,
    Sealing,
    SideLogs,
    View,
    known_to,
)
from qf_tui.core.availability import who_may_act
from qf_tui.core.decisions import field_value
from qf_tui.core.errors import QfError
from qf_tui.core.schedule import SCHEDULE, standings
from qf_tui.core.system import Available, Field, RuleSystem
from qf_tui.core.text import value_text
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Owed, Ship, dice_code
from qf_tui.document.acts import addressed, ended_text, notes
from qf_tui.session.dice import revealed_by
from qf_tui.session.session import to_throw

NOT_SEALED = Sealing()
REMARKS_MOST = 12
"""Remarks that are shown, the latest."""


def view(
    system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch, sealing: Sealing = NOT_SEALED
) -> View:
    """All that a viewer may know: `viewer` is the id of a side or `ALL`.

    `sealing` are the sealed dice as the battle began with them; once the seed is revealed no call throws.

    Two battles that differ only in what the viewer may not know have equal views.
    """
    known = known_to(system, timeline, viewer, switch)
    battle = known.battle
    side = battle.side(viewer)
    told = tellings(known)
    names = [phase.name for phase in system.phases]
    return View(
        title=str(battle.table.get("title") or system.title),
        viewer=viewer,
        name=side.name if side else "",
        switch=switch,
        as_of=system.phase_title(battle) if known.ended else "",
        turn=battle.turn,
        phase=system.phase_title(battle),
        phases=tuple(phase.title for phase in system.phases),
        at=names.index(battle.phase),
        heads=tuple(Head(one.name, one.title, one.help, one.rank, one.right) for one in system.columns),
        fleets=tuple(_fleets(known)),
        owed=tuple(owing(known, one) for one in battle.owed if knows_owed(known, one)),
        last=last_telling(known, told),
        tellings=told,
        remarks=_remarks(known),
        standings=standings(battle),
        ended=ended_text(system, battle),
        report=_may_be_retold(known),
        sealing=evolve(sealing, calls=sealing.calls and not _revealed(known)),
    )


def retold(system: RuleSystem, timeline: Timeline, viewer: str, switch: BoardSwitch) -> Timeline:
    """The battle that a viewer's report is told of: what he may know of it.

    QfError while he has no report: there is one while all is shown at once, and once the battle is over.
    """
    known = known_to(system, timeline, viewer, switch)
    if not _may_be_retold(known):
        raise QfError("there is a report once the battle is over")
    return known.timeline


def _may_be_retold(known: Known) -> bool:
    return known.at_once or bool(ended_text(known.system, known.battle))


def _revealed(known: Known) -> bool:
    """Whether the seed is known to have been revealed, by an entry in force or not."""
    acts = known.timeline.log
    return (
        revealed_by(act for act in acts if not known.ended or act.number in known.timeline.versions)
        is not None
    )


def _fleets(known: Known) -> Iterator[SideLogs]:
    battle = known.battle
    may = {one.ship: one for one in who_may_act(known.system, battle)} if not known.ended else {}
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        rows = tuple(_row(known, ship, may.get(ship.id)) for ship in ships)
        yield SideLogs(side.id, side.name, side.id == known.viewer, rows)


def _row(known: Known, ship: Ship, may: Available | None) -> LogRow:
    seen = seen_of(known, ship)
    if not known.whole(ship):
        return LogRow(ship.id, ship.name, "", "", ship.status, ship.afloat, whole=False, seen=seen)
    division, player = division_of(known.battle, ship)
    return LogRow(
        ship.id,
        ship.name,
        division,
        player,
        ship.status,
        ship.afloat,
        whole=True,
        cells=tuple(known.system.cell(known.battle, ship, column) for column in known.system.columns),
        seen=seen,
        may=(may.letters or may.what) if may else "",
        may_say=_may_say(known.system, may) if may else "",
    )


def _may_say(system: RuleSystem, may: Available) -> str:
    """What a ship may still do in words, as far as its letters have some each."""
    words = [system.letters.get(letter, "") for letter in may.letters]
    return ", ".join(words) if words and all(words) else may.what


def division_of(battle: Battle, ship: Ship) -> tuple[str, str]:
    """The name of a ship's division, and who plays it."""
    side = battle.side(ship.side)
    found = next((one for one in (side.divisions if side else ()) if one.id == ship.division), None)
    return (found.name, found.player) if found else ("", "")


def seen_of(known: Known, ship: Ship) -> tuple[str, ...]:
    """What the model of a ship shows, in words: `fires 2`, `direction hits 45 left`."""
    words = (_seen_text(known.battle, ship, field) for field in known.system.fields if field.seen)
    return (*(() if ship.afloat else (ship.status,)), *(text for text in words if text))


def _seen_text(battle: Battle, ship: Ship, field: Field) -> str:
    if field.seen_as is not None:
        return field.seen_as(battle, ship)
    value = field.shown(field_value(ship, field.name))
    if value in (None, False, 0, (), ""):
        return ""
    if value is True:
        return field.title
    if isinstance(value, tuple):
        value = tuple(battle.called(one) if one in battle.ships else one for one in value)
    return f"{field.title} {value_text(value)}"


def knows_owed(known: Known, owed: Owed) -> bool:
    """Whether a viewer knows of what is owed; what the schedule brings is known as it comes."""
    if owed.line == SCHEDULE:
        return False
    return known.all_sides or known.whole(known.battle.ships.get(owed.ship))


def owing(known: Known, owed: Owed) -> Owing:
    """What is owed; what its dice need is known where the logs of all sides are."""
    needs = to_throw(known.system, known.battle, owed) if known.at_once else ()
    dice = dice_code(owed.dice) if owed.dice else " or ".join(owed.words)
    return Owing(owed.ship, owed.prompt, dice, tuple(map(str, needs)))


def _remarks(known: Known) -> tuple[str, ...]:
    """The remarks that name the viewer or all; any other is the umpire's own."""
    found = (addressed(known.battle, text) for _, text in notes(known.timeline, known.timeline.play_order))
    own = [one.text for one in found if one is not None and one.side in (ALL, known.viewer)]
    return tuple(own[-REMARKS_MOST:])
