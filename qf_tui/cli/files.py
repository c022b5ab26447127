"""Commands that check or list files, change settings, or print charts, rules, odds and help pages."""

import re
from argparse import Namespace
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from qf_tui.cli.opening import list_systems, open_battle
from qf_tui.cli.output import format_path, print_json, print_lines, write_output
from qf_tui.core.decide import check_dice
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar.names import list_similar_names
from qf_tui.core.odds import compute_chances, list_needs
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.core.values import Chart, ChartRow, Provenance
from qf_tui.document.text import lay_out_rows
from qf_tui.document.transcript import format_finding
from qf_tui.document.words import RECONSTRUCTED
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.library.books import SUFFIX as BOOK_SUFFIX
from qf_tui.library.books import find_book_files, read_book_title, write_new_book
from qf_tui.library.charts import load_shipped_charts
from qf_tui.library.paths import is_there, list_shelf, read_first_byte
from qf_tui.library.settings import (
    change_setting,
    ensure_settings_file,
    find_setting,
    list_settings,
    load_settings,
)
from qf_tui.library.systems import Systems, find_systems, load_usable
from qf_tui.session.saves import make_rules_finder, open_timeline

FAULTY, UNREADABLE = 1, 2
"""Exit statuses of `check`."""
NOT_FOUND = 1
"""Exit status of `rules` and `help` if nothing contains the words."""
EXIT_REFUSED = 3
"""Exit status of `odds` if the order is impossible."""
HELP_WIDTH = 96
"""Width of a help page, in characters."""


def check_files(arguments: Namespace) -> int:
    """Print the faults and warnings of each file, or that it has none.

    Returns:
        0 if no file has a fault, 1 if one has, 2 if one cannot be read.
    """
    return max(_check_file(name) for name in arguments.files)


def _check_file(name: str) -> int:
    """Print the faults and warnings of one file, and return the exit status.

    Args:
        name: Path of the file; for a rule book also its name.
    """
    # Imported late: it loads the ships of all navies, which other commands do not need.
    from qf_tui.library.check import SAVE, check_file

    path = Path(name)
    path = path if is_there(path) else find_book_files().get(path.name.removesuffix(BOOK_SUFFIX), path)
    result = check_file(path, find_systems())
    if result.kind == SAVE:
        return _check_save(path)
    for file in result.faulty_files:
        print_lines(str(file))
    for warning in result.warnings:
        print_lines(f"{format_path(name)}: warning: {warning}")
    if result.faulty_files:
        return UNREADABLE if read_first_byte(path) is None else FAULTY
    print_lines(f"{format_path(name)}: a {result.kind}, no faults")
    return 0


def _check_save(path: Path) -> int:
    """Print the first fault of a save, or else its warnings and how many acts it has; return the status.

    A torn last line is only a warning, as all before it is kept.
    """
    try:
        save = read_save(path, make_rules_finder(find_systems()))
        open_timeline(save, find_systems())
    except QfError as fault:
        print_lines(str(fault) if isinstance(fault, SaveFault) else f"{format_path(path)}: {fault}")
        return FAULTY
    if save.lacks_acts:
        print_lines(f"{format_path(path)}: {save.end_notice}")
        return FAULTY
    for warning in filter(None, (save.end_notice, save.extra_notice)):
        print_lines(f"{format_path(path)}: warning: {warning}")
    print_lines(
        f"{format_path(path)}: a save of {format_count(len(save.log), 'act')}, "
        f"no {'other ' if save.torn else ''}faults"
    )
    return 0


def print_scenarios(arguments: Namespace) -> int:
    """Print the names and titles of the scenarios, the user's own first."""
    return print_shelf("scenarios")


def print_shelf(kind: str) -> int:
    """Print the names and titles of the files of a kind, and mark the user's own."""
    files = list_shelf(kind)
    if files:
        print_lines(*lay_out_rows([file.name, file.title, "yours" if file.own else ""] for file in files))
    return 0


def print_schema(arguments: Namespace) -> int:
    """Print the schema of a kind of file, for one rule system or all; with --install, write all schemas.

    Rule books have one schema, and so have fleets if no rule system is given.

    Raises:
        QfError: No kind of file is given, or the rule system is unknown.
    """
    from qf_tui.library import check as schemas

    systems = load_usable(find_systems())
    if arguments.install:
        print_lines(*map(str, schemas.install_schemas(systems)))
        return 0
    # An overlay is a chart file.
    kind = "chart" if arguments.kind == "overlay" else arguments.kind
    if kind is None:
        raise QfError("name a kind of file: fleet, scenario, overlay or rules; or write all with --install")
    if kind == "rules" or (kind == "fleet" and arguments.ruleset is None):
        print(schemas.format_schema(kind, "", systems), end="")
        return 0
    chosen_systems = list_systems(arguments.ruleset)
    if len(chosen_systems) == 1:
        print(schemas.format_schema(kind, chosen_systems[0].name, systems), end="")
        return 0
    built_schemas = [schemas.build_schema(kind, system, chosen_systems) for system in chosen_systems]
    print_json(
        {"$schema": built_schemas[0]["$schema"], "title": arguments.kind, "oneOf": built_schemas}, indent=2
    )
    return 0


