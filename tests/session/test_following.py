"""Following a save while it grows: always the battle of the whole save, whatever happens to the file."""

import gc
import os
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.timeline import Timeline
from qf_tui.journal.lines import read_stated_sum, seal
from qf_tui.journal.reading import read_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session import Session
from qf_tui.session.saves import Follower, build_header, make_rules_finder, open_timeline
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import draw_corrected
from tests.journal.making import save_bytes
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
SAMPLE = (find_shipped_folder("saves") / "yellow-sea-1904.qfb").read_bytes()
LINES = SAMPLE.splitlines(keepends=True)
PATIENCE = 8
"""Looks after which a repaired file is noticed."""


def open_whole(path: Path) -> Timeline:
    """Open a save and return its timeline."""
    return open_timeline(read_save(path, make_rules_finder(SYSTEMS)), SYSTEMS)[1]


def start_follower(path: Path, lines: int) -> Follower:
    """Follow a file that has the first lines of the sample."""
    path.write_bytes(b"".join(LINES[:lines]))
    return Follower(path, SYSTEMS)


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def look(follower: Follower, times: int = PATIENCE) -> Follower:
    for _ in range(times):
        follower.read_changes()
    return follower


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "followed.qfb"


def cut_slices(data: bytes, header: int, cuts: list[int]) -> Iterator[bytes]:
    """Yield the bytes after the header in slices."""
    places = sorted({header, len(data), *(header + cut % (len(data) - header + 1) for cut in cuts)})
    yield from (data[a:b] for a, b in pairwise(places))


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@settings(max_examples=settings().max_examples // 3)
@given(data=st.data(), cuts=st.lists(st.integers(0, 10**6), max_size=6))
def test_a_save_that_grows_by_slices_equals_the_whole_save(
    ground: Ground, data: st.DataObject, cuts: list[int]
) -> None:
    """Compare after each slice, which may end within a line; the log has corrections and arrivals."""
    played = data.draw(draw_corrected(ground)).timeline
    systems = {**SYSTEMS, ground.system.name: ground.system}
    body = save_bytes(build_header(ground.system, played.start), played.log)
    header = body.index(b"\n") + 1
    with TemporaryDirectory() as folder:
        path = Path(folder) / "followed.qfb"
        path.write_bytes(body[:header])
        follower = Follower(path, systems)
        for piece in cut_slices(body, header, cuts):
            add(path, piece)
            follower.read_changes()
            opened = open_timeline(read_save(path, make_rules_finder(systems)), systems)[1]
            assert follower.timeline == opened
            assert follower.battle == opened.battle
            assert not follower.lost
        assert path.read_bytes() == body
        assert [found.name for found in Path(folder).iterdir()] == ["followed.qfb"]


def test_an_unchanged_file_reports_no_change(save: Path) -> None:
    follower = start_follower(save, 60)
    was = follower.timeline
    assert not any(follower.read_changes() for _ in range(PATIENCE))
    os.utime(save)
    assert not any(follower.read_changes() for _ in range(PATIENCE))
    assert follower.timeline is was


def test_each_new_entry_is_seen_at_the_next_look(save: Path) -> None:
    """Leave the writer's lock and `.end` file unchanged."""
    save.write_bytes(b"".join(LINES[:100]))
    writer = Session.resume(save, SYSTEMS)
    follower = Follower(save, SYSTEMS)
    assert not follower.writable
    for line in ("note the wind backs", "note it rains", "undo", "strike 20", "redo", "amend 100 note gale"):
        writer.enter(line)
        beside = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in save.parent.iterdir()}
        assert follower.read_changes(), line
        assert follower.timeline == writer.timeline, line
        assert beside == {
            path: (path.read_bytes(), path.stat().st_mtime_ns) for path in save.parent.iterdir()
        }
    assert writer.writable
    writer.close()


def test_untouched_ships_stay_the_same_objects(save: Path) -> None:
    """Let the screen redraw only the rows that changed."""
    follower = start_follower(save, 100)
    ships = dict(follower.battle.ships)
    add(save, LINES[100])
    follower.read_changes()
    assert sum(ships[id] is ship for id, ship in follower.battle.ships.items()) >= len(ships) - 2


@pytest.mark.parametrize("cut", [1, 30, len(LINES[60]) - 1])
def test_an_incomplete_last_line_waits_for_its_rest(save: Path, cut: int) -> None:
    follower = start_follower(save, 60)
    add(save, LINES[60][:cut])
    look(follower)
    assert len(follower.timeline.log) == 59
    assert not follower.notice
    add(save, LINES[60][cut:])
    follower.read_changes()
    assert len(follower.timeline.log) == 60
    assert follower.timeline == open_whole(save)


def test_bytes_that_arrive_after_the_length_are_read(save: Path) -> None:
    """Allow for a network disk that reports the new length before it has the new bytes."""
    follower = start_follower(save, 60)
    add(save, b"\0" * len(LINES[60]))
    stands = save.stat()
    look(follower)
    assert len(follower.timeline.log) == 59
    save.write_bytes(b"".join(LINES[:61]))
    os.utime(save, ns=(stands.st_atime_ns, stands.st_mtime_ns))
    look(follower)
    assert len(follower.timeline.log) == 60
    assert not follower.notice


