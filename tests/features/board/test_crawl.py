"""Everything that a link reaches is read, and holds nothing that its viewer may not know.

Unique words are planted in all private places: remarks, the schedule, ships to come, cards, players, the
seed. The crawl requests each address that the board has and each that its pages name.
"""

import asyncio
import contextlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import pytest
from attrs import evolve
from starlette.applications import Starlette
from starlette.routing import Route

from qf_tui.cli import main
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import list_possible_orders
from qf_tui.core.values import Battle, Due, Ship
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.links import Links
from qf_tui.features.board.serving import Reports, build_application
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.battle import SealedBattleDice
from qf_tui.features.sealed_dice.dice import SealedDice
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.features.sealed_dice.club import SEED, SYSTEMS, WORDS, SealedEvening, load_sealed_battle

SIDES = ("japan", "russia")
VIEWERS = (ALL, *SIDES)
HOST = "127.0.0.1"
LATE = ("zqlate", "zqlater")
SECRET_OF_ALL = (
    *("zq-umpire", "zq-on-ship", "zq-on-entry", "zq-amended", "zq-undone", "zq-over", "zq-set-up"),
    *("zq-where", "zq-due", "zq-table", "zq-value", "zq-wind", "zq-late", "zqdivision", SEED.hex()),
)
"""Words that no link may ever show."""


def plant_secrets(rules: str) -> Battle:
    """Build a battle with a secret in every place that holds one."""
    start = load_sealed_battle("ulsan-1904", rules)

    def mark_card(ship: Ship) -> Ship:
        return evolve(ship, card={**ship.card, "notes": f"zq-card-{ship.side}"})

    *there, last = [mark_card(ship) for ship in start.ships.values() if ship.side == "japan"]
    there += [mark_card(ship) for ship in start.ships.values() if ship.side == "russia"]
    late = {
        id: evolve(last, id=id, name="Zq-late", division="zqdivision", card={**last.card, "name": "Zq-late"})
        for id in LATE
    }
    sides = tuple(
        evolve(
            side, divisions=tuple(evolve(one, player=f"zq-player-{side.id}") for one in (*side.divisions,))
        )
        for side in start.sides
    )
    schedule = (
        Due(3, ("zqlate",), "from the zq-where", {"zq-table": "zq-value"}, "zq-due"),
        Due(3, note="zq-wind drops"),
        Due(9, ("zqlater",), "from the zq-where", note="zq-due"),
    )
    made = evolve(
        start,
        sides=sides,
        ships={ship.id: ship for ship in (*there, last)},
        reserve=late,
        table={**start.table, "notes": "zq-set-up"},
        plan=evolve(start.plan, schedule=schedule),
        began=None,
    )
    return evolve(made, began=made) if start.began else made


def enter_remarks(session: Session) -> None:
    """Enter remarks to all addressees, and correct some."""
    ship = next(iter(session.battle.ships))
    for line in (
        *("note zq-umpire", f"note {ship}: zq-on-ship", "note on 1: zq-on-entry", "note zq-undone", "undo"),
        *("note red: zq-umpire", "note all zq-umpire", *(f"note {side}: zq-to-{side}" for side in SIDES)),
    ):
        session.enter(line)
    session.enter("note zq-umpire")
    number = len(session.timeline.log)
    session.enter(f"amend {number} note zq-amended")


def declare_orders(session: Session) -> None:
    """Enter an order of each side without its dice."""
    battle, system = session.battle, session.system
    for form in system.forms:
        if form.word == "fire" and battle.phase in form.phases:
            for side in SIDES:
                own = [one for one in battle.ships.values() if one.side == side and one.afloat]
                foe = next(one.id for one in battle.ships.values() if one.side != side and one.afloat)
                orders = (
                    order
                    for ship in own
                    for order in islice(list_possible_orders(form, battle, ship, given={"target": foe}), 40)
                )
                session.enter(next(one for one in orders if not system.prepare(battle, one).findings).line)
            return