def print_settings(arguments: Namespace) -> int:
    """Print one setting or all, and the path of their file; with a value, first change the setting.

    The file is written if it does not exist.
    """
    if arguments.value is not None:
        change_setting(arguments.name, arguments.value)
    wanted_settings = (find_setting(arguments.name),) if arguments.name is not None else list_settings()
    print_lines(str(ensure_settings_file()))
    settings = load_settings()
    rows = [[setting.name, settings.format_value(setting.name), setting.label] for setting in wanted_settings]
    print_lines(*lay_out_rows(rows))
    return 0


def print_charts(arguments: Namespace) -> int:
    """Print the scales and the shipped charts of one rule system or all, as tables.

    Reconstructed cells have a mark, and the sources of attested cells follow each table.
    """
    for system in list_systems(arguments.ruleset):
        print_lines(f"{system.title} ({system.name}); {RECONSTRUCTED}: reconstructed, ours alone")
        if lines := _format_scales(system):
            print_lines("", "Scales", *lines)
        for chart in load_shipped_charts(system).values():
            print_lines("", *_format_chart(chart))
        print_lines("")
    return 0


def _format_scales(system: RuleSystem) -> list[str]:
    """Format the scales of a system as a table; [] if its rules print no figures for them."""
    scales = [scale for scale in system.scales if scale.figures]
    if not scales:
        return []
    heads = ["scale", "unit", *scales[0].figures]
    rows = [[scale.name, scale.unit, *scale.figures.values()] for scale in scales]
    return lay_out_rows([heads, *rows], rights=[False, False, *[True] * len(scales[0].figures)])


def _format_chart(chart: Chart) -> list[str]:
    """Format a chart: its title, its table, its note, and the sources of its attested cells."""
    columns = list(dict.fromkeys(column for row in chart.rows.values() for column in row.cells))
    rows = [["", *columns], *([row.name, *_format_cells(row, columns)] for row in chart.rows.values())]
    lines = [f"{chart.title} [{chart.name}]", *lay_out_rows(rows, rights=[False, *[True] * len(columns)])]
    if chart.note:
        lines.append(chart.note)
    sources = [line for row in chart.rows.values() for line in _list_sources(row)]
    return [*lines, *(f"  attested {line}" for line in sources)]


def _format_cells(row: ChartRow, columns: list[str]) -> Iterable[str]:
    """Yield the text of a row in each column, with a mark or a blank after it; "" where there is no cell.

    The mark means that the cell is reconstructed.
    """
    for column in columns:
        cell = row.cells.get(column)
        mark = RECONSTRUCTED if cell and cell.status is Provenance.RECONSTRUCTED else " "
        yield f"{cell.text}{mark}" if cell else ""


def _list_sources(row: ChartRow) -> list[str]:
    """List the sources of a row's attested cells; neighbours with the same source share a line."""
    # Each span has its first and last column, and the source.
    spans: list[tuple[str, str, str]] = []
    previous_column = ""
    for column, cell in row.cells.items():
        if cell.status is Provenance.ATTESTED and cell.source:
            first = column
            if spans and spans[-1][1:] == (previous_column, cell.source):
                # The column before this one has the same source, so its span is continued.
                first, *_ = spans.pop()
            spans.append((first, column, cell.source))
        previous_column = column
    return [
        f"{row.name}, {first if first == last else f'{first} to {last}'}: {source}"
        for first, last, source in spans
    ]


def print_options(arguments: Namespace) -> int:
    """Print a table of the switches of one rule system or all."""
    for system in list_systems(arguments.ruleset):
        print_lines(f"{system.title} ({system.name})")
        rows = [["switch", "clause", "default", "values", "what it changes"]]
        rows.extend(
            [option.name, option.clause, option.default, ", ".join(option.values), option.text]
            for option in system.options
        )
        print_lines(*lay_out_rows(rows), "")
    return 0


