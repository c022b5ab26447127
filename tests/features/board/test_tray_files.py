"""The two files of the tray: appended, followed, cut, damaged, and next to another battle."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.features.board.tray_files import (
    CLOSED_BEFORE,
    REPLY_KINDS,
    BesideFile,
    Damaged,
    DeviceAsked,
    Proposal,
    RoundClosed,
    RoundOpened,
    SentBack,
    Shown,
    TrayFault,
    TrayFiles,
    TrayState,
    build_part_id,
    compute_battle_mark,
    find_tray_path,
)
from tests.posix import make_link, make_pipe

MARK = "0123"


def build_proposal(number: int, seat: str = "anna", round: str = "") -> Proposal:
    return Proposal(f"{number:032x}", seat, seat.title(), ("note x",), (3, 8), round=round)


ITEMS = (
    build_proposal(1),
    build_proposal(3),
    SentBack("1", "too late"),
    RoundOpened("1/fire/0", "Fire"),
    RoundClosed("1/fire/0", ("a", "b")),
    build_proposal(2),
    Shown("1/fire/0", "anna"),
)


@pytest.fixture
def file(tmp_path: Path) -> BesideFile:
    return BesideFile(tmp_path / "a.qfb.replies", MARK, REPLY_KINDS)


def follow(file: BesideFile, mark: str = MARK) -> BesideFile:
    other = BesideFile(file.path, mark, REPLY_KINDS)
    other.look()
    return other


def test_appended_items_are_read_by_followers_and_after_a_restart(file: BesideFile) -> None:
    follower = follow(file)
    for item in ITEMS:
        file.append(item)
        assert follower.look()
        assert follower.items == file.items
    assert not follower.look()
    file.close()
    assert follow(file).items == ITEMS
    again = follow(file)
    again.append(build_proposal(9))
    assert follow(file).items == (*ITEMS, build_proposal(9))


def test_a_file_of_another_battle_counts_as_absent_and_is_kept_apart(file: BesideFile) -> None:
    file.append(build_proposal(1))
    file.close()
    other = follow(file, "another")
    assert other.items == ()
    other.append(build_proposal(2))
    other.close()
    assert follow(file, "another").items == (build_proposal(2),)
    kept = BesideFile(file.path.with_name(f"{file.path.name}.other-1"), MARK, REPLY_KINDS)
    assert kept.look()
    assert kept.items == (build_proposal(1),)


def test_a_copy_of_a_battle_has_another_mark(tmp_path: Path) -> None:
    assert compute_battle_mark(tmp_path / "a.qfb", "5") == compute_battle_mark(
        tmp_path / "x" / ".." / "a.qfb", "5"
    )
    marks = {
        compute_battle_mark(tmp_path / name, total) for name in ("a.qfb", "b.qfb") for total in ("5", "6")
    }
    assert len(marks) == 4


def test_only_one_program_at_a_time_writes_the_file(file: BesideFile) -> None:
    file.append(build_proposal(1))
    with pytest.raises(TrayFault, match="another board or console uses it"):
        follow(file).append(build_proposal(2))


@pytest.mark.parametrize(
    "make", [make_pipe, Path.mkdir, *(partial(make_link, to=to) for to in ("elsewhere", "/dev/zero"))]
)
def test_a_path_that_is_no_plain_file_is_neither_read_nor_written(
    file: BesideFile, make: Callable[[Path], object]
) -> None:
    make(file.path)
    assert not file.look()
    with pytest.raises(TrayFault, match="is not a plain file"):
        file.append(build_proposal(1))
    assert file.items == ()
    assert [path.name for path in file.path.parent.iterdir()] == [file.path.name]


def test_a_full_file_takes_nothing_more(file: BesideFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.tray_files.TRAY_MOST", 300)
    file.append(build_proposal(1))
    with pytest.raises(TrayFault, match="is full"):
        file.append(build_proposal(2))
    assert file.items == follow(file).items == (build_proposal(1),)


@given(st.data())
def test_the_sound_part_of_a_damaged_file_remains_and_can_be_appended(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Cut the file anywhere, or change one byte: only lines with that byte are lost."""
    path = tmp_path_factory.mktemp("tray") / "a.qfb.replies"
    file = BesideFile(path, MARK, REPLY_KINDS)
    for item in ITEMS:
        file.append(item)
    file.close()
    written = path.read_bytes()
    at = data.draw(st.integers(0, len(written) - 1))
    changed = bytes([written[at] ^ (1 << data.draw(st.integers(0, 7)))])
    cut = data.draw(st.booleans())
    path.write_bytes(written[:at] if cut else written[:at] + changed + written[at + 1 :])
    again = follow(file)
    sound = again.items
    assert sound == tuple(item for item in ITEMS if item in sound)
    assert sound == ITEMS[: len(sound)] if cut else len(sound) >= len(ITEMS) - 3
    assert cut or again.fault
    again.append(build_proposal(7))
    again.close()
    kept = follow(file)
    assert kept.fault == ""
    assert tuple(item for item in kept.items if not isinstance(item, Damaged)) == (*sound, build_proposal(7))


SPOILT: dict[str, Callable[[bytes], bytes | None]] = {
    "a byte is flipped": lambda data: data.replace(b"Anna", b"Anne", 1),
    "its first line is damaged": lambda data: data.replace(b"qf-tui", b"qf-tuj", 1),
    "it is emptied": lambda data: b"",
    "it is removed": lambda data: None,
    "an older copy is put back": lambda data: b"".join(data.splitlines(keepends=True)[:3]),
}


