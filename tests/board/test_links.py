"""The links of a save: a secret for each viewer and the switch, in a file for their owner alone."""

import json
import re
from pathlib import Path

import pytest

from qf_tui.board.links import (
    HERE,
    Address,
    Links,
    checked_host,
    keep_links,
    kept_links,
    links_path,
    listening,
)
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.core.errors import QfError

TWO = Links((("", "a" * 15 + "_"), ("japan", "b" * 15 + "-"), ("russia", "Z9" * 8)))


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "battle.qfb"


def test_every_viewer_has_a_secret_of_96_bits() -> None:
    made = Links().for_sides(("japan", "russia"))
    assert [viewer for viewer, _ in made.secrets] == [ALL, "japan", "russia"]
    found = [secret for _ in range(50) for _, secret in Links().for_sides(("japan", "russia")).secrets]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch("[A-Za-z0-9_-]{16}", one) for one in found)


def test_a_side_that_comes_later_gets_a_link_and_the_others_keep_theirs() -> None:
    more = TWO.for_sides(("russia", "china"))
    assert more.secrets[:3] == TWO.secrets
    assert more.viewer(more.secret("china")) == "china"


@pytest.mark.parametrize("wrong", ["", "x", "é", "\udc80", TWO.secret(ALL)[:-1], f"{TWO.secret(ALL)} "])
def test_a_wrong_secret_is_nobodys(wrong: str) -> None:
    assert TWO.viewer(wrong) is None
    assert TWO.viewer(TWO.secret("japan")) == "japan"


def test_new_links_are_all_others() -> None:
    new = TWO.renewed()
    assert [viewer for viewer, _ in new.secrets] == [viewer for viewer, _ in TWO.secrets]
    assert not {secret for _, secret in new.secrets} & {secret for _, secret in TWO.secrets}


def test_the_switch_goes_round() -> None:
    assert [TWO.turned().switch, TWO.turned().turned().switch] == [
        BoardSwitch.OWN_SIDE,
        BoardSwitch.PHASE_END,
    ]
    assert TWO.turned().turned().turned() == TWO


def test_links_are_kept_for_their_owner_alone(save: Path) -> None:
    """Also over a file that others could read."""
    assert kept_links(save) is None
    links_path(save).write_text("{}", encoding="utf-8")
    links_path(save).chmod(0o644)
    keep_links(save, TWO)
    assert kept_links(save) == TWO
    assert links_path(save).stat().st_mode & 0o777 == 0o600
    assert [one.name for one in save.parent.iterdir()] == ["battle.qfb.board"]


GOOD: dict[str, object] = {
    "format": 1,
    "switch": "at-once",
    "port": 0,
    "links": {"": "A" * 16, "japan": "B" * 16},
}
OTHER: tuple[dict[str, object], ...] = (
    {"format": 2},
    {"switch": "all"},
    {"switch": 1},
    {"port": "1"},
    {"port": 1 << 16},
    {"port": True},
    {"links": []},
    {"links": {"": "short"}},
    {"links": {"": ["A" * 16]}},
    {"links": {"": "A" * 16, "b": "A" * 16}},
)
WRONG = [
    "",
    "{",
    "[]",
    "null",
    "7",
    "[" * 100_000,
    "\x00",
    "{}",
    *(json.dumps({**GOOD, **one}) for one in OTHER),
]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_a_file_that_holds_no_links_is_refused_with_what_to_do(save: Path, text: str) -> None:
    links_path(save).write_text(text, encoding="utf-8")
    with pytest.raises(QfError, match=r"battle\.qfb\.board: no links\. Delete it"):
        kept_links(save)


def test_a_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(QfError, match="the links cannot be kept"):
        keep_links(tmp_path / "nowhere" / "battle.qfb", TWO)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (Address("10.0.0.7", 8904), "10.0.0.7:8904"),
        (Address("10.0.0.7", 80), "10.0.0.7"),
        (Address("fd00::1", 8904), "[fd00::1]:8904"),
    ],
)
def test_an_address_is_called_as_browsers_call_it(address: Address, name: str) -> None:
    assert address.name == name
    assert address.link("s") == f"http://{name}/s/"


@pytest.mark.parametrize(
    "text", ["0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "club.local", "", "127.0.0.1:80"]
)
def test_what_is_no_address_of_one_computer_is_refused(text: str) -> None:
    with pytest.raises(QfError, match="--host"):
        checked_host(text)


def test_a_port_that_is_taken_is_told_and_the_usual_one_left_for_another() -> None:
    first, at = listening(HERE, 0)
    with first:
        with pytest.raises(QfError, match=rf"port {at.port} is taken.*--port N"):
            listening(HERE, at.port)
        with pytest.raises(QfError, match="is taken"):
            listening(HERE, None, at.port)
        for _ in range(2):
            another, free = listening(HERE, None)
            with another:
                assert free.port != at.port
    with pytest.raises(QfError, match=r"192\.0\.2\.1 is no address of this computer"):
        listening("192.0.2.1", 0)
