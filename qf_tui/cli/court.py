"""The rules court: a save decided again with other switches or cells, in words or as JSON."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from qf_tui.analysis.court import cell_instead, cells_found, switch, switches
from qf_tui.analysis.replay import Control, control_of, replay
from qf_tui.analysis.verdicts import CellsFound, Instead, Told, Verdict, Wanted
from qf_tui.cli.opening import find_save
from qf_tui.cli.output import named, say, say_json, warn
from qf_tui.cli.progress import Progress
from qf_tui.cli.rows import Json, change_row
from qf_tui.core.errors import QfError
from qf_tui.journal.copying import copy_save, refuse_existing
from qf_tui.library.systems import find_systems
from qf_tui.report import court_words as words
from qf_tui.report.court_branch import make_branch
from qf_tui.session import Session
from qf_tui.session.open_save import sense_of

INDENT = "    "


@frozen
class Heard:
    """All that was found of a save; without cells where something else was asked about."""

    session: Session
    control: Control
    verdicts: tuple[Verdict, ...]
    cells: CellsFound | None = None

    def of_cells(self) -> tuple[Verdict, ...]:
        return tuple(one for one in self.verdicts if one.instead.place is not None)

    def of_switches(self) -> tuple[Verdict, ...]:
        return tuple(one for one in self.verdicts if one.instead.place is None)


def court(arguments: Namespace) -> int:
    """Prints what other switches, a chart, or neighbours of reconstructed cells would have changed."""
    save = find_save(arguments.battle) or Path(arguments.battle)
    if arguments.branch is not None:
        refuse_existing(Path(arguments.branch))
    session = Session.look(save, find_systems())
    if session.notice:
        warn(session.notice)
    with sense_of(session.system):
        heard = _heard(session, arguments)
        if arguments.json:
            for verdict in heard.verdicts:
                say_json(_row(verdict))
            say_json(_court_row(heard))
        else:
            for lines in _lines(heard):
                say(*lines)
    if arguments.branch is not None:
        _branch(heard, save, Path(arguments.branch))
    return 0


def _heard(session: Session, arguments: Namespace) -> Heard:
    """Everything worked out, with progress."""
    system, timeline = session.system, session.timeline
    asked = arguments.option or arguments.chart
    with Progress("entries heard") as bar:
        entries = len(timeline.play_order)
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            bar(done, entries)

        control = control_of(system, timeline, step)
        tries = _asked_for(session, control, arguments) if asked else switches(control)
        if arguments.branch is not None and len(tries) != 1:
            raise QfError("--branch wants one reading: --option NAME=VALUE, or --chart FILE")
        cells = None if asked else cells_found(control)
        tries = (*tries, *(_of_cells(control, cells) if cells else ()))
        verdicts = []
        for at, instead in enumerate(tries):
            bar(at, len(tries))
            verdicts.append(replay(control, instead, figures=instead.place is None))
    return Heard(session, control, tuple(verdicts), cells)


def _asked_for(session: Session, control: Control, arguments: Namespace) -> tuple[Instead, ...]:
    tries = [one for text in arguments.option or () for one in switch(control, text)]
    if arguments.chart is not None:
        tries.append(Instead(cells=session.overlay(arguments.chart), source=arguments.chart))
    return tuple(tries)


def _of_cells(control: Control, cells: CellsFound) -> Iterator[Instead]:
    """Each neighbour of each cell of ours, in that cell's place."""
    for cell in cells.cells:
        for neighbour in cell.neighbours:
            yield cell_instead(control, cell.place, neighbour.text)


def _branch(heard: Heard, save: Path, to: Path) -> None:
    def copy() -> Path:
        copy_save(save, to)
        return to

    verdict = heard.verdicts[0]
    make_branch(heard.session, verdict, copy)
    note = f"{named(to)}: a branch with {words.instead_text(verdict.instead)} from the start; "
    warn(f"{note}{named(save)} is as it was")


def _lines(heard: Heard) -> Iterator[list[str]]:
    """All of it in words, part by part."""
    timeline, system = heard.session.timeline, heard.session.system
    yield [words.control_text(heard.control)]
    if heard.cells is None:
        for verdict in heard.verdicts:
            lines = words.verdict_lines(system, timeline, verdict)
            yield ["", words.instead_text(verdict.instead), *(f"  {line}" for line in lines)]
        return
    yield ["", "Switches, each at its other values"]
    idle = [words.instead_text(one.instead) for one in heard.of_switches() if one.nothing]
    for verdict in heard.of_switches():
        if not verdict.nothing:
            yield [f"  {words.instead_text(verdict.instead)}: {words.verdict_text(timeline, verdict)}"]
    yield [f"  Nothing changes by {', '.join(idle)}."] if idle else []
    yield ["", "Cells of ours", f"  {words.cells_text(heard.cells)}"]
    yield from _cell_lines(heard)
    yield ["", words.CAUTION]


def _cell_lines(heard: Heard) -> Iterator[list[str]]:
    """The cells of ours of which a neighbour would have changed something, and what."""
    verdicts = {(one.instead.place, one.instead.text): one for one in heard.of_cells()}
    same = []
    for cell in heard.cells.cells if heard.cells else ():
        lines = []
        for neighbour in cell.neighbours:
            verdict = verdicts[cell.place, neighbour.text]
            said = words.verdict_text(heard.session.timeline, verdict)
            lines.append(f"{INDENT}{words.neighbour_text(neighbour)}: {said}")
        if lines:
            yield [f"  {words.cell_text(cell)}", *lines]
        else:
            same.append(words.place_text(cell))
    if same:
        yield [f"  All around the same: {'; '.join(same)}."]


def _row(verdict: Verdict) -> Json:
    """A reading as JSON."""
    instead = verdict.instead
    tried: Json
    if instead.option:
        tried = {"option": instead.option, "value": instead.value}
    elif instead.place is not None:
        tried = {"cell": list(instead.place), "text": instead.text}
    else:
        tried = {"chart": instead.source}
    return tried | {
        "changed": [
            {
                "entry": one.entry,
                "was": _told_row(one.before),
                "now": _told_row(one.after),
            }
            for one in verdict.changed
        ],
        "reworded": list(verdict.reworded),
        "parked": list(verdict.parked),
        "spare": list(verdict.idle),
        "overruled": list(verdict.overruled),
        "ships": [change_row(change) for change in verdict.ships],
        "sides": {
            one.side: {
                "worth": {"was": one.worth, "now": one.worth_then},
                "results": {"was": one.results, "now": one.results_then},
            }
            for one in verdict.sides
        },
        "owed": [_owed_row(one) for one in verdict.owed],
        "stopped_at": verdict.stopped_at,
    }


def _told_row(told: Told) -> Json:
    return {"state": told.state.value, "because": list(told.because), "asks": list(told.asks)}


def _owed_row(owed: Wanted) -> Json:
    row: Json = {"key": owed.key, "line": owed.line, "ship": owed.ship, "prompt": owed.prompt}
    return row | ({"dice": owed.dice} if owed.dice else {"dice": None, "words": list(owed.words)})


def _court_row(heard: Heard) -> Json:
    """The battle decided again with nothing otherwise, and what rests on cells."""
    control = heard.control
    row: Json = {"entries": len(control.today), "rules_differ": list(control.mended)}
    if heard.cells is not None:
        row["cells"] = {
            "read": heard.cells.read,
            "reconstructed": heard.cells.reconstructed,
            "otherwise": heard.cells.otherwise,
        }
    return {"court": row}
