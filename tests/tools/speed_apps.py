"""The programs with which `tests.tools.speed` compares; they load nothing of qf-tui.

    python speed_apps.py line | full
    python speed_apps.py json SAVE
    python speed_apps.py keep SAVE | get SAVE

`line` is one Static that each key changes, `full` one as large as the screen: the least that Textual can do.
`json` prints the milliseconds to read the lines of a save as JSON. `keep` stores the acts of a save by the
library eventsourcing in SQLite next to it; `get` prints the milliseconds to load them with the last value of
each field of each ship.
"""

import json
import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

READY = b"READY"
BATTLE = UUID(int=1904)


def build_app(*, full: bool) -> Any:
    """Build the least Textual app."""
    from textual.app import App, ComposeResult  # noqa: PLC0415 - the other programs are measured without it
    from textual.widgets import Static  # noqa: PLC0415 - as above

    class Least(App[None]):
        """One Static that each key changes."""

        def compose(self) -> ComposeResult:
            self.keys = count()
            yield Static("READY")

        def on_key(self) -> None:
            self.query_one(Static).update(self.text())

        def text(self) -> str:
            """Return the text after a key."""
            if not full:
                return f"key {next(self.keys)}"
            width, height = self.size
            return "\n".join([f"{next(self.keys):09} " * (width // 10)] * height)

    return Least()


def read_bytes(save: str) -> list[bytes]:
    return Path(save).read_bytes().splitlines()


def time_json(save: str) -> float:
    """Return the milliseconds of `json.loads` for all lines, keeping their values."""
    every = read_bytes(save)
    begun = perf_counter()
    read = [json.loads(line) for line in every]
    taken = perf_counter() - begun
    assert len(read) == len(every)
    return taken * 1000


def define_aggregate() -> Any:
    """Define a battle in eventsourcing: each act is an event that applies its effects."""
    domain = import_module("eventsourcing.domain")

    class Fought(domain.Aggregate):  # type: ignore[misc,name-defined]  # only a peer has it
        """The last value of each field of each ship."""

        __qualname__ = "Fought"  # its events are found by this name

        def __init__(self, id: UUID) -> None:
            self._id = id
            self.values: dict[tuple[str, str], list[object]] = {}

        @domain.event("Entered")  # type: ignore[untyped-decorator]  # as above
        def enter(self, act: dict[str, Any]) -> None:
            for ruling in act.get("rulings", {}).values():
                for _, ship, name, *value in ruling.get("effects", ()):
                    self.values[ship, name] = value

    globals()["Fought"] = Fought
    return Fought


def open_peer(save: str) -> Any:
    """Open the library with its database next to a save."""
    settings = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{save}.db"}
    return import_module("eventsourcing.application").Application(settings)


def keep(save: str) -> float:
    """Store the acts of a save under its id."""
    fought = define_aggregate()(id=BATTLE)
    for line in read_bytes(save)[1:]:
        fought.enter(json.loads(line))
    with open_peer(save) as kept:
        kept.save(fought)
    return 0.0


def get(save: str) -> float:
    """Return the milliseconds to load a battle."""
    define_aggregate()
    begun = perf_counter()
    with open_peer(save) as kept:
        fought = kept.repository.get(BATTLE)
        taken = perf_counter() - begun
    assert fought.values
    return taken * 1000


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    if what in ("line", "full"):
        build_app(full=what == "full").run()
    else:
        print({"json": time_json, "keep": keep, "get": get}[what](*arguments))
