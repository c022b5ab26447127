"""What is frozen: the battles, and the outputs of each, by the name of the file that holds them."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from qf_tui.cli import main
from tests.board.served import served

HERE = Path(__file__).parent
ROOT = HERE.parent
OUT = HERE / "out"
GOLDEN = ROOT / "golden"
OLD = ROOT / "journal" / "format_1"

FROZEN = pytest.mark.skipif(
    not (OUT.exists() or os.environ.get("QF_TUI_REGENERATE")), reason="nothing is frozen"
)
Make = Callable[[Path], bytes]
"""Makes an output in a folder that is empty."""


def called(*arguments: str | Path) -> bytes:
    """What a command prints, its status and what it says on standard error."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(each) for each in arguments])
    end = f"-- {err.getvalue().strip()}\n" if status else ""  # else it is how far long work has come
    return f"{out.getvalue()}{end}-- exit {status}\n".encode()


def battles() -> Iterator[tuple[str, str, Path]]:
    """Each battle: its name, the scenario, and the file of its orders."""
    for orders in sorted([*GOLDEN.glob("*.orders"), *HERE.glob("*.orders")]):
        lines = orders.read_text(encoding="utf-8").splitlines()
        head = next(line for line in lines if line.startswith("# scenario: "))
        yield orders.stem, head.removeprefix("# scenario: ").strip(), orders


def save_of(name: str, folder: Path) -> Path:
    """The save of a battle in a folder."""
    scenario, orders = next((two, three) for one, two, three in battles() if one == name)
    path = folder / f"{name}.qfb"
    called("run", *scenario.split(), "--orders", orders, "--save", path)
    return path


WHOLE = ("gq2-fourth-flotilla-1916", "port-arthur-1904-evening")
"""Battles that are told in every kind of file; of the others those that differ by rule system."""
SWITCHES = ("at-once", "own-side", "phase-end")
SHEETS = {"": "", "-single": "--single"}
REPORTS = {"txt": (), "html": ("--html",), "md": ("--md",), "csv": ("--csv",), "json": ("--json",)}


def of_a_battle(name: str, scenario: str, orders: Path) -> Iterator[tuple[str, Make]]:
    """The outputs of one battle."""

    def on_save(*arguments: str) -> Make:
        def make(folder: Path) -> bytes:
            save = save_of(name, folder)
            words = [save if each == "SAVE" else each for each in arguments]
            return plain(called(*words), folder)

        return make

    yield "save.qfb", lambda folder: save_of(name, folder).read_bytes()
    yield "run.txt", lambda folder: called("run", *scenario.split(), "--orders", orders)
    yield "run.json", lambda folder: called("run", *scenario.split(), "--orders", orders, "--json")
    for more in ("", "--json"):
        kind = more.removeprefix("--") or "txt"
        yield f"show.{kind}", on_save("show", "SAVE", *more.split())
        yield f"court.{kind}", on_save("court", "SAVE", *more.split())
    yield "verify.txt", on_save("verify", "SAVE")
    yield "check.txt", on_save("check", "SAVE")
    for kind in REPORTS if name in WHOLE else ("txt", "json"):
        yield f"report.{kind}", on_save("report", "SAVE", *REPORTS[kind])
    for kind, switch in SHEETS.items() if name in WHOLE else ():
        yield f"sheets{kind}.html", sheets(name, switch)
    yield "board.txt", lambda folder: board_pages(save_of(name, folder))


def sheets(name: str, switch: str) -> Make:
    """The log sheets of a battle."""

    def make(folder: Path) -> bytes:
        save, page = save_of(name, folder), folder / "sheets.html"
        said = called("sheets", save, "--out", page, *switch.split())
        return page.read_bytes() + plain(said, folder)

    return make


def plain(text: bytes, folder: Path) -> bytes:
    """Text without the folder that it was made in."""
    return text.replace(str(folder).encode(), b"FOLDER")


def board_pages(save: Path) -> bytes:
    """What each link of a board gives: its page, the first event, each ship, the report."""
    told: list[bytes] = []
    for switch in SWITCHES:
        with served(save, "--switch", switch) as board:
            kept = json.loads(save.with_name(f"{save.name}.board").read_bytes())
            for viewer, secret in sorted(kept["links"].items()):
                with board.stream(viewer) as stream:
                    event = stream.next()
                assert event is not None
                view = json.loads(event[1])
                pages = {"": board.asked(board.path("", viewer)).body, "events": event[1].encode()}
                for ship in sorted(_ids(view))[:6]:
                    pages[f"ship/{ship}"] = board.asked(board.path(f"ship/{ship}", viewer)).body
                pages["report"] = board.asked(board.path("report", viewer)).body
                for path, body in pages.items():
                    told.append(f"== {switch} {viewer or 'all'} /{path}\n".encode())
                    told.append(body.replace(secret.encode(), b"SECRET") + b"\n")
    return plain(b"".join(told), save.parent)


def _ids(view: object) -> set[str]:
    """The ids of the ships in a view, wherever they stand."""
    if isinstance(view, dict):
        own = {view["id"]} if isinstance(view.get("id"), str) else set()
        return own.union(*(_ids(each) for each in view.values()))
    if isinstance(view, list):
        return set().union(*(_ids(each) for each in view))
    return set()


def of_the_program() -> Iterator[tuple[str, Make]]:
    """The outputs that belong to no battle."""
    lines = (HERE / "commands.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield f"{line.replace('/', '_')}.txt", partial(_told, tuple(line.split()))
    for save in sorted(OLD.glob("*.qfb")):
        for command in ("show", "verify", "report", "court"):
            yield f"format-1 {command} {save.stem}.txt", partial(_told, (command, str(save)))


def _told(words: tuple[str, ...], folder: Path) -> bytes:
    """What a command says, without the folders that it names."""
    return plain(plain(called(*words), folder), OLD)


def everything() -> Iterator[tuple[str, Make]]:
    """Each output by its file."""
    for name, scenario, orders in battles():
        for file, make in of_a_battle(name, scenario, orders):
            yield f"{name}/{file}", make
    for file, make in of_the_program():
        yield f"program/{file}", make


def regenerating() -> bool:
    return bool(os.environ.get("QF_TUI_REGENERATE"))
