"""What the rules bring: charts with provenance, switches, clauses; ratings beside what the rules attest."""

import re
from argparse import Namespace
from collections.abc import Iterable

from attrs import asdict

from qf_tui.cli.opening import named_systems, open_battle
from qf_tui.cli.output import say, say_json
from qf_tui.core.charts import Chart, ChartRow, Provenance
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import nearest
from qf_tui.core.odds import Chance, chances, needed
from qf_tui.core.prepare import PreparedEntry, check_dice
from qf_tui.core.system import RuleSystem
from qf_tui.document.acts import RECONSTRUCTED
from qf_tui.document.text import table
from qf_tui.document.transcript import finding_text
from qf_tui.library.charts import shipped_charts
from qf_tui.library.navies import Register, register
from qf_tui.library.ratings import attested_errors, odd_values
from qf_tui.session import Session


def ratings(arguments: Namespace) -> int:
    """Prints the errors of each rule system's method, and its odd values."""
    ships = register()
    systems = named_systems(arguments.ruleset)
    if arguments.json:
        say_json({system.name: _row(system, ships) for system in systems}, indent=2)
    else:
        for system in systems:
            _tell(system, ships)
    return 0


def _row(system: RuleSystem, ships: Register) -> dict[str, object]:
    errors = [{**asdict(one), "error": one.error} for one in attested_errors(system, ships)]
    return {"attested": errors, "odd": [asdict(one) for one in odd_values(system, ships)]}


def _tell(system: RuleSystem, ships: Register) -> None:
    errors = attested_errors(system, ships)
    say(f"{system.title}: {len(errors)} values attested")
    heads = ("ship", "value", "attested", "method", "error")
    rows = [
        (one.ship, one.key, f"{one.attested:g}", f"{one.method:g}", f"{one.error:+g}" if one.error else "")
        for one in errors
    ]
    say(*table([heads, *rows], rights=(False, False, True, True, True)) if rows else ())
    odd = odd_values(system, ships)
    say("", f"{len(odd)} odd values")
    say(*table([(one.key, f"{one.value:g}", f"{one.ship} ({one.navy})", one.why) for one in odd]), "")


NOT_FOUND = 1


def charts(arguments: Namespace) -> int:
    """Prints the shipped charts as tables, reconstructed cells marked, attested ones with their sources."""
    for system in named_systems(arguments.ruleset):
        say(f"{system.title} ({system.name}); {RECONSTRUCTED}: reconstructed, ours alone")
        if lines := _scale_lines(system):
            say("", "Scales", *lines)
        for chart in shipped_charts(system).values():
            say("", *_chart_lines(chart))
        say("")
    return 0


def _scale_lines(system: RuleSystem) -> list[str]:
    """Every scale of a system with its printed figures, where it has them."""
    scales = [scale for scale in system.scales if scale.figures]
    if not scales:
        return []
    heads = ["scale", "unit", *scales[0].figures]
    rows = [[scale.name, scale.unit, *scale.figures.values()] for scale in scales]
    return table([heads, *rows], [False, False, *[True] * (len(heads) - 2)])


def _chart_lines(chart: Chart) -> list[str]:
    columns = list(dict.fromkeys(column for row in chart.rows.values() for column in row.cells))
    rows = [["", *columns], *([row.name, *_cells(row, columns)] for row in chart.rows.values())]
    lines = [f"{chart.title} [{chart.name}]", *table(rows, [False, *[True] * len(columns)])]
    if chart.note:
        lines.append(chart.note)
    sources = [line for row in chart.rows.values() for line in _sources(row)]
    return [*lines, *(f"  attested {line}" for line in sources)]


def _cells(row: ChartRow, columns: list[str]) -> Iterable[str]:
    for column in columns:
        cell = row.cells.get(column)
        mark = RECONSTRUCTED if cell and cell.status is Provenance.RECONSTRUCTED else " "
        yield f"{cell.text}{mark}" if cell else ""


def _sources(row: ChartRow) -> list[str]:
    """The sources of a row's attested cells, neighbours of one source together."""
    spans: list[tuple[str, str, str]] = []
    before = ""
    for column, cell in row.cells.items():
        source = cell.source or "the sources"
        if cell.status is Provenance.ATTESTED:
            if spans and spans[-1][1:] == (before, source):
                spans[-1] = (spans[-1][0], column, source)
            else:
                spans.append((column, column, source))
        before = column
    return [
        f"{row.name}, {first if first == last else f'{first} to {last}'}: {source}"
        for first, last, source in spans
    ]


def options(arguments: Namespace) -> int:
    """Prints every switch: name, clause, values with the default first, what it does."""
    for system in named_systems(arguments.ruleset):
        say(f"{system.title} ({system.name})")
        rows = [["switch", "clause", "default", "values", "what it turns"]]
        rows.extend(
            [option.name, option.clause, option.default, ", ".join(option.values), option.text]
            for option in system.options
        )
        say(*table(rows), "")
    return 0


def rules(arguments: Namespace) -> int:
    """Prints the clauses whose name or text holds all the words; 1 if there are none."""
    words = [word.casefold() for word in arguments.words]
    found = [
        [clause, text]
        for system in named_systems(None)
        for clause, text in system.clauses.items()
        if all(word in f"{clause} {text}".casefold() for word in words)
    ]
    if found:
        say(*table(found))
        return 0
    texts = (text for system in named_systems(None) for each in system.clauses.items() for text in each)
    near = ", ".join(nearest(" ".join(words), re.findall(r"[\w-]+", " ".join(texts))))
    say(f"no clause holds {' and '.join(arguments.words)}{f'; did you mean {near}?' if near else ''}")
    return NOT_FOUND


EXIT_REFUSED = 3


def odds(arguments: Namespace) -> int:
    """Prints what hinders an order, the dice that it wants and its chances; 3 if it is impossible."""
    session = open_battle(arguments.battle, rules=arguments.rules)
    try:
        entry = _considered(session, " ".join(arguments.order))
    except OrderRefused as refusal:
        say(*(finding_text(finding) for finding in refusal.findings))
        return EXIT_REFUSED
    findings = entry.prepared.findings
    say(entry.order.resolved, *(f"  {finding_text(finding)}" for finding in findings))
    if any(not finding.refused for finding in findings):
        return EXIT_REFUSED
    say(*(f"  {line}" for line in _figures(entry)))
    return 0


def _considered(session: Session, text: str) -> PreparedEntry:
    entry = session.prepare(session.read(text).complete())
    if all(finding.refused for finding in entry.prepared.findings):
        check_dice(entry)
    return entry


def _figures(entry: PreparedEntry) -> list[str]:
    ready = entry.prepared
    lines = [*ready.assumes, *ready.reminders]
    wanted = ", ".join(str(die) for die in entry.missing)
    lines.append(f"dice: {wanted}" if wanted else "no dice are wanted")
    lines += map(str, needed(ready, entry.faces))
    found = chances(ready, entry.faces)
    if found:
        return [*lines, *table([_odds_row(chance) for chance in found], [False, True, False])]
    return [*lines, "no chances to reckon"]


def _odds_row(chance: Chance) -> list[str]:
    value = f"{float(chance.value):.4f}" if chance.mean else f"{float(chance.value):.2%}"
    return [chance.label, value, str(chance.value)]
