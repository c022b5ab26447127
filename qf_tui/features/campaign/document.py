"""Battles that lead to battles, in words: what came out of them, and the state of a whole campaign."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve

from qf_tui.core.declarations import of_parts
from qf_tui.core.system import Column, RuleSystem, field_title, find_field
from qf_tui.core.text import identifier, several
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import phase_text, remarks_section
from qf_tui.document.muster import afloat_text
from qf_tui.document.text import NOTHING
from qf_tui.document.transcript import why_document
from qf_tui.document.values import (
    Document,
    Line,
    Row,
    Section,
    Tone,
    table_blocks,
    text_line,
    word_columns,
)
from qf_tui.features.campaign.carrying import Passage
from qf_tui.features.campaign.folder import Campaign, SavedBattle, find_parent
from qf_tui.features.campaign.state import (
    CarriedMismatch,
    Lasting,
    origin_of,
    parents_of,
    returns,
    state_of,
    whole_state,
)
from qf_tui.hooks import ScenarioNote
from qf_tui.library.systems import find_systems

WHOLE = "whole"
_SHIP = word_columns("ship", "side", "mended", "begins")


def lasting_text(system: RuleSystem, name: str, value: Lasting) -> str:
    """What lasts of a ship in words: `S hits 2`, `direction hits 45 left`; "" for no marks."""
    title = field_title(system, name)
    if isinstance(value, tuple):
        texts = ", ".join(text for text in value if text)
        return f"{title} {texts or len(value)}" if value else ""
    field = find_field(system, name)
    shown = field.shown(value) if field else value
    return f"{title} {'none' if shown is None else shown}"


def state_text(system: RuleSystem, battle: Battle, ship: Ship) -> str:
    """What of a ship is not as her card has it: `heavy ROF 5 of 8, S hits 2`; or that she is whole."""
    now, whole = state_of(system, ship), whole_state(system, battle, ship)
    changed = (_gap_text(system, name, value, whole.get(name)) for name, value in now.items())
    return ", ".join(filter(None, changed)) or WHOLE


def _gap_text(system: RuleSystem, name: str, value: Lasting, whole: Lasting) -> str:
    field = find_field(system, name)
    # What is no field of hers the rules only remember.
    if value == whole or field is None:
        return ""
    text = lasting_text(system, name, value)
    printed = whole if isinstance(whole, tuple) else field.shown(whole)
    return f"{text} of {printed}" if type(whole) is int and whole else text


def note_damage(system: RuleSystem, battle: Battle) -> ScenarioNote:
    """Describe the ships that come damaged from the battles before this one."""
    names = ", ".join(parent.title or parent.save for parent in parents_of(battle))
    states = (
        (ship, state_text(system, battle, ship))
        for ship in (*battle.ships.values(), *battle.coming)
        if origin_of(battle, ship.id) is not None
    )
    damaged = tuple(f"{ship.name}: {state}" for ship, state in states if state != WHOLE)
    return ScenarioNote("damage", f"Damaged in {names}", damaged or ("no ship",))


def mended_text(system: RuleSystem, name: str, by: int) -> str:
    """What was mended, as people count it: `heavy ROF +2`, `hull boxes lost −1.5`."""
    field = find_field(system, name)
    points = abs(by) if field is None else of_parts(abs(by), field.denominator)
    return f"{field_title(system, name)} {'−' if by < 0 else '+'}{points}"


def passage_document(system: RuleSystem, passage: Passage) -> Document:
    """What came out of battles into the next: who sails, what was mended and what was not, who does not.

    Ships that were whole are only counted.
    """
    scenario, rows = passage.composed.scenario, []
    sides = {identifier(side["name"]): side["name"] for side in scenario["side"]}
    for one in passage.ships:
        moved = ", ".join(mended_text(system, name, by) for name, by in sorted(one.mended.items()))
        still = (_gap_text(system, name, value, one.whole.get(name)) for name, value in one.begins.items())
        damage = ", ".join(filter(None, still))
        if moved or damage:
            texts = moved or NOTHING, damage or WHOLE
            rows.append(Row((one.ship.name, sides.get(one.ship.side, ""), *texts)))
    ships, days = several(len(passage.ships), "ship"), several(passage.days, "day")
    lines = [text_line(f"{ships} after {days} {passage.yard.title}", tone=Tone.STRONG)]
    lines += (text_line(f"{one.name} is {one.status} and out of it, with her crew") for one in passage.lost)
    lines += (text_line(f"{one.name} is ashore and stays there") for one in passage.ashore)
    if passage.owed:
        owed = f"{several(passage.owed, 'roll')} still owed when it ended"
        lines.append(text_line(f"{owed}: what they would do is not in this", tone=Tone.WARNING))
    if len(rows) < len(passage.ships):
        lines.append(text_line(f"{several(len(passage.ships) - len(rows), 'ship')} whole as before"))
    return Document(str(scenario["title"]), (*lines, *table_blocks(_SHIP, rows)))


def campaign_document(campaign: Campaign) -> Document:
    """A campaign: what no longer fits, its calendar, the squadrons with every ship, the remarks."""
    remarks = (
        text_line(f"{saved.title}: {line.text}")
        for saved in campaign.battles
        for line in remarks_section(saved.timeline).lines
    )
    misfits = (text_line(text, tone=Tone.WARNING) for text in _misfit_texts(campaign))
    sections = (
        Section("What no longer fits", tuple(misfits), "fits"),
        Section("Calendar", table_blocks(_CALENDAR, map(_calendar, campaign.battles)), "calendar"),
        *_squadrons(campaign),
        Section("Remarks", tuple(remarks), "remarks"),
    )
    title = f"Campaign {campaign.folder.resolve().name} · {several(len(campaign.battles), 'battle')}"
    return folder_document(title, (), sections, campaign.faulty)


def folder_document(
    title: str, lead: Sequence[str], sections: Sequence[Section], faulty: Sequence[tuple[str, str]]
) -> Document:
    """Build what is read out of a folder of saves, without empty parts; faulty saves come last."""
    unread = tuple(text_line(f"{name}: {text}", tone=Tone.WARNING) for name, text in faulty)
    every = (*sections, Section("Saves that cannot be read", unread, "faulty"))
    blocks = tuple(section for section in every if section.blocks)
    lines = (text_line(text, tone=Tone.QUIET) for text in lead)
    return Document(title, (*lines, *blocks) if blocks else (text_line("There are no saves here."),))


_CALENDAR = word_columns("date", "battle", "save", "goes on from", "it stands at", "afloat")


def _calendar(saved: SavedBattle) -> Row:
    before = ", ".join(parent.save for parent in parents_of(saved.timeline.start)) or "–"
    stands = phase_text(saved.system, saved.battle), afloat_text(saved.battle).removeprefix("afloat: ")
    return Row((saved.date or "–", saved.title, saved.save, before, *stands))


def _misfit_texts(campaign: Campaign) -> Iterator[str]:
    """What no longer fits, of each battle and a parent of it, ship by ship."""
    for fit in campaign.fits():
        battle, there = fit.battle, fit.there
        if there is None:
            yield f"{battle.title} goes on from {fit.parent.save}, which is not in this folder"
        elif there.system.name != battle.system.name:
            yield f"{battle.title} goes on from {fit.parent.save}, which is played by other rules"
        else:
            yield from (_misfit(battle.system, battle.title, there.title, one) for one in fit.misfits)


def _misfit(system: RuleSystem, begins: str, ends: str, misfit: CarriedMismatch) -> str:
    """What each of two battles has of a ship."""
    if misfit.field:
        none = f"{field_title(system, misfit.field)} none"
        there, here = (
            lasting_text(system, misfit.field, value) or none for value in (misfit.ends, misfit.begins)
        )
        return f"{misfit.name}: {ends} now ends with {there}; {begins} took over {here}"
    if misfit.begins:
        fate = f"is now {misfit.ends} at the end of {ends}" if misfit.ends else f"is not in {ends} any more"
        return f"{misfit.name} {fate}, and sails in {begins}"
    return f"{misfit.name} now comes out of {ends}, and {begins} counts her as lost"


def _squadrons(campaign: Campaign) -> Iterator[Section]:
    """A section for each side with all its ships, by division, as their last battle left them."""
    sides: dict[str, list[Row]] = {}
    for saved, ship in campaign.ships.values():
        battle = saved.battle
        # Where the rules do not say what lasts, nothing says that she is whole.
        told = saved.system.lasting and returns(saved.system, ship)
        state = state_text(saved.system, battle, ship) if told else ""
        division, status = battle.division_of(ship), "" if ship.afloat else ship.status
        row = (battle.called(ship.id), division.name, status, state, saved.date)
        sides.setdefault(battle.side_name(ship.side), []).append(Row(row))
    columns = word_columns("ship", "squadron", "status", "state", "date")
    for number, (side, rows) in enumerate(sides.items(), 1):
        rows.sort(key=lambda row: row.cells[1])
        yield Section(side, table_blocks(columns, rows), f"side-{number}")


def why_lines(start: Battle, ship: str, column: Column | None, save: Path | None) -> Iterator[Line]:
    """Why a ship began a battle as she did: what was mended, and the entries of the battles before it.

    `save` is that of the battle, beside which its parents are looked for.
    """
    origin = origin_of(start, ship)
    if origin is None:
        return
    parent = parents_of(start)[origin.parent]
    there = find_parent(parent, save, find_systems())
    text = f"She came as {parent.title} left her ({parent.save}, {parent.date or 'no date'})"
    yield text_line(text, tone=Tone.STRONG)
    if there is None:
        yield text_line(f"{parent.save} is not found: put it beside this save", tone=Tone.WARNING)
        return
    for name, by in origin.mended.items():
        if column is None or name in column.fields:
            text = f"mended since: {mended_text(there.system, name, by)}"
            yield text_line(text, tone=Tone.CHANGED, indent=2)
    before = there.battle.ships.get(ship)
    if before is not None:
        why = why_document(there.system, there.timeline, before, column, there.path)
        # The numbers of its entries are those of another log: no key leads to them from here.
        for line in why.lines:
            yield Line(tuple(evolve(span, entry=0) for span in line.spans), line.indent)
