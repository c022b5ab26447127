"""Documents on a campaign: outcomes of battles, damage at the start of one, and all saves of a folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve

from qf_tui.core.declarations import convert_parts
from qf_tui.core.system import Column, RuleSystem, find_field, format_field_title
from qf_tui.core.text import format_count, make_id
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import format_phase
from qf_tui.document.muster import format_afloat
from qf_tui.document.text import NOTHING
from qf_tui.document.transcript import build_why_document
from qf_tui.document.values import (
    Document,
    Line,
    Row,
    Section,
    Tone,
    build_line,
    build_table_blocks,
    build_text_columns,
)
from qf_tui.features.campaign.carrying import Passage
from qf_tui.features.campaign.folder import Campaign, SavedBattle, find_named_battle, find_parent
from qf_tui.features.campaign.state import (
    CarriedMismatch,
    Lasting,
    find_misfits,
    find_origin,
    find_undamaged_state,
    is_returning,
    list_parents,
    read_state,
)
from qf_tui.features.report.document import build_remarks
from qf_tui.hooks import ScenarioNote
from qf_tui.library.systems import find_systems

WHOLE = "whole"
_SHIP = build_text_columns("ship", "side", "mended", "begins")


def format_lasting(system: RuleSystem, name: str, value: Lasting) -> str:
    """Format a value that lasts, as `S hits 2`; marks by their texts, as `direction hits 45 left`.

    Marks without texts are counted; "" if there are no marks.
    """
    title = format_field_title(system, name)
    if isinstance(value, tuple):
        texts = ", ".join(text for text in value if text)
        return f"{title} {texts or len(value)}" if value else ""
    field = find_field(system, name)
    shown_value = field.convert_value(value) if field else value
    return f"{title} {'none' if shown_value is None else shown_value}"


def format_state(system: RuleSystem, battle: Battle, ship: Ship) -> str:
    """Format what differs from an undamaged ship: `heavy ROF 5 of 8, S hits 2`; or `whole`."""
    state, undamaged = read_state(system, ship), find_undamaged_state(system, battle, ship)
    damaged_values = (
        _format_damaged_value(system, name, value, undamaged.get(name)) for name, value in state.items()
    )
    return ", ".join(filter(None, damaged_values)) or WHOLE


def _format_damaged_value(system: RuleSystem, name: str, value: Lasting, undamaged: Lasting) -> str:
    """Format a damaged value, as `heavy ROF 5 of 8`; "" if it is undamaged, or is no field."""
    field = find_field(system, name)
    # A value that is no field is only for the rules, not for people.
    if value == undamaged or field is None:
        return ""
    text = format_lasting(system, name, value)
    # A field that is 0 without damage counts up: “of 0” would say nothing.
    return f"{text} of {field.convert_value(undamaged)}" if type(undamaged) is int and undamaged else text


def note_damage(system: RuleSystem, battle: Battle) -> ScenarioNote:
    """Describe the ships that come damaged from the battles before this one."""
    names = ", ".join(parent.title or parent.save for parent in list_parents(battle))
    states = (
        (ship, format_state(system, battle, ship))
        for ship in (*battle.ships.values(), *battle.expected_ships)
        if find_origin(battle, ship.id) is not None
    )
    damaged = tuple(f"{ship.name}: {state}" for ship, state in states if state != WHOLE)
    return ScenarioNote("damage", f"Damaged in {names}", damaged or ("no ship",))


def format_mended(system: RuleSystem, name: str, change: int) -> str:
    """Format the change of a value by repairs as people count it: `heavy ROF +2`, `hull boxes lost −1.5`."""
    field = find_field(system, name)
    points = abs(change) if field is None else convert_parts(abs(change), field.denominator)
    return f"{format_field_title(system, name)} {'−' if change < 0 else '+'}{points}"


def build_passage_document(system: RuleSystem, passage: Passage) -> Document:
    """Describe the outcome of battles: the ships that sail again, their repairs and damage, and the losses.

    Ships that were and are undamaged are only counted.
    """
    scenario = passage.composed.scenario
    rows = []
    side_name_by_id = {make_id(side["name"]): side["name"] for side in scenario["side"]}
    for carried in passage.ships:
        repairs = ", ".join(
            format_mended(system, name, change) for name, change in sorted(carried.mended.items())
        )
        damaged_values = (
            _format_damaged_value(system, name, value, carried.undamaged.get(name))
            for name, value in carried.start_state.items()
        )
        damage = ", ".join(filter(None, damaged_values))
        if repairs or damage:
            texts = repairs or NOTHING, damage or WHOLE
            rows.append(Row((carried.ship.name, side_name_by_id.get(carried.ship.side, ""), *texts)))
    ships = format_count(len(passage.ships), "ship")
    days = format_count(passage.days, "day")
    lines = [build_line(f"{ships} after {days} {passage.yard.title}", tone=Tone.STRONG)]
    lines += (build_line(f"{ship.name} is {ship.status} and lost, with her crew") for ship in passage.lost)
    lines += (build_line(f"{ship.name} is ashore and stays there") for ship in passage.ashore)
    if passage.owed:
        owed = f"{format_count(passage.owed, 'roll')} still owed when it ended"
        lines.append(build_line(f"{owed}: their results are not in this", tone=Tone.WARNING))
    if len(rows) < len(passage.ships):
        lines.append(build_line(f"{format_count(len(passage.ships) - len(rows), 'ship')} undamaged"))
    return Document(str(scenario["title"]), (*lines, *build_table_blocks(_SHIP, rows)))


def build_campaign_document(campaign: Campaign) -> Document:
    """Describe a campaign: what no longer fits, the calendar, the squadrons, the remarks."""
    remarks = (
        build_line(f"{saved.title}: {line.text}")
        for saved in campaign.battles
        for line in build_remarks(saved.timeline).lines
    )
    misfits = (build_line(text, tone=Tone.WARNING) for text in _list_misfits(campaign))
    sections = (
        Section("What no longer fits", tuple(misfits), "fits"),
        Section(
            "Calendar", build_table_blocks(_CALENDAR, map(_build_calendar_row, campaign.battles)), "calendar"
        ),
        *_list_squadrons(campaign),
        Section("Remarks", tuple(remarks), "remarks"),
    )
    title = f"Campaign {campaign.folder.resolve().name} · {format_count(len(campaign.battles), 'battle')}"
    return build_folder_document(title, lead=(), sections=sections, faulty=campaign.faulty)


def build_folder_document(
    title: str, lead: Sequence[str], sections: Sequence[Section], faulty: Sequence[tuple[str, str]]
) -> Document:
    """Build the document of a folder of saves.

    It has the lines of `lead`, the sections that are not empty, and the faulty saves (name and fault). If
    there are neither sections nor faulty saves, it only says that there are no saves.
    """
    unread = tuple(build_line(f"{name}: {text}", tone=Tone.WARNING) for name, text in faulty)
    all_sections = (*sections, Section("Saves that cannot be read", unread, "faulty"))
    blocks = tuple(section for section in all_sections if section.blocks)
    lines = (build_line(text, tone=Tone.QUIET) for text in lead)
    return Document(title, (*lines, *blocks) if blocks else (build_line("There are no saves here."),))


_CALENDAR = build_text_columns("date", "battle", "save", "goes on from", "it stands at", "afloat")


def _build_calendar_row(saved: SavedBattle) -> Row:
    parents = ", ".join(parent.save for parent in list_parents(saved.timeline.start)) or "–"
    # The column's title says `afloat` already.
    state = format_phase(saved.system, saved.battle), format_afloat(saved.battle).removeprefix("afloat: ")
    return Row((saved.date or "–", saved.title, saved.save, parents, *state))


def _list_misfits(campaign: Campaign) -> Iterator[str]:
    """Yield a text for each way in which a battle no longer fits the present end of its parents.

    Parents that are not in the folder, or follow other rules, are also reported.
    """
    for saved in campaign.battles:
        system, start = saved.system, saved.timeline.start
        for number, parent in enumerate(list_parents(start)):
            parent_battle = find_named_battle(campaign.battles, parent)
            if parent_battle is None:
                yield f"{saved.title} goes on from {parent.save}, which is not in this folder"
            elif parent_battle.system.name != system.name:
                yield f"{saved.title} goes on from {parent.save}, which is played by other rules"
            else:
                for misfit in find_misfits(system, start, number, parent_battle.battle):
                    yield _format_misfit(system, saved.title, parent_battle.title, misfit)


def _format_misfit(system: RuleSystem, later: str, earlier: str, misfit: CarriedMismatch) -> str:
    """Format how two battles, named by their titles, disagree about a ship."""
    if misfit.field:
        none = f"{format_field_title(system, misfit.field)} none"
        earlier_value, later_value = (
            format_lasting(system, misfit.field, value) or none
            for value in (misfit.in_earlier, misfit.in_later)
        )
        return f"{misfit.name}: {earlier} now ends with {earlier_value}; {later} took over {later_value}"
    if misfit.in_later:
        fate = (
            f"is now {misfit.in_earlier} at the end of {earlier}"
            if misfit.in_earlier
            else f"is no longer in {earlier}"
        )
        return f"{misfit.name} {fate}, and sails in {later}"
    return f"{misfit.name} now survives {earlier}, but {later} counts her as lost"


def _list_squadrons(campaign: Campaign) -> Iterator[Section]:
    """Yield a section for each side: its ships by division, as their last battle left them."""
    sides: dict[str, list[Row]] = {}
    for saved, ship in campaign.ships.values():
        battle = saved.battle
        # A lost ship has no state. If the rules declare nothing that lasts, no ship has one.
        has_state = saved.system.lasting and is_returning(saved.system, ship)
        state = format_state(saved.system, battle, ship) if has_state else ""
        squadron = battle.find_division(ship).name
        status = "" if ship.afloat else ship.status
        row = (battle.called(ship.id), squadron, status, state, saved.date)
        sides.setdefault(battle.find_side_name(ship.side), []).append(Row(row))
    columns = build_text_columns("ship", "squadron", "status", "state", "date")
    for number, (side, rows) in enumerate(sides.items(), 1):
        rows.sort(key=lambda row: row.cells[1])  # by squadron
        yield Section(side, build_table_blocks(columns, rows), f"side-{number}")


def explain_start(start: Battle, ship: str, column: Column | None, save: Path | None) -> Iterator[Line]:
    """Explain how a ship began a battle: by her repairs, and by the entries of her battle before.

    Args:
        ship: Id of the ship; a ship that comes from no battle has no explanation.
        column: The column of values to explain, or None for all.
        save: The save of the battle, next to which its parents are searched, or None.
    """
    origin = find_origin(start, ship)
    if origin is None:
        return
    parent = list_parents(start)[origin.parent]
    parent_battle = find_parent(parent, save, find_systems())
    text = f"She came as {parent.title} left her ({parent.save}, {parent.date or 'no date'})"
    yield build_line(text, tone=Tone.STRONG)
    if parent_battle is None:
        yield build_line(f"{parent.save} is not found: put it next to this save", tone=Tone.WARNING)
        return
    for name, change in origin.mended.items():
        if column is None or name in column.fields:
            text = f"mended since: {format_mended(parent_battle.system, name, change)}"
            yield build_line(text, tone=Tone.CHANGED, indent=2)
    parent_ship = parent_battle.battle.ships.get(ship)
    if parent_ship is not None:
        why = build_why_document(
            parent_battle.system, parent_battle.timeline, parent_ship, column, parent_battle.path
        )
        # The entries are of another log: without their numbers no key leads to them from here.
        for line in why.lines:
            yield Line(tuple(evolve(span, entry=0) for span in line.spans), line.indent)
