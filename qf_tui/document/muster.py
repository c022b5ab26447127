"""Texts for people before a battle: a ship's card, the ships of each side, the conditions of a scenario."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from qf_tui.core.crews import describe_rules
from qf_tui.core.declarations import FieldSpec
from qf_tui.core.schedule import list_coming, list_standings
from qf_tui.core.ship_facts import ATTESTED, HULL, ORIGIN, list_attested_fields
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, format_count
from qf_tui.core.values import Battle, Ship
from qf_tui.document.glance import format_crew
from qf_tui.library.declared import Card
from qf_tui.library.other_rules import format_left_out

NONE = "–"
ATTESTED_SIGN = "*"
"""Mark for a value that the rules themselves state."""
_UNSEEN = ("name", "kind", "id", "notes", ORIGIN, ATTESTED, HULL)


def list_column_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a card that get a column in tables, in the order of their declaration.

    Other fields have none: names, notes, facts about the card itself such as its origin, and what a fleet
    file may give for all its ships.
    """
    return tuple(
        field
        for field in system.card
        if field.name not in _UNSEEN and field.kind != "notes" and not field.of_fleet
    )


def format_field_title(field: FieldSpec) -> str:
    """Return the title of a field's column."""
    return field.name.replace("_", " ")


def format_field_value(field: FieldSpec, card: Card, attested: tuple[str, ...]) -> str:
    """Format a card's value of one field, its parts with `/` between; a dash if the card has none.

    Args:
        attested: Names of attested values, which get a mark.
    """
    if field.kind not in ("numbers", "table"):
        return _format_plain(card.get(field.name)) + ATTESTED_SIGN * (field.name in attested)
    names = [f"{field.name}.{part.name}" for part in field.parts]
    if all(card.get(name) is None for name in names):
        return NONE
    return "/".join(_format_plain(card.get(name)) + ATTESTED_SIGN * (name in attested) for name in names)