def print_rules(arguments: Namespace) -> int:
    """Print the clauses that contain all the words, or list the rule books if there are no words.

    With --new, write a rule book instead, and print its path.

    Returns:
        0, or 1 if no clause contains the words.

    Raises:
        QfError: The new rule book has the name of other rules.
    """
    if arguments.new is not None:
        if arguments.new in find_systems():
            raise QfError(f"{arguments.new}: there are rules of this name already; choose another")
        print_lines(str(write_new_book(arguments.new)))
        return 0
    if not arguments.words:
        is_installed = Systems().is_installed
        rows = [
            [
                name,
                "a rule system has this name: rename it" if is_installed(name) else read_book_title(path),
                str(path),
            ]
            for name, path in find_book_files(first_folder=Path()).items()
        ]
        print_lines("Rule books; with a WORD the clauses that contain it", "", *lay_out_rows(rows))
        return 0
    words = [word.casefold() for word in arguments.words]
    clauses = [item for system in list_systems(ruleset=None) for item in system.clauses.items()]
    matches = [item for item in clauses if all(word in " ".join(item).casefold() for word in words)]
    if matches:
        print_lines(*lay_out_rows(matches))
        return 0
    return _report_no_match("clause", arguments.words, re.findall(r"[\w-]+", " ".join(chain(*clauses))))


def _report_no_match(what: str, words: Sequence[str], known_words: Iterable[str]) -> int:
    """Print that no clause or no page contains the words, with similar words; return the exit status."""
    similar_words = ", ".join(list_similar_names(" ".join(words), known_words))
    hint = f"; did you mean {similar_words}?" if similar_words else ""
    print_lines(f"no {what} contains {' and '.join(words)}{hint}")
    return NOT_FOUND


def print_help(arguments: Namespace) -> int:
    """Print a page of the help, the list of pages, or the sentences that contain some words.

    A single word that names a page prints that page. Sentences come only from pages that contain all the
    words. With --html, all pages are written as one.

    Returns:
        0, or 1 if no page contains the words.
    """
    from qf_tui.document.help import TOPICS, build_help_page, find_pages, render_help
    from qf_tui.document.text import lay_out_blocks, lay_out_document

    words = arguments.words
    if arguments.html:
        write_output(render_help(), arguments.out, over=False)
        return 0
    if len(words) == 1 and words[0].casefold() in TOPICS:
        lines = list(lay_out_document(build_help_page(words[0].casefold()), HELP_WIDTH))
    elif not words:
        lines = lay_out_rows([topic, build_help_page(topic).title] for topic in TOPICS)
    else:
        # Without the blank line before the first page.
        lines = list(lay_out_blocks(find_pages(words), HELP_WIDTH))[1:]
    if not lines:
        return _report_no_match("page", words, TOPICS)
    write_output("\n".join(lines), arguments.out, over=False)
    return 0


def print_odds(arguments: Namespace) -> int:
    """Print the findings against an order, and its dice and chances unless it is impossible.

    Returns:
        0, or 3 if the order is impossible.
    """
    session = open_battle(arguments.battle, rules=arguments.rules, crews=arguments.crews)
    try:
        entry = session.prepare(session.read(" ".join(arguments.order)).require_order())
        # The dice of an impossible order are not checked, because it is refused below.
        if all(finding.refused for finding in entry.prepared.findings):
            check_dice(entry)
    except OrderRefused as refusal:
        print_lines(*(format_finding(finding) for finding in refusal.findings))
        return EXIT_REFUSED
    findings = entry.prepared.findings
    print_lines(entry.order.resolved, *(f"  {format_finding(finding)}" for finding in findings))
    # A finding that is only a refusal can be forced, so the order still has chances.
    if any(not finding.refused for finding in findings):
        return EXIT_REFUSED
    print_lines(*(f"  {line}" for line in _format_figures(entry)))
    return 0


def _format_figures(entry: PreparedEntry) -> list[str]:
    """Format what the order assumes, the dice that it needs, the results to throw for, and its chances."""
    prepared_order = entry.prepared
    lines = [*prepared_order.assumes, *prepared_order.reminders]
    dice = ", ".join(str(die) for die in entry.missing)
    lines.append(f"dice: {dice}" if dice else "no dice needed")
    lines += map(str, list_needs(prepared_order, entry.faces))
    rows = []
    for chance in compute_chances(prepared_order, entry.faces):
        # A mean is a number; any other chance is a probability.
        value = f"{float(chance.value):.4f}" if chance.mean else f"{float(chance.value):.2%}"
        rows.append([chance.label, value, str(chance.value)])
    if rows:
        lines += lay_out_rows(rows, rights=[False, True, False])
    else:
        lines.append("no chances to calculate")
    return lines
