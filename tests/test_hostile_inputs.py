"""A million hostile inputs: orders, files and saves that somebody or something has spoilt.

Whatever is read is taken or refused in words: no other exception, nothing unprintable, nothing slow. Each
chunk has chance of its own; all but a small one of each kind are left to `tests.long`.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
import tomli_w

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import Reach
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Plan, replace
from qf_tui.journal.codec import encode_act, encode_header
from qf_tui.journal.lines import Misread, encode_json
from qf_tui.journal.save_summary import summarize_save
from qf_tui.library.check import check_file
from qf_tui.library.paths import find_shipped_folder, read_toml
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.book import convoys, rivers
from tests.cli.strange_orders import STRANGE, Lot
from tests.journal.making import sealed
from tests.library.mutations import VALUES, Document, mutate
from tests.long import Share
from tests.systems import find_our_systems, load_our_battles


def _duel(system: RuleSystem, battle: Battle) -> tuple[RuleSystem, Battle]:
    """A battle with two ships a side: what a hundred may say, four do."""
    sides = [[ship for ship in battle.ships.values() if ship.side == side.id] for side in battle.sides]
    ships = {ship.id: ship for side in sides for ship in side[:2]}
    few = replace(battle, ships=ships, reserve={}, plan=Plan(), began=None)
    return system, replace(few, began=few) if battle.began else few


SYSTEMS = find_our_systems()
SCENARIOS = sorted((find_shipped_folder("fleets") / "scenarios").glob("*.toml"))
BATTLES = [*load_our_battles().values(), (convoys.load_convoys(), convoys.load_battle())]
DUELS = [_duel(*battle) for battle in BATTLES]
SLOW = 5.0
"""Seconds that no single input may take, on a machine that has much else to do."""

SMALL = 30
ORDERS, READ, SAVES, FILES = (40, 10_000), (20, 20_000), (20, 9_000), (10, 2_000)
BOOKS = (10, 10_000)
"""Chunks of each kind, and the inputs in each: a million and more in all."""


def _chunks(count: int, size: int) -> list[object]:
    long = [pytest.param(n, size, marks=pytest.mark.long) for n in range(1, count + 1)]
    return [pytest.param(0, SMALL), *long]


def _inputs(share: Share, seed: int, chunk: int, size: int, attempt: Callable[[Random], object]) -> None:
    """So many inputs, of which none may raise anything but a QfError in printable words, or be slow."""
    chance = Random(f"{seed} {chunk}")
    for _ in share.take(range(size)):
        state, began = chance.getstate(), time.process_time()
        try:
            attempt(chance)
        except QfError as fault:
            words = str(fault).replace("\n", "")
            assert words.isprintable(), (state, words)
        assert time.process_time() - began < SLOW, state


def _spoilt(text: str, chance: Random) -> str:
    """A text with some of it left out, doubled, turned round or replaced."""
    for _ in range(chance.randint(0, 3)):
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        odd = chance.choice(
            (*STRANGE, "\x1b[2J", "\u202e", "\0", "\n", " " * 200, "9" * 400, "ä", "𝟛", "—", '"')
        )
        text = chance.choice(
            (text[:at] + text[to:], text[:to] + odd + text[to:], text[:at] + odd + text[to:])
        )
    return text[:2000]


@pytest.mark.parametrize(("chunk", "size"), _chunks(*ORDERS))
def test_orders(chunk: int, size: int, seed: int, share: Share) -> None:
    """Entered, corrected, previewed, in battles of all systems that go on for a while."""
    session = lot = None
    left = 0

    def attempt(chance: Random) -> None:
        nonlocal session, lot, left
        if session is None or lot is None or left == 0:
            session = Session.begin(*chance.choice(BATTLES), seed=chance.choice((None, 7)))
            lot, left = Lot(chance, session), chance.randint(20, 120)
        left -= 1
        line = lot.line()
        if chance.random() < 0.2:
            line = _spoilt(line, chance)
        if chance.random() < 0.1:
            session.preview_order(line)
        session.enter(line)

    _inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _chunks(*READ))
def test_lines_that_are_only_read(chunk: int, size: int, seed: int, share: Share) -> None:
    """By the reader of scripts and by that of keys."""
    sessions = [Session.begin(*battle) for battle in BATTLES]

    def attempt(chance: Random) -> None:
        session = chance.choice(sessions)
        line = _spoilt(Lot(chance, session).line(), chance)
        if chance.random() < 0.5:
            session.read(line, chance.choice(list(Reach))).require_order()
        else:
            session.read_typed(line).require_order()

    _inputs(share, seed, chunk, size, attempt)


def _save_of(duel: tuple[RuleSystem, Battle], chance: Random) -> list[Document]:
    """The lines of a short save, as JSON has them."""
    session = Session.begin(*duel, seed=7)
    lot = Lot(chance, session)
    for _ in range(40):
        with suppress(QfError):
            session.enter(lot.line())
    bodies = [encode_header(build_header(session.system, session.timeline.start))]
    return [*bodies, *(encode_act(act) for act in session.timeline.log)]


def _sealed_or_spoilt(lines: list[Document], chance: Random) -> bytes:
    """A save with one line changed whose checksums fit, or with bytes changed so that they do not."""
    lines = list(lines)
    with suppress(Misread):
        if chance.random() < 0.8:
            place = chance.choice((0, *[chance.randrange(len(lines))] * 4))
            lines[place] = mutate(lines[place], chance, chance.randint(1, 3))
        data = sealed(*map(encode_json, lines))
        if chance.random() < 0.3:
            at = chance.randrange(len(data))
            put = chance.choice((b"", b"\n", b"\0" * 9, bytes([chance.randrange(256)]), data[at : at + 400]))
            data = data[:at] + put + data[at + chance.randint(0, 40) :]
        return data[: chance.choice((None, None, None, chance.randrange(len(data))))]
    return chance.randbytes(chance.randint(0, 400))


@pytest.mark.parametrize(("chunk", "size"), _chunks(*SAVES))
def test_saves(chunk: int, size: int, seed: int, share: Share, tmp_path: Path) -> None:
    """Glanced at, opened, looked through and gone on with, though no program of ours wrote them."""
    path = tmp_path / "stranger.qfb"
    chance = Random(f"saves {seed} {chunk}")
    saves = [_save_of(duel, chance) for duel in DUELS]

    def attempt(chance: Random) -> None:
        path.write_bytes(_sealed_or_spoilt(chance.choice(saves), chance))
        with suppress(QfError):
            summary = summarize_save(path)
            assert f"{summary.title}{summary.system}{summary.phase}".isprintable()
        session = Session.view(path, SYSTEMS)
        lot = Lot(chance, session)
        for _ in range(chance.randint(0, 3)):
            with suppress(QfError):
                session.enter(lot.line())

    _inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _chunks(*FILES))
def test_files_that_people_write(chunk: int, size: int, seed: int, share: Share, tmp_path: Path) -> None:
    """Fleets, scenarios and charts with bytes or values changed."""
    path = tmp_path / "file.toml"
    sound = [_small(read_toml(file)) for file in (*SCENARIOS, *find_shipped_folder("fleets").glob("*.toml"))]

    def attempt(chance: Random) -> None:
        document = mutate(chance.choice(sound), chance, chance.randint(0, 3))
        text = tomli_w.dumps({**document, chance.choice(("x", "title")): chance.choice(VALUES)})
        path.write_bytes(
            _spoilt_file(text, chance).encode("utf-8", chance.choice(("replace", "surrogatepass")))
        )
        for file in check_file(path, SYSTEMS).files:
            raise file
        with suppress(QfError):
            load_scenario(path, SYSTEMS)

    _inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _chunks(*BOOKS))
@pytest.mark.parametrize("book", [convoys, rivers], ids=["by hand", "by tables"])
def test_rule_books(book: ModuleType, chunk: int, size: int, seed: int, share: Share, tmp_path: Path) -> None:
    """Books with bytes or values changed; those that are sound all the same are played a little."""
    scenario = book.copied(tmp_path)
    path = tmp_path / book.FILE.name
    sound = [read_toml(path), *map(read_toml, sorted(find_shipped_folder("rules").glob("*.rules.toml")))]

    def attempt(chance: Random) -> None:
        text = tomli_w.dumps(mutate(chance.choice(sound), chance, chance.randint(0, 4)))
        path.write_bytes(
            _spoilt_file(text, chance).encode("utf-8", chance.choice(("replace", "surrogatepass")))
        )
        for file in check_file(path, Systems()).files:
            raise file
        session = Session.begin(*load_scenario(scenario, Systems()), seed=7)
        lot = Lot(chance, session)
        for _ in range(chance.randint(0, 9)):
            with suppress(QfError):
                session.enter(lot.line())

    _inputs(share, seed, chunk, size, attempt)


def _small(document: Document) -> Document:
    """A file with few ships: what is wrong with one is wrong with forty."""
    return {**document, **({"ship": document["ship"][:2]} if "ship" in document else {})}


def _spoilt_file(text: str, chance: Random) -> str:
    if chance.random() < 0.5:
        return text
    at = chance.randrange(len(text) + 1)
    return text[:at] + _spoilt(text[at : at + 100], chance) + text[at + 100 :]
