"""The battle screen as text, line by line.

`QF_TUI_REGENERATE=1 pytest tests/console` writes the files anew.
"""

import os
import re
from pathlib import Path

import pytest

from qf_tui.session import Session
from tests.console.playing import HOSTILE, SIZES, Table, bench, gunnery, play, tiny
from tests.systems import our_battles

GOLDEN = Path(__file__).parent / "golden"
ORDERS = (
    "next",
    "fire mikasa heavy borodino long 4 8",
    "fire borodino heavy mikasa long 4 10",
    "damage ohio F F E",
    "leave hannibal sunk",
    "mark massena speed_hits 2",
)


def _fought(names: dict[str, str] | None = None) -> Session:
    session = bench(names)
    for order in ORDERS:
        session.enter(order)
    return session


def compare(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("QF_TUI_REGENERATE"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", ["plain", "hostile"])
def test_the_battle_screen_looks_as_it_did(size: tuple[int, int], names: str) -> None:
    async def steps(table: Table) -> None:
        text = table.text()
        assert max(len(line) for line in text.splitlines()) <= size[0]
        compare(f"battle-{names}-{size[0]}x{size[1]}", text)

    play(_fought(HOSTILE if names == "hostile" else None), steps, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_dialog_looks_as_it_did(size: tuple[int, int]) -> None:
    async def steps(table: Table) -> None:
        await table.press(*"fhbo", "space", *"l4")
        compare(f"dialog-{size[0]}x{size[1]}", table.text(behind=True))

    play(gunnery(), steps, size)


def test_another_rule_system_is_drawn_from_what_it_declares() -> None:
    async def steps(table: Table) -> None:
        compare("tiny-80x24", table.text())

    play(tiny(4), steps, (80, 24))


def test_a_refusal_that_is_longer_than_its_room_is_cut_with_a_sign_and_keeps_its_key() -> None:
    """Catches lines that end in mid-sentence, and the key that overrules beyond the last of them."""
    system, start = our_battles()["yellow-sea-1904"]
    session = Session.begin(system, start)
    session.enter("move tsesarevich,retvizan,pobeda,peresvet,sevastopol,poltava 6")

    async def steps(table: Table) -> None:
        await table.press("m", "up", *["backspace"] * 20)
        await table.write("tses,retv,pob,pere,seva,polt")
        await table.press("down", "6")
        assert re.search(r"✗ Tsesarevich has .*\n.*\n.*…   F2 overrules │\n│ pivots", table.text())

    play(session, steps, (80, 24))
