"""The two files of the tray: appended, followed, cut, damaged, and beside another battle."""

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


def proposal(number: int, seat: str = "anna", round: str = "") -> Proposal:
    return Proposal(f"{number:032x}", seat, seat.title(), ("note x",), (3, 8), round=round)


ITEMS = (
    proposal(1),
    proposal(3),
    SentBack("1", "too late"),
    RoundOpened("1/fire/0", "Fire"),
    RoundClosed("1/fire/0", ("a", "b")),
    proposal(2),
    Shown("1/fire/0", "anna"),
)


@pytest.fixture
def file(tmp_path: Path) -> BesideFile:
    return BesideFile(tmp_path / "a.qfb.replies", MARK, REPLY_KINDS)


def followed(file: BesideFile, mark: str = MARK) -> BesideFile:
    other = BesideFile(file.path, mark, REPLY_KINDS)
    other.look()
    return other


def test_what_is_appended_is_read_by_who_follows_and_by_who_goes_on(file: BesideFile) -> None:
    follower = followed(file)
    for item in ITEMS:
        file.append(item)
        assert follower.look()
        assert follower.items == file.items
    assert not follower.look()
    file.close()
    assert followed(file).items == ITEMS
    again = followed(file)
    again.append(proposal(9))
    assert followed(file).items == (*ITEMS, proposal(9))


def test_beside_another_battle_it_counts_as_absent_and_is_kept_apart(file: BesideFile) -> None:
    file.append(proposal(1))
    file.close()
    other = followed(file, "another")
    assert other.items == ()
    other.append(proposal(2))
    other.close()
    assert followed(file, "another").items == (proposal(2),)
    kept = BesideFile(file.path.with_name(f"{file.path.name}.other-1"), MARK, REPLY_KINDS)
    assert kept.look()
    assert kept.items == (proposal(1),)


def test_the_mark_of_a_copy_is_another(tmp_path: Path) -> None:
    assert compute_battle_mark(tmp_path / "a.qfb", "5") == compute_battle_mark(
        tmp_path / "x" / ".." / "a.qfb", "5"
    )
    marks = {
        compute_battle_mark(tmp_path / name, total) for name in ("a.qfb", "b.qfb") for total in ("5", "6")
    }
    assert len(marks) == 4


def test_one_program_at_a_time_writes_it(file: BesideFile) -> None:
    file.append(proposal(1))
    with pytest.raises(TrayFault, match="another board or console holds it"):
        followed(file).append(proposal(2))


@pytest.mark.parametrize(
    "make", [make_pipe, Path.mkdir, *(partial(make_link, to=to) for to in ("elsewhere", "/dev/zero"))]
)
def test_what_is_no_plain_file_is_neither_read_nor_written(
    file: BesideFile, make: Callable[[Path], object]
) -> None:
    make(file.path)
    assert not file.look()
    with pytest.raises(TrayFault, match="is no plain file"):
        file.append(proposal(1))
    assert file.items == ()
    assert [path.name for path in file.path.parent.iterdir()] == [file.path.name]