@pytest.mark.parametrize(
    ("lines", "more", "gone"), [(57, 0, "it was cut: acts 57 to 59 are"), (59, 20, "act 59 is")]
)
def test_a_cut_save_is_reported_and_followed_from_there(save: Path, lines: int, more: int, gone: str) -> None:
    """Cut the file at the end of a line, or within one."""
    follower = start_follower(save, 60)
    os.truncate(save, len(b"".join(LINES[:lines])) + more)
    look(follower)
    assert f"{gone} gone from its end" in follower.notice
    assert len(follower.timeline.log) == lines - 1
    assert follower.timeline == open_whole(save)
    add(save, b"".join(LINES[lines:62])[more:])
    look(follower)
    assert follower.notice == ""
    assert follower.timeline == open_whole(save)
    assert len(follower.timeline.log) == 61


@pytest.mark.parametrize("left", [b"", LINES[0][:40], b"{}"])
def test_an_emptied_save_keeps_the_battle_on_show(save: Path, left: bytes) -> None:
    follower = start_follower(save, 60)
    was = follower.timeline
    save.write_bytes(left)
    assert look(follower).lost
    assert "The screen shows the battle as last read." in follower.notice
    assert follower.timeline is was
    save.write_bytes(b"".join(LINES[:70]))
    look(follower)
    assert not follower.lost
    assert len(follower.timeline.log) == 69


def test_a_missing_save_is_reported_and_followed_when_it_is_back(save: Path) -> None:
    follower = start_follower(save, 60)
    was = follower.timeline
    aside = save.rename(save.with_name("aside"))
    assert follower.read_changes()
    assert "there is no such file" in follower.lost
    assert follower.timeline is was
    add(aside, LINES[60])
    aside.rename(save)
    look(follower)
    assert not follower.notice
    assert len(follower.timeline.log) == 60


def test_a_longer_copy_of_the_save_is_followed_without_a_restart(save: Path) -> None:
    """Follow a folder that is synchronized: each change is a new file."""
    follower = start_follower(save, 60)
    ships = follower.battle.ships
    copy = save.with_name("copy")
    copy.write_bytes(b"".join(LINES[:61]))
    copy.replace(save)
    assert follower.read_changes()
    assert not follower.notice
    assert len(follower.timeline.log) == 60
    assert sum(follower.battle.ships[id] is ship for id, ship in ships.items()) >= len(ships) - 2


def test_another_battle_in_the_same_file_replaces_the_first(save: Path) -> None:
    follower = start_follower(save, 60)
    known = follower.battle_id
    other = GROUNDS["gq2"]
    save.write_bytes(save_bytes(build_header(other.system, other.start(False)), ()))
    look(follower)
    assert "it now holds another battle" in follower.notice
    assert follower.battle_id != known
    assert follower.system.name == other.system.name
    assert follower.timeline == open_whole(save)


def test_a_log_that_differs_from_an_act_on_is_reported(save: Path) -> None:
    save.write_bytes(b"".join(LINES[:60]))
    writer = Session.resume(save, SYSTEMS)
    writer.enter("note fog")
    writer.enter("note rain")
    writer.close()
    follower = Follower(save, SYSTEMS)
    save.write_bytes(b"".join(LINES[:63]))
    look(follower)
    assert "its acts differ from act 60 on" in follower.notice
    assert follower.timeline == open_whole(save)


@pytest.mark.parametrize(
    "stranger",
    [
        b"what is this\n",
        b"\0" * 4000,
        b"x" * 9_000_000,
        LINES[62],
        LINES[59],
        LINES[60].replace(b'"n":60', b'"n":61'),
        LINES[60] + b"more\n" + LINES[61],
        LINES[60][:-1] + LINES[61],
    ],
    ids=["words", "zeros", "long", "later", "twice", "number", "within", "run-together"],
)
def test_foreign_bytes_add_no_entry_and_block_only_while_present(save: Path, stranger: bytes) -> None:
    follower = start_follower(save, 60)
    add(save, stranger)
    look(follower)
    assert len(follower.timeline.log) in (59, 60)
    save.write_bytes(b"".join(LINES[:65]))
    look(follower)
    assert not follower.lost
    assert follower.timeline == open_whole(save)


def test_an_absurdly_large_save_is_not_read(save: Path) -> None:
    follower = start_follower(save, 60)
    os.truncate(save, 60_000_000)
    tracemalloc.start()
    try:
        look(follower)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "no save is larger than" in follower.lost
    assert most < 1_000_000
    os.truncate(save, len(b"".join(LINES[:60])))
    look(follower)
    assert not follower.notice


def test_a_sealed_line_with_senseless_rules_is_reported(save: Path) -> None:
    follower = start_follower(save, 60)
    was = follower.timeline
    act = b'{"turn":1,"phase":"movement","kind":"fired","ship":"mikasa","facts":{"moon":1}}'
    effects = b'[["act","mikasa","fired",%b]]' % act
    body = b'{"n":60,"order":"note x","rulings":{"60":{"effects":%b}}}' % effects
    add(save, seal(body, read_stated_sum(LINES[59]))[0])
    look(follower)
    assert follower.lost
    assert follower.timeline is was
    save.write_bytes(b"".join(LINES[:61]))
    look(follower)
    assert not follower.lost
    assert follower.timeline == open_whole(save)


def test_a_save_that_cannot_be_opened_is_refused(save: Path) -> None:
    with pytest.raises(QfError, match="there is no such file"):
        Follower(save, SYSTEMS)


def test_a_follower_keeps_only_one_timeline_in_memory(save: Path) -> None:
    follower = start_follower(save, 2)
    for line in LINES[2:100]:
        add(save, line)
        follower.read_changes()
    gc.collect()
    tracemalloc.start()
    try:
        add(save, LINES[100][:50])
        look(follower, 300)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 300_000
