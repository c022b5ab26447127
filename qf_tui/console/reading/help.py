"""Panels that can be searched: the help (keys, orders, rules of the battle) and the charts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from textual.content import Content

from qf_tui.console.reading.document_view import build_section_lines
from qf_tui.console.reading.lookup import GAP, Lookup, LookupLine, Rank, build_heading
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.action_table import list_actions, list_places
from qf_tui.console.widgets.actions import GRID, Action
from qf_tui.console.widgets.keys import KeyScreen
from qf_tui.console.widgets.panel import render_key_lines, render_term_line
from qf_tui.console.widgets.text import cut, fit, literal, measure_width, wrap_words
from qf_tui.core.builtin_forms import BUILTIN, CORRECTIONS
from qf_tui.core.declarations import find_scale
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.values import Battle, Chart, ChartCell, Form, Provenance
from qf_tui.document.acts import OWN, SIGNS
from qf_tui.document.glance import list_advice
from qf_tui.document.help import TOPICS, build_help_page
from qf_tui.document.words import RECONSTRUCTED

INDENT = "  "
WIDEST = 104
"""Greatest width inside a panel."""
FRAME = 6
"""Width of a panel's frame."""
STYLES = {Provenance.ATTESTED: "", Provenance.RECONSTRUCTED: "$text-warning", Provenance.OWN: "$text-success"}
LEGEND = (
    ("▸", "the ship under the cursor"),
    ("•", "still to act in this phase"),
    ("?", "it owes a roll or an answer"),
    ("/", "lost in this phase: it counts from the phase's end"),
    ("†", "depends on a chart cell that is not published: we reconstructed it"),
    ("✗", "refused: a rule (its clause in brackets), or impossible"),
    ("‼", "not recorded, or a warning about the save"),
    ("…", "cut off, as there is no room"),
    ("×", "in the history: struck"),
    ("‖", "in the history: parked, as a rule refuses it now"),
    ("◇", "in the history: dice no longer needed"),
    ("!", "in the history: disputed"),
    ("»", "in the history: forced"),
    ("~ +", "in the history: amended; inserted"),
    ("*", "on the logs of the history: the entry changed it"),
    ("✓", "in a volley: ready to be entered"),
    ("– ·", "in a volley: left out; barred"),
    ("=", "in a volley: entered already"),
    ("~", "before a range: estimated between two that were measured"),
    ("?", "after a range: from last turn, measure it again; after dice: unclear"),
)

KeysOf = Callable[[str], Mapping[str, Action]]
"""Returns the keys of a place with their actions."""


def show_help(
    screen: KeyScreen[Any], source: BattleSource, *, place: str = GRID, form: Form | None = None
) -> None:
    """Open the help of a battle.

    Args:
        place: Place whose keys come first.
        form: Order that is explained before the keys, or None.
    """
    lines = build_help_lines(source.system, source.battle, screen.find_keys, place)
    order_lines = [build_heading(form.title), *_build_order_lines((form,)), GAP] if form else []
    width = min(screen.size.width - FRAME, WIDEST)
    page_lines = (line for topic in TOPICS for line in build_section_lines(build_help_page(topic), width))
    screen.app.push_screen(Lookup("Help", [*order_lines, *lines, *page_lines]))


def build_help_lines(
    system: RuleSystem, battle: Battle, keys_of: KeysOf, place: str = GRID
) -> list[LookupLine]:
    """List all lines of the help except its pages, the keys of a place first.

    At the logs, the reminders of the phase come before the keys.
    """
    sections = {
        "In the palette, without a key": [
            _build_row(action.title, action.help)
            for action in list_actions()
            if action.palette and not action.keys
        ],
        "Signs": [
            *(_build_row(sign, text) for sign, text in LEGEND),
            *(
                _build_row(letter, f"may still act in this phase: {text}")
                for letter, text in system.letters.items()
            ),
        ],
        "Columns of the logs": [
            _build_row(column.title, column.help) for column in system.columns if column.help
        ],
        f"Orders of {system.title}": _build_order_lines(system.forms),
        "Orders in every battle": [
            *_build_order_lines(BUILTIN),
            _build_row("force ORDER", "enters an order that a rule refuses"),
        ],
        "Corrections": [
            *_build_order_lines(CORRECTIONS),
            _build_row("preview CORRECTION", "shows what a correction would change, and changes nothing"),
        ],
        "Switches": [
            _build_row(f"{switch.name} {'|'.join(switch.values)}", f"{switch.text} [{switch.clause}]")
            for switch in system.options
        ],
        "Clauses": [_build_row(clause, text, width=10) for clause, text in system.clauses.items()],
    }
    lines = _build_reminders(system, battle) if place == GRID else []
    battle_places = [battle_place.name for battle_place in list_places().values() if battle_place.battle]
    for place_name in dict.fromkeys((place, *battle_places)):
        title, *rest = render_key_lines(keys_of(place_name), list_places()[place_name].words)
        lines += [LookupLine(title, Rank.HEADING), *map(LookupLine, rest)]
    for name, rows in sections.items():
        lines += [GAP, build_heading(name), *rows]
    return lines