@pytest.fixture(
    scope="module",
    params=[
        name if name in ("advanced-quickfire", "gq2") else pytest.param(name, marks=pytest.mark.long)
        for name in SYSTEMS
    ],
)
def moments(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Save a battle in the middle of a phase, after its end, and after the battle's end."""
    folder = tmp_path_factory.mktemp(request.param)
    save = folder / "now.qfb"
    dice = SealedBattleDice.from_dice(SealedDice(SEED, WORDS))
    session = Session.begin(SYSTEMS[request.param], plant_secrets(request.param), save, dice=dice)
    made: dict[str, Path] = {}

    def keep(name: str) -> None:
        path = folder / f"{name}.qfb"
        path.write_bytes(save.read_bytes())
        Path(f"{path}.seed").write_bytes(Path(f"{save}.seed").read_bytes())
        made[name] = path

    session.enter("note on the way")
    evening = SealedEvening(session, 3, mischief=0)
    evening.play(1)
    while session.battle.turn < 3:
        session.enter("force next")
    asked = [one for one in session.battle.owed if one.line == SCHEDULE]
    assert len(asked) >= 2
    session.enter(f"answer {asked[-1].key} no")
    session.enter("undo")
    enter_remarks(session)
    while not any(
        form.word == "fire" and session.battle.phase in form.phases for form in session.system.forms
    ):
        session.enter("force next")
    enter_remarks(session)
    declare_orders(session)
    session.enter("note all: zq-now-middle")
    keep("middle")
    session.enter("force next")
    keep("ended")
    for ship in [one.id for one in session.battle.ships.values() if one.side == "russia"]:
        session.enter(f"leave {ship} withdrawn")
    session.enter("force next")
    session.enter("note zq-over")
    session.enter("note all: zq-now-over")
    keep("over")
    session.close()
    return made


class RecordedApplication(Starlette):
    """An application that records its addresses."""

    paths: ClassVar[list[str]] = []

    def __init__(self, routes: Sequence[Route], **more: Any) -> None:
        super().__init__(routes=routes, **more)
        self.paths[:] = [route.path.partition("}/")[2] for route in routes]


@cache
def open_follower(save: Path) -> Follower:
    """Open a save that no session writes; all tests share its follower."""
    return Follower(save, SYSTEMS)


def build_board(save: Path, switch: BoardSwitch) -> tuple[Hub, Any]:
    hub = Hub(open_follower(save), Links(switch=switch).add_sides(SIDES))

    @asynccontextmanager
    async def lifespan(app: object) -> Any:
        yield

    with patch("qf_tui.features.board.serving.Starlette", RecordedApplication):
        return hub, build_application(hub, Reports(hub), lifespan)


async def fetch_path(app: Any, path: str, leaves: float = 3600) -> bytes:
    """Return the bytes sent for a path, with headers; for a stream, its first events."""
    sent, asked, came = bytearray(), asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, object]:
        if asked.is_set():
            await asyncio.sleep(leaves)
            return {"type": "http.disconnect"}
        asked.set()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        for name, value in message.get("headers", ()):
            sent.extend(name + b": " + value + b"\n")
        if message["type"] == "http.response.start":
            sent.extend(b"%d\n" % message["status"])
        sent.extend(message.get("body", b""))
        if message.get("body"):
            came.set()

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", HOST.encode())],
        "server": (HOST, 80),
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
    }
    answered = asyncio.create_task(app(scope, receive, send))
    if path.endswith("/events"):
        # The stream sends its first events at once, and then waits.
        await asyncio.wait_for(came.wait(), 60)
    with suppress(TimeoutError):
        await asyncio.wait_for(answered, 0.01 if path.endswith("/events") else 60)
    return bytes(sent)