def _format_plain(value: object) -> str:
    """Format one value of a card; a dash if the card has none."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def format_card(system: RuleSystem, card: Card) -> str:
    """Format a whole card in one text: its fields, the origin of its values, and its crew.

    Fields without a value are left out. A field that is yes or no is only named, and left out if it is no.
    """
    attested = list_attested_fields(card)
    texts = []
    for field in list_column_fields(system):
        value = format_field_value(field, card, attested)
        if value == NONE:
            continue
        if field.kind == "tables" and value != "0":
            rows = []
            for number in range(1, int(card.get(field.name) or 0) + 1):
                cells = (card.get(f"{field.name}.{number}.{part.name}") for part in field.parts)
                rows.append(" ".join(_format_plain(cell) for cell in cells if cell is not None))
            value = f"{value} ({'; '.join(rows)})"
        if field.kind != "bool":
            texts.append(f"{format_field_title(field)} {value}")
        elif card.get(field.name):
            # Without its "yes", the value is at most the sign for an attested value.
            texts.append(f"{format_field_title(field)}{value.removeprefix('yes')}")
    values = f"values {card.get(ORIGIN) or 'unknown'}"
    return " · ".join(filter(None, (*texts, values, format_crew(system, card))))


def format_ship(system: RuleSystem, card: Card) -> str:
    """Format a ship in one text: name, card and notes."""
    notes = f" · {card['notes']}" if card.get("notes") else ""
    return f"{card['name']}: {format_card(system, card)}{notes}"


def list_changed_switches(system: RuleSystem, options: Mapping[str, Scalar]) -> list[str]:
    """List the switches that are not at their defaults, each with its clause and meaning."""
    return [
        f"{switch.name} = {options[switch.name]} (default {switch.default}; {switch.clause}: {switch.text})"
        for switch in system.options
        if switch.name in options and options[switch.name] != switch.default
    ]


def group_by_division(battle: Battle) -> Iterable[tuple[str, Sequence[tuple[str, Sequence[Ship]]]]]:
    """Yield each side as a text with its divisions, and each division as a text with its ships.

    Divisions without ships are left out. The text of a division that arrives later names the turn.
    """
    turns = {id: due.turn for due in battle.plan.schedule for id in due.ships}
    coming_ships = [battle.reserve[id] for id in turns if id in battle.reserve]
    for side in battle.sides:
        ships = [ship for ship in (*battle.ships.values(), *coming_ships) if ship.side == side.id]
        divisions = []
        for division in side.divisions:
            division_ships = [ship for ship in ships if ship.division == division.id]
            player = f" · {division.player}" if division.player else ""
            if division_ships:
                # A division arrives as a whole.
                turn = turns.get(division_ships[0].id)
                arrival_text = f" · arrives on turn {turn}" if turn else ""
                divisions.append((f"{division.name}{player}{arrival_text}", division_ships))
        yield f"{side.name}: {format_ship_count(battle, side.id)}", divisions


def format_ship_count(battle: Battle, side: str = "") -> str:
    """Format the number of ships of a side, or of all: `35 ships, 58 later`."""
    later_ships = [battle.reserve[id] for id in battle.plan.arriving_ids if id in battle.reserve]
    # "" counts the ships of all sides.
    present_count, later_count = (
        sum(side in ("", ship.side) for ship in ships) for ships in (battle.ships.values(), later_ships)
    )
    later_text = f", {later_count} later" if later_count else ""
    return f"{format_count(present_count, 'ship')}{later_text}"


def list_side_counts(battle: Battle) -> tuple[str, ...]:
    """List the number of ships of each side: `Japan 4 ships, 2 later`."""
    return tuple(f"{side.name} {format_ship_count(battle, side.id)}" for side in battle.sides)


def format_afloat(battle: Battle) -> str:
    """Format how many ships of each side are afloat, and how many rolls are owed."""
    sides = []
    for side in battle.sides:
        afloat = [ship.afloat for ship in battle.ships.values() if ship.side == side.id]
        sides.append(f"{side.name} {sum(afloat)} of {len(afloat)}")
    owed = f" · owed {len(battle.owed)}" if battle.owed else ""
    return f"afloat: {', '.join(sides)}{owed}"


def format_table_conditions(system: RuleSystem, battle: Battle, chart: str) -> str:
    """Format the table of a scenario in one line, with the umpire's own chart, if `chart` names one."""
    table = battle.table
    dice_kind = table.get("dice")
    dice = f"dice of the {dice_kind}" if dice_kind in ("table", "console") else f"{dice_kind} dice"
    conditions = (format_condition(field, table.get(field.name)) for field in system.conditions)
    usual_chart = "the umpire's own" if system.read_by_hand else "ours"
    charts = f"chart: {chart} laid over ours" if chart else f"chart: {usual_chart}"
    rules = f"{describe_rules(system, battle)} · {dice}"
    return " · ".join((rules, *filter(None, conditions), charts))


def format_condition(field: FieldSpec, value: Scalar) -> str:
    """Format a condition of the table, or return "" if it is not set, that is None, "", False or 0."""
    if value in (None, "", False):
        return ""
    return f"{field.name}: {field.label}" if value is True else f"{field.name} {value}"


def list_rules_notes(
    system: RuleSystem, left_out: Iterable[str], reasons_by_rules: Mapping[str, str]
) -> Iterator[str]:
    """Yield what the chosen rules leave out of a scenario, and whether these or other rules suit it.

    Args:
        reasons_by_rules: Rule systems that suit the scenario, each with the reason.
    """
    if text := format_left_out(system, left_out):
        yield text
    if reason := reasons_by_rules.get(system.name):
        yield f"suits it: {reason}"
    elif reasons_by_rules:
        better_rules = ", ".join(f"{name} ({reason})" for name, reason in reasons_by_rules.items())
        yield f"! suits other rules better: {better_rules}"


def get_side_notes(battle: Battle, side: str) -> str:
    """Return the scenario's notes for the players of a side, or ""."""
    return str(battle.table.get(f"notes.{side}") or "")


def list_plan_texts(battle: Battle) -> Mapping[str, Sequence[str]]:
    """Return a scenario's texts on weather, arrivals, victory and notes, by heading, without empty ones."""
    weather, notes = (str(battle.table.get(key) or "") for key in ("weather", "notes"))
    texts = {"Weather": (weather,), "Later": list_coming(battle), "Victory": list_standings(battle)}
    texts |= {"Notes": (notes,)}
    texts |= {f"Notes for {side.name}": (get_side_notes(battle, side.id),) for side in battle.sides}
    return {title: lines for title, lines in texts.items() if any(lines)}