def _build_reminders(system: RuleSystem, battle: Battle) -> list[LookupLine]:
    """List the reminders of this phase, and the scenario's notes."""
    phase = find_phase(system, battle.phase)
    notes = str(battle.table.get("notes") or "").splitlines()
    lines = [
        build_heading(f"In this phase: {phase.title}"),
        *map(_build_item, list_advice(system, battle)),
        GAP,
    ]
    if notes:
        lines += [build_heading("Notes of the scenario"), *map(_build_item, notes), GAP]
    return lines


def _build_order_lines(forms: tuple[Form, ...]) -> list[LookupLine]:
    """Build the lines of orders: how each is typed and, if its form has a help text, that text."""
    lines = []
    for form in forms:
        lines.append(_build_item(form.usage))
        if form.help:
            lines.append(LookupLine(literal(f"      {form.help}", "$quiet"), Rank.BELOW))
    return lines


def _build_item(text: str) -> LookupLine:
    """Build an indented line of plain text."""
    return LookupLine(literal(f"{INDENT}{text}"))


def _build_row(term: str, meaning: str, width: int = 22) -> LookupLine:
    """Build a line of a term and its explanation."""
    return LookupLine(render_term_line(term, meaning, width))


def build_chart_lines(system: RuleSystem, battle: Battle, width: int) -> list[LookupLine]:
    """List the scale and all charts of a battle, in at most `width` cells."""
    room = width - len(INDENT)
    legend = f"{RECONSTRUCTED} reconstructed by us   {OWN} your own   rest: published"
    lines = [*(LookupLine(literal(line, "$quiet")) for line in wrap_words(legend, width)), GAP]
    scale = find_scale(system.scales, battle.table)
    if scale is not None and scale.figures:
        figures = "   ".join(f"{name} {figure}" for name, figure in scale.figures.items())
        lines.append(build_heading(cut(f"Scale {scale.name}, {scale.unit}", width)))
        lines += [*(_build_item(line) for line in wrap_words(figures, room)), GAP]
    for chart in battle.charts.values():
        lines.append(build_heading(cut(f"{chart.title}  [{chart.name}]", width)))
        lines += _list_chart_rows(chart, room)
        lines += [LookupLine(literal(f"{INDENT}{line}", "$quiet")) for line in wrap_words(chart.note, room)]
        lines.append(GAP)
    return lines


def _list_chart_rows(chart: Chart, room: int) -> Iterator[LookupLine]:
    """Yield the rows of a chart; if it is too wide, as several tables of fewer columns.

    A table leaves out rows without a cell in it.
    """
    rows = chart.rows.values()
    widths: dict[str, int] = {}
    for row in rows:
        for column, cell in row.cells.items():
            widths[column] = max(widths.get(column, measure_width(column)), measure_width(cell.text))
    name_width = max(map(measure_width, chart.rows), default=0)
    blocks: list[list[str]] = []
    room_left = 0
    for column, width in widths.items():
        # A blank comes before a cell, and the sign of its provenance after it.
        cells_needed = width + 2
        if not blocks or cells_needed > room_left:
            blocks.append([])
            room_left = room - name_width - 1
        blocks[-1].append(column)
        room_left -= cells_needed
    for block in blocks:
        titles = "".join(f" {fit(column, widths[column], right=True)} " for column in block)
        yield LookupLine(literal(f"{INDENT}{fit('', name_width)} {titles}", "$quiet"), Rank.BELOW)
        for row in rows:
            cells = [_render_cell(row.cells.get(column), widths[column]) for column in block]
            if any(cell.plain.strip() for cell in cells):
                yield LookupLine(Content.assemble(literal(f"{INDENT}{fit(row.name, name_width)} "), *cells))


def _render_cell(cell: ChartCell | None, width: int) -> Content:
    """Render a chart cell: a blank, its text in `width` cells, the sign of its provenance; None as blanks."""
    if cell is None:
        return literal(" " * (width + 2))
    return literal(f" {fit(cell.text, width, right=True)}{SIGNS[cell.status] or ' '}", STYLES[cell.status])
