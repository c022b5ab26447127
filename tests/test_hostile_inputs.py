"""A million hostile inputs: damaged orders, files and saves.

Each input is accepted or refused with a message: no other exception, no unprintable text, no delay. Each
chunk has its own seed; `tests.long` runs all but a small chunk of each kind.
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
from tests.journal.making import seal_lines
from tests.library.mutations import VALUES, Document, mutate
from tests.long import Share
from tests.systems import find_our_systems, load_our_battles


def _shrink_to_duel(system: RuleSystem, battle: Battle) -> tuple[RuleSystem, Battle]:
    """Shrink a battle to two ships a side, which show the same faults as a hundred."""
    sides = [[ship for ship in battle.ships.values() if ship.side == side.id] for side in battle.sides]
    ships = {ship.id: ship for side in sides for ship in side[:2]}
    few = replace(battle, ships=ships, reserve={}, plan=Plan(), began=None)
    return system, replace(few, began=few) if battle.began else few


SYSTEMS = find_our_systems()
SCENARIOS = sorted((find_shipped_folder("fleets") / "scenarios").glob("*.toml"))
BATTLES = [*load_our_battles().values(), (convoys.load_convoys(), convoys.load_battle())]
DUELS = [_shrink_to_duel(*battle) for battle in BATTLES]
SLOW = 5.0
"""Seconds that no input may take, even on a busy machine."""

SMALL = 30
ORDERS, READ, SAVES, FILES = (40, 10_000), (20, 20_000), (20, 9_000), (10, 2_000)
BOOKS = (10, 10_000)
"""Chunks of each kind, and the inputs in each: over a million in all."""


def _list_chunks(count: int, size: int) -> list[object]:
    long = [pytest.param(n, size, marks=pytest.mark.long) for n in range(1, count + 1)]
    return [pytest.param(0, SMALL), *long]


def _try_inputs(share: Share, seed: int, chunk: int, size: int, attempt: Callable[[Random], object]) -> None:
    """Try inputs; each may raise only a QfError with a printable message, and may not be slow."""
    chance = Random(f"{seed} {chunk}")
    for _ in share.take(range(size)):
        state, began = chance.getstate(), time.process_time()
        try:
            attempt(chance)
        except QfError as fault:
            words = str(fault).replace("\n", "")
            assert words.isprintable(), (state, words)
        assert time.process_time() - began < SLOW, state


def _spoil(text: str, chance: Random) -> str:
    """Drop, double, reverse or replace parts of a text."""
    for _ in range(chance.randint(0, 3)):
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        odd = chance.choice(
            (*STRANGE, "\x1b[2J", "\u202e", "\0", "\n", " " * 200, "9" * 400, "ä", "𝟛", "—", '"')
        )
        text = chance.choice(
            (text[:at] + text[to:], text[:to] + odd + text[to:], text[:at] + odd + text[to:])
        )
    return text[:2000]


@pytest.mark.parametrize(("chunk", "size"), _list_chunks(*ORDERS))
def test_hostile_orders(chunk: int, size: int, seed: int, share: Share) -> None:
    """Enter, correct and preview orders in battles of all systems that go on for a while."""
    session = lot = None
    left = 0

    def attempt(chance: Random) -> None:
        nonlocal session, lot, left
        if session is None or lot is None or left == 0:
            session = Session.begin(*chance.choice(BATTLES), seed=chance.choice((None, 7)))
            lot, left = Lot(chance, session), chance.randint(20, 120)
        left -= 1
        line = lot.draw_line()
        if chance.random() < 0.2:
            line = _spoil(line, chance)
        if chance.random() < 0.1:
            session.preview_order(line)
        session.enter(line)

    _try_inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _list_chunks(*READ))
def test_hostile_lines_that_are_only_read(chunk: int, size: int, seed: int, share: Share) -> None:
    """Read them as scripts and as typed keys."""
    sessions = [Session.begin(*battle) for battle in BATTLES]

    def attempt(chance: Random) -> None:
        session = chance.choice(sessions)
        line = _spoil(Lot(chance, session).draw_line(), chance)
        if chance.random() < 0.5:
            session.read(line, chance.choice(list(Reach))).require_order()
        else:
            session.read_typed(line).require_order()

    _try_inputs(share, seed, chunk, size, attempt)


def _build_save(duel: tuple[RuleSystem, Battle], chance: Random) -> list[Document]:
    """Build the lines of a short save, as JSON values."""
    session = Session.begin(*duel, seed=7)
    lot = Lot(chance, session)
    for _ in range(40):
        with suppress(QfError):
            session.enter(lot.draw_line())
    bodies = [encode_header(build_header(session.system, session.timeline.start))]
    return [*bodies, *(encode_act(act) for act in session.timeline.log)]


def _spoil_save(lines: list[Document], chance: Random) -> bytes:
    """Change a line of a save and seal it again, or change bytes without a matching checksum."""
    lines = list(lines)
    with suppress(Misread):
        if chance.random() < 0.8:
            place = chance.choice((0, *[chance.randrange(len(lines))] * 4))
            lines[place] = mutate(lines[place], chance, chance.randint(1, 3))
        data = seal_lines(*map(encode_json, lines))
        if chance.random() < 0.3:
            at = chance.randrange(len(data))
            put = chance.choice((b"", b"\n", b"\0" * 9, bytes([chance.randrange(256)]), data[at : at + 400]))
            data = data[:at] + put + data[at + chance.randint(0, 40) :]
        return data[: chance.choice((None, None, None, chance.randrange(len(data))))]
    return chance.randbytes(chance.randint(0, 400))


@pytest.mark.parametrize(("chunk", "size"), _list_chunks(*SAVES))
def test_hostile_saves(chunk: int, size: int, seed: int, share: Share, tmp_path: Path) -> None:
    """Glance at, open, look through and continue saves that the program did not write."""
    path = tmp_path / "stranger.qfb"
    chance = Random(f"saves {seed} {chunk}")
    saves = [_build_save(duel, chance) for duel in DUELS]

    def attempt(chance: Random) -> None:
        path.write_bytes(_spoil_save(chance.choice(saves), chance))
        with suppress(QfError):
            summary = summarize_save(path)
            assert f"{summary.title}{summary.system}{summary.phase}".isprintable()
        session = Session.view(path, SYSTEMS)
        lot = Lot(chance, session)
        for _ in range(chance.randint(0, 3)):
            with suppress(QfError):
                session.enter(lot.draw_line())

    _try_inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _list_chunks(*FILES))
def test_hostile_files_of_people(chunk: int, size: int, seed: int, share: Share, tmp_path: Path) -> None:
    """Change bytes or values of fleets, scenarios and charts."""
    path = tmp_path / "file.toml"
    sound = [
        _keep_two_ships(read_toml(file))
        for file in (*SCENARIOS, *find_shipped_folder("fleets").glob("*.toml"))
    ]

    def attempt(chance: Random) -> None:
        document = mutate(chance.choice(sound), chance, chance.randint(0, 3))
        text = tomli_w.dumps({**document, chance.choice(("x", "title")): chance.choice(VALUES)})
        path.write_bytes(
            _spoil_file(text, chance).encode("utf-8", chance.choice(("replace", "surrogatepass")))
        )
        for file in check_file(path, SYSTEMS).faulty_files:
            raise file
        with suppress(QfError):
            load_scenario(path, SYSTEMS)

    _try_inputs(share, seed, chunk, size, attempt)


@pytest.mark.parametrize(("chunk", "size"), _list_chunks(*BOOKS))
@pytest.mark.parametrize("book", [convoys, rivers], ids=["by hand", "by tables"])
def test_hostile_rule_books(
    book: ModuleType, chunk: int, size: int, seed: int, share: Share, tmp_path: Path
) -> None:
    """Change bytes or values of books; play a little by valid ones."""
    scenario = book.copy_book(tmp_path)
    path = tmp_path / book.FILE.name
    sound = [read_toml(path), *map(read_toml, sorted(find_shipped_folder("rules").glob("*.rules.toml")))]

    def attempt(chance: Random) -> None:
        text = tomli_w.dumps(mutate(chance.choice(sound), chance, chance.randint(0, 4)))
        path.write_bytes(
            _spoil_file(text, chance).encode("utf-8", chance.choice(("replace", "surrogatepass")))
        )
        for file in check_file(path, Systems()).faulty_files:
            raise file
        session = Session.begin(*load_scenario(scenario, Systems()), seed=7)
        lot = Lot(chance, session)
        for _ in range(chance.randint(0, 9)):
            with suppress(QfError):
                session.enter(lot.draw_line())

    _try_inputs(share, seed, chunk, size, attempt)


def _keep_two_ships(document: Document) -> Document:
    """Keep two ships of a file: forty would show the same faults."""
    return {**document, **({"ship": document["ship"][:2]} if "ship" in document else {})}


def _spoil_file(text: str, chance: Random) -> str:
    if chance.random() < 0.5:
        return text
    at = chance.randrange(len(text) + 1)
    return text[:at] + _spoil(text[at : at + 100], chance) + text[at + 100 :]