@pytest.mark.parametrize("how", SPOILT)
def test_damage_to_a_file_that_was_read_loses_nothing(file: BesideFile, how: str) -> None:
    """Guard against proposals that vanish silently; the owner writes them back."""
    for item in ITEMS:
        file.append(item)
    follower = follow(file)
    data = SPOILT[how](file.path.read_bytes())
    file.path.unlink()
    if data is not None:
        file.path.write_bytes(data)
    for each in (follower, file):
        assert each.look()
        assert each.items == ITEMS
        assert file.path.name in each.fault
    file.repair()
    assert file.fault == ""
    assert follower.look()
    assert follower.fault == ""
    assert follower.items[: len(ITEMS)] == ITEMS
    file.append(build_proposal(9))
    file.close()
    again = follow(file)
    assert again.fault == ""
    assert [item for item in again.items if not isinstance(item, Damaged)] == [*ITEMS, build_proposal(9)]


def test_lost_lines_are_on_record(file: BesideFile, tmp_path: Path) -> None:
    """Guard against damage that stays unknown if the board restarts before the console looks."""
    for item in ITEMS:
        file.append(item)
    file.close()
    file.path.write_bytes(file.path.read_bytes().replace(b"Anna", b"Anne", 1))
    again = follow(file)
    assert again.items == ITEMS[1:]
    again.repair()
    lost = Damaged(2, 1, f"{file.path.name}.other-1")
    assert list(again.items) == [*ITEMS[1:], lost]


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_damaged_files_raise_nothing(file: BesideFile, count: int, seed: int) -> None:
    chance = Random(seed)
    for item in ITEMS:
        file.append(item)
    file.close()
    written = file.path.read_bytes()
    for _ in range(count):
        data = bytearray(written)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        file.path.write_bytes(data)
        found = follow(file)
        assert set(found.items) <= set(ITEMS)
        assert found.fault or found.items == ITEMS[: len(found.items)]


def test_a_line_has_the_kind_of_its_file(tmp_path: Path) -> None:
    """Read old lines in the same way: the umpire's own declaration is below `proposal`."""
    files = TrayFiles.from_save(tmp_path / "a.qfb", "5")
    for item in (build_proposal(1), DeviceAsked("anna", "d1")):
        files.tray.append(item)
    files.replies.append(build_proposal(2))
    lines = [json.loads(line) for path in tmp_path.glob("*.[tr]*") for line in path.read_bytes().splitlines()]
    kinds = {line["kind"]: line for line in lines if "kind" in line}
    assert kinds.keys() == {"proposal", "device", "declared"}
    assert kinds["proposal"]["id"] == build_proposal(1).id
    assert kinds["declared"]["proposal"]["id"] == build_proposal(2).id
    again = TrayFiles.from_save(tmp_path / "a.qfb", "5")
    again.look()
    assert again.tray.items == (build_proposal(1), DeviceAsked("anna", "d1"))
    assert again.replies.items == (build_proposal(2),)
    files.close()


def test_each_save_has_its_own_tray(tmp_path: Path) -> None:
    save = tmp_path / "a.qfb"
    files = TrayFiles.from_save(save, "5")
    files.tray.append(build_proposal(1))
    files.replies.append(SentBack(build_proposal(1).id, "no"))
    files.close()
    assert find_tray_path(save).stat().st_mode & 0o077 == 0
    other = TrayFiles.from_save(save, "5")
    assert other.look()
    assert other.state.sent_back == {build_proposal(1).id: "no"}
    moved = TrayFiles.from_save(save, "6")
    moved.look()
    assert moved.state == TrayState()


def test_closed_declarations_enter_order_by_order() -> None:
    first, second = build_proposal(1, round="r"), build_proposal(2, round="r")
    boris = Proposal("b", "boris", "Boris", ("note b", "note c"), round="r")
    late = build_proposal(3, "carl", round="r")
    opened = RoundOpened("r", "Fire")
    state = TrayState((first, second, boris), (opened,))
    assert state.open_round == opened
    assert state.find_declared("r") == {"anna": second, "boris": boris}
    assert state.to_enter == ()
    state = TrayState((first, second, boris, late), (opened, RoundClosed("r", (boris.id, second.id))))
    assert state.open_round is None
    assert [each.id for each in state.to_enter] == [
        build_part_id("b", 0),
        build_part_id("b", 1),
        build_part_id(second.id, 0),
    ]
    assert [each.orders for each in state.to_enter] == [("note b",), ("note c",), ("note x",)]
    assert state.sent_back == {first.id: CLOSED_BEFORE, late.id: CLOSED_BEFORE}


def test_a_declaration_that_the_umpire_typed_takes_precedence() -> None:
    typed = Proposal("t", "anna", "Anna", ("note t",), round="r")
    for replies in ((RoundOpened("r", "Fire"), typed),):
        assert TrayState((build_proposal(1, round="r"),), replies).find_declared("r") == {"anna": typed}


def test_devices_are_listed_once_with_the_latest_last() -> None:
    """Leave out devices that asked by a revoked link."""
    every = (("anna", "a"), ("boris", "x"), ("anna", "b"))
    asked = [DeviceAsked("anna", "z", "old"), *(DeviceAsked(seat, name, "new") for seat, name in every)]
    state = TrayState((*asked, DeviceAsked("anna", "a", "new")))
    assert state.list_devices("anna", "new") == ("b", "a")