def list_addresses(page: str, ids: set[str]) -> Iterator[str]:
    """Yield the addresses of the board and of its page, for each ship now or later in the battle."""
    named = set(re.findall(r'(?:href|src|action)=["\']([^"\'#][^"\']*)', page))
    named |= set(re.findall(r'(?:EventSource|fetch|fetched)\(["`\']([^"`\'$]*)', page))
    for one in sorted(
        {*RecordedApplication.paths} | {name for name in named if not name.startswith("data:")}
    ):
        if "{id}" in one or one.endswith("/"):
            yield from (f"{one.partition('{')[0]}{id}" for id in sorted(ids))
        else:
            yield one


class InProcess:
    """A stand-in for the process that computes a report."""

    returncode: int | None = None

    def __init__(self, *words: str) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            self.returncode = main(list(words[words.index("report") :]))
        self.stdout = asyncio.StreamReader()
        self.stdout.feed_data(out.getvalue().encode())
        self.stdout.feed_eof()
        self.stdin = io.BytesIO()

    async def communicate(self) -> tuple[bytes, bytes]:
        return await self.stdout.read(), b""

    async def wait(self) -> int | None:
        return self.returncode


async def crawl_link(save: Path, viewer: str, switch: BoardSwitch) -> Mapping[str, bytes]:
    """Fetch everything that a link reaches, by its address."""
    hub, app = build_board(save, switch)
    secret = hub.links.find_secret(viewer)
    first = await fetch_path(app, f"/{secret}/")
    ids = {*hub.follower.timeline.start.ships, *hub.follower.battle.ships, *LATE}
    found = {"": first}
    for address in list_addresses(first.decode(), ids):
        found[address] = await fetch_path(app, f"/{secret}/{address}")
    return found


def list_secrets(viewer: str, switch: BoardSwitch, name: str) -> Iterator[str]:
    """Yield the words that a viewer may not see at a moment."""
    yield from SECRET_OF_ALL
    if switch is BoardSwitch.PHASE_END:
        yield f"zq-now-{name}"
    for side in SIDES:
        if side != viewer:
            yield f"zq-to-{side}"
            if switch is BoardSwitch.OWN_SIDE:
                yield f"zq-card-{side}"
                yield f"zq-player-{side}"


@pytest.mark.parametrize(("viewer", "switch"), list(product(VIEWERS, BoardSwitch)))
@pytest.mark.parametrize("name", ["middle", "ended", "over"])
def test_no_link_reaches_what_its_viewer_may_not_know(
    moments: Mapping[str, Path], name: str, viewer: str, switch: BoardSwitch, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def begin(*words: str, **given: object) -> InProcess:
        return InProcess(*words)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin)
    monkeypatch.setattr("qf_tui.features.report.command.call_after", lambda wait: None)
    found = asyncio.run(crawl_link(moments[name], viewer, switch))
    wrong = [
        (address, word)
        for address, data in found.items()
        for word in list_secrets(viewer, switch, name)
        if word.encode() in data.lower()
    ]
    assert wrong == []
    if viewer:
        assert f"zq-to-{viewer}".encode() in found["events"]
    told = switch is BoardSwitch.AT_ONCE or name == "over"
    assert (b"<!DOCTYPE html>" in found["report"]) == told
    assert not told or f"zq-to-{viewer}".encode() in found["report"] or not viewer


class EndlessProcess(InProcess):
    """A process that never ends."""

    def __init__(self) -> None:
        self.stdout, self.killed = asyncio.StreamReader(), False

    def kill(self) -> None:
        self.killed = True


def test_a_report_stops_once_its_reader_has_left(
    moments: Mapping[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    working: list[EndlessProcess] = []

    async def begin(*words: str, **given: object) -> EndlessProcess:
        working.append(EndlessProcess())
        return working[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin)

    async def read() -> None:
        hub, app = build_board(moments["over"], BoardSwitch.AT_ONCE)
        asked = asyncio.create_task(fetch_path(app, f"/{hub.links.find_secret(ALL)}/report", leaves=0.01))
        await asyncio.wait_for(asked, 5)
        await asyncio.sleep(0.05)

    asyncio.run(read())
    assert [one.killed for one in working] == [True]