def test_a_full_file_takes_nothing_more(file: BesideFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.tray_files.TRAY_MOST", 300)
    file.append(proposal(1))
    with pytest.raises(TrayFault, match="is full"):
        file.append(proposal(2))
    assert file.items == followed(file).items == (proposal(1),)


@given(st.data())
def test_whatever_became_of_its_end_the_sound_part_stands_and_goes_on(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Cut anywhere, or one byte changed: only lines that the byte spoils are lost; nothing raises."""
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
    again = followed(file)
    sound = again.items
    assert sound == tuple(item for item in ITEMS if item in sound)
    assert sound == ITEMS[: len(sound)] if cut else len(sound) >= len(ITEMS) - 3
    assert cut or again.fault
    again.append(proposal(7))
    again.close()
    kept = followed(file)
    assert kept.fault == ""
    assert tuple(item for item in kept.items if not isinstance(item, Damaged)) == (*sound, proposal(7))


SPOILT: dict[str, Callable[[bytes], bytes | None]] = {
    "a byte is flipped": lambda data: data.replace(b"Anna", b"Anne", 1),
    "its first line is damaged": lambda data: data.replace(b"qf-tui", b"qf-tuj", 1),
    "it is emptied": lambda data: b"",
    "it is removed": lambda data: None,
    "an older copy is put back": lambda data: b"".join(data.splitlines(keepends=True)[:3]),
}


@pytest.mark.parametrize("how", SPOILT)
def test_whatever_becomes_of_a_file_that_was_read_nothing_is_lost(file: BesideFile, how: str) -> None:
    """Catches proposals that vanish without a word; the owner writes them back."""
    for item in ITEMS:
        file.append(item)
    follower = followed(file)
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
    file.append(proposal(9))
    file.close()
    again = followed(file)
    assert again.fault == ""
    assert [item for item in again.items if not isinstance(item, Damaged)] == [*ITEMS, proposal(9)]


def test_what_was_lost_is_on_record(file: BesideFile, tmp_path: Path) -> None:
    """Catches damage that nobody hears of, as the board was started anew before the console looked."""
    for item in ITEMS:
        file.append(item)
    file.close()
    file.path.write_bytes(file.path.read_bytes().replace(b"Anna", b"Anne", 1))
    again = followed(file)
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
        found = followed(file)
        assert set(found.items) <= set(ITEMS)
        assert found.fault or found.items == ITEMS[: len(found.items)]


def test_a_line_has_the_kind_of_its_file(tmp_path: Path) -> None:
    """Lines of before are read alike: what the umpire typed stands under `proposal`."""
    files = TrayFiles.from_save(tmp_path / "a.qfb", "5")
    for item in (proposal(1), DeviceAsked("anna", "d1")):
        files.tray.append(item)
    files.replies.append(proposal(2))
    lines = [json.loads(line) for path in tmp_path.glob("*.[tr]*") for line in path.read_bytes().splitlines()]
    kinds = {line["kind"]: line for line in lines if "kind" in line}
    assert kinds.keys() == {"proposal", "device", "declared"}
    assert kinds["proposal"]["id"] == proposal(1).id
    assert kinds["declared"]["proposal"]["id"] == proposal(2).id
    again = TrayFiles.from_save(tmp_path / "a.qfb", "5")
    again.look()
    assert again.tray.items == (proposal(1), DeviceAsked("anna", "d1"))
    assert again.replies.items == (proposal(2),)
    files.close()


def test_a_save_has_its_own(tmp_path: Path) -> None:
    save = tmp_path / "a.qfb"
    files = TrayFiles.from_save(save, "5")
    files.tray.append(proposal(1))
    files.replies.append(SentBack(proposal(1).id, "no"))
    files.close()
    assert find_tray_path(save).stat().st_mode & 0o077 == 0
    other = TrayFiles.from_save(save, "5")
    assert other.look()
    assert other.state.sent_back == {proposal(1).id: "no"}
    moved = TrayFiles.from_save(save, "6")
    moved.look()
    assert moved.state == TrayState()


def test_declarations_stand_when_they_are_closed_each_order_by_itself() -> None:
    first, second = proposal(1, round="r"), proposal(2, round="r")
    boris = Proposal("b", "boris", "Boris", ("note b", "note c"), round="r")
    late = proposal(3, "carl", round="r")
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


def test_what_the_umpire_typed_for_a_player_counts_first() -> None:
    typed = Proposal("t", "anna", "Anna", ("note t",), round="r")
    for replies in ((RoundOpened("r", "Fire"), typed),):
        assert TrayState((proposal(1, round="r"),), replies).find_declared("r") == {"anna": typed}


def test_devices_are_told_once_the_latest_last() -> None:
    """Those that asked by a link that was revoked are not told."""
    every = (("anna", "a"), ("boris", "x"), ("anna", "b"))
    asked = [DeviceAsked("anna", "z", "old"), *(DeviceAsked(seat, name, "new") for seat, name in every)]
    state = TrayState((*asked, DeviceAsked("anna", "a", "new")))
    assert state.list_devices("anna", "new") == ("b", "a")
