"""Extras of acts: the parts that features keep with an entry, and unknown ones."""

from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.hooks import Extra, Feature
from qf_tui.journal.codec import decode_act, encode_act
from qf_tui.journal.lines import decode_json, encode_json
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.journal.saving import copy_save
from qf_tui.registry import show_extras
from qf_tui.session import Session
from qf_tui.session.session import ActOrigin
from tests.systems import find_our_systems, load_start

SYSTEMS = find_our_systems()
KEPT = {"weather": {"wind": 4, "from": ["north", "east"]}}


def check_tide(value: object) -> str:
    """Accept whole numbers."""
    return "" if isinstance(value, int) else "is no height of the tide"


TIDE = Extra(
    "tide",
    check_tide,
    lambda session, revision: revision.number,
    lambda value, viewer: value if viewer == "japan" else None,
)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """Make a save whose entries have an unknown extra, one of them amended with another."""
    path = tmp_path / "battle.qfb"
    session = Session.begin(*load_start("yellow-sea-1904"), path)
    for line in ("note one", "note two", "amend 1 note three"):
        reading = session.read(line)
        session.record(session.work_out(reading.require_order()), ActOrigin("", {**KEPT, "line": line}))
    session.close()
    return path


def list_extras(path: Path) -> list[dict[str, object]]:
    return [dict(act.extra) for act in read_save(path).log]


def test_an_unknown_extra_is_kept_and_mentioned(save: Path, tmp_path: Path) -> None:
    """Go on with such a save, and copy it with its extras."""
    before = save.read_bytes()
    wanted = [{**KEPT, "line": line} for line in ("note one", "note two", "amend 1 note three")]
    assert list_extras(save) == wanted
    assert (
        "it also holds “weather”, “line”, which this program keeps but does not read"
        in Session.view(save, SYSTEMS).notice
    )
    session = Session.resume(save, SYSTEMS)
    session.enter("note four")
    assert session.timeline.log[0].extra == wanted[0]
    session.close()
    assert save.read_bytes().startswith(before)
    assert list_extras(save)[:3] == wanted
    copy_save(save, tmp_path / "copy.qfb", 3)
    assert list_extras(tmp_path / "copy.qfb") == wanted


def test_a_feature_writes_and_checks_its_own_extra(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.registry.find_features", lambda: (Feature("tides", extras=(TIDE,)),))
    session = Session.resume(save, SYSTEMS)
    session.enter("note four")
    session.close()
    assert list_extras(save)[3] == {"tide": 4}
    session = Session.resume(save, SYSTEMS)
    reading = session.read("note five")
    session.record(session.work_out(reading.require_order()))
    session.close()
    monkeypatch.setattr(TIDE, "check", lambda value: "is no height" if value == 5 else "")
    with pytest.raises(SaveFault, match="its “tide” is no height"):
        read_save(save)


def test_a_side_sees_the_extras_that_the_feature_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show an extra to a viewer only if its feature allows it."""
    monkeypatch.setattr("qf_tui.registry.find_features", lambda: (Feature("tides", extras=(TIDE,)),))
    kept = {**KEPT, "tide": 3}
    assert show_extras(kept, "japan") == {"tide": 3}
    assert show_extras(kept, "russia") == {}


@pytest.mark.parametrize("key", ["proposal", "nonce"])
def test_two_older_extras_keep_their_place_in_the_line(save: Path, key: str) -> None:
    """Keep the save readable for older programs, and its witness unchanged."""
    act = evolve(read_save(save).log[0], by="Anna", extra={**KEPT, key: "ab"})
    body = encode_act(act)
    assert (body[key], body["by"], body["extra"]) == ("ab", "Anna", KEPT)
    assert list(body)[-3:] == (["proposal", "by", "extra"] if key == "proposal" else ["by", "nonce", "extra"])
    back = decode_act(decode_json(encode_json(body)))
    assert (back.by, back.extra) == (act.by, act.extra)
