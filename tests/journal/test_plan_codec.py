"""What the start says of later, in the header of a save: kept by every copy of it, and read strictly."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Condition, Due, Plan
from qf_tui.journal.lines import written
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.journal.saving import copy_save
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.new_save import branch_beside, copy_as
from qf_tui.session.saves import rules_by
from tests.journal.making import sealed
from tests.systems import started

SYSTEMS: Mapping[str, RuleSystem] = find_systems()
FIFTH = ("hashidate", "chin-yen", "matsushima", "asama")
SIXTH = ("akashi", "suma", "akitsushima")
PLAN = Plan(
    (
        Due(4, (*FIFTH, *SIXTH), "from the north-east edge"),
        Due(12, table={"light": "dusk"}, note="Dusk: the boats may attack."),
    ),
    (
        Condition(
            "russia",
            3,
            "russia",
            ("withdrawn",),
            "battleship",
            "south-east",
            "those with six speed boxes or more",
        ),
    ),
)


def begun(path: Path) -> Session:
    return Session.begin(*started("yellow-sea-1904"), path, extra={"x": 1})


def header(path: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    del made["sum"]
    return made


def test_the_header_holds_the_plan_and_the_ships_whole(tmp_path: Path) -> None:
    begun(tmp_path / "new.qfb").close()
    extra = header(tmp_path / "new.qfb")["extra"]
    first, second = extra["schedule"]
    assert list(extra) == ["x", "schedule", "victory"]
    assert [ship["id"] for ship in first["ships"]] == [*FIFTH, *SIXTH]
    assert first["ships"][0]["card"]["gunnery.heavy"] == 10
    assert second == {"turn": 12, "table": {"light": "dusk"}, "note": "Dusk: the boats may attack."}
    assert extra["victory"][0] == {
        "side": "russia",
        "count": 3,
        "of": "russia",
        "status": ["withdrawn"],
        "kind": "battleship",
        "edge": "south-east",
        "note": "those with six speed boxes or more",
    }


@pytest.mark.parametrize("copied", ["resumed", "branch", "save as", "cut off"])
def test_every_copy_of_a_save_keeps_it_and_goes_on_by_it(tmp_path: Path, copied: str) -> None:
    path = tmp_path / "new.qfb"
    session = begun(path)
    for _ in range(18):
        session.enter("next")
    battle = session.battle
    session.close()
    if copied == "branch":
        path = branch_beside(path)
    elif copied == "save as":
        path = copy_as(session, str(tmp_path / "other.qfb"))
    elif copied == "cut off":
        copy_save(path, tmp_path / "cut.qfb", 18)
        path = tmp_path / "cut.qfb"
    resumed = Session.resume(path, SYSTEMS)
    assert resumed.timeline.start.plan == resumed.battle.plan == PLAN
    assert (resumed.battle, resumed.extra) == (battle, {"x": 1})
    assert "schedule" not in resumed.notice
    assert [owed.line for owed in resumed.battle.owed] == ["schedule"]
    resumed.enter("join japan " + " ".join((*FIFTH, *SIXTH)))
    joined = resumed.battle
    assert (joined.owed, joined.ships["akashi"].division) == ((), "sixth")
    resumed.close()
    again = Session.look(path, SYSTEMS)
    assert again.battle == joined


def test_the_ships_are_those_of_the_save_and_not_of_the_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a card that changed on the shelf and comes into an old battle."""
    path = tmp_path / "new.qfb"
    begun(path).close()
    first = header(path)
    first["extra"]["schedule"][0]["ships"][0]["card"]["gunnery.heavy"] = 3
    path.write_bytes(sealed(written(first)))
    session = Session.look(path, SYSTEMS)
    session.enter("join japan hashidate")
    assert session.battle.ships["hashidate"].card["gunnery.heavy"] == 3


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda extra: extra.update(schedule={}), "extra.schedule: an object is not a list"),
        (lambda extra: extra.update(schedule=["x"]), "extra.schedule: "),
        (lambda extra: extra["schedule"][0].update(turn=1), "turn 1: nothing falls due before turn 2"),
        (lambda extra: extra["schedule"][0].update(turn=4.0), "“4.0” is not a whole number"),
        (lambda extra: extra["schedule"][0].pop("turn"), "turn is missing"),
        (lambda extra: extra["schedule"][0].update(whence="x"), "unknown key “whence”"),
        (
            lambda extra: extra["schedule"][0]["ships"][0].update(id="mikasa"),
            "“mikasa” is there already",
        ),
        (lambda extra: extra["schedule"][0]["ships"][0].update(id="suma"), "ship “suma” is there already"),
        (
            lambda extra: extra["schedule"][0]["ships"][0].update(side="x"),
            "“hashidate” is of no side: “x”",
        ),
        (lambda extra: extra["schedule"][0]["ships"][0].pop("card"), "card is missing"),
        (lambda extra: extra["schedule"][1].update(note="x" * 301), "a text of 301 characters"),
        (lambda extra: extra["schedule"][1].update(table={"light": ["x"]}), "extra.schedule: "),
        (lambda extra: extra["victory"][0].update(side="nobody"), "extra.victory: there is no side “nobody”"),
        (lambda extra: extra["victory"][0].update(of="nobody"), "extra.victory: there is no side “nobody”"),
        (lambda extra: extra["victory"][0].update(count=0), "extra.victory: “russia”: it counts nothing"),
        (lambda extra: extra["victory"][0].update(status=[]), "extra.victory: “russia”: it counts nothing"),
        (lambda extra: extra["victory"][0].update(kind=7), "extra.victory: "),
    ],
)
def test_a_plan_that_nobody_could_have_made_is_refused(tmp_path: Path, change: Change, told: str) -> None:
    path = tmp_path / "new.qfb"
    begun(path).close()
    first = header(path)
    change(first["extra"])
    path.write_bytes(sealed(written(first)))
    with pytest.raises(SaveFault) as caught:
        read_save(path, rules_by(SYSTEMS))
    assert str(caught.value).startswith("new.qfb, line 1 (the header): ")
    assert told in str(caught.value), str(caught.value)
