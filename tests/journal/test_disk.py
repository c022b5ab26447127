"""Files written whole or not at all, whatever the disk does, and links never followed."""

import resource
from pathlib import Path

import pytest

from qf_tui.journal.disk import set_aside, write_whole
from tests.journal.limits import grown_at_most


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chart.toml"


def _there(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


@pytest.mark.parametrize("over", [False, True])
def test_a_file_is_there_with_all_of_it(path: Path, over: bool) -> None:
    write_whole(path, b"cells", over=over)
    assert path.read_bytes() == b"cells"
    assert _there(path) == ["chart.toml"]


def test_only_who_says_so_writes_over_a_file(path: Path) -> None:
    path.write_bytes(b"somebody's")
    with pytest.raises(FileExistsError):
        write_whole(path, b"cells")
    assert path.read_bytes() == b"somebody's"
    write_whole(path, b"cells", over=True)
    assert path.read_bytes() == b"cells"
    assert _there(path) == ["chart.toml"]


@pytest.mark.parametrize("over", [False, True])
def test_where_there_is_no_room_all_is_as_before(path: Path, over: bool) -> None:
    if over:
        path.write_bytes(b"old")
    before = _there(path)
    with pytest.raises(OSError, match="too large"), grown_at_most(3):
        write_whole(path, b"cells", over=over)
    assert _there(path) == before
    assert not over or path.read_bytes() == b"old"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 3


def test_a_link_is_replaced_and_what_it_names_left_alone(path: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"somebody's")
    path.symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_whole(path, b"cells")
    write_whole(path, b"cells", over=True)
    assert victim.read_bytes() == b"somebody's"
    assert not path.is_symlink()


def test_a_disk_without_hard_links_will_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write_whole(path, b"cells")
    with pytest.raises(FileExistsError):
        write_whole(path, b"others")
    assert path.read_bytes() == b"cells"
    assert _there(path) == ["chart.toml"]


def test_a_torn_end_is_never_put_where_a_link_stands(path: Path) -> None:
    path.with_name("chart.toml.torn-1").symlink_to("nowhere")
    assert set_aside(path, b"torn").name == "chart.toml.torn-2"
