"""A schedule in each rule system: who arrives, what changes, and that it moves with corrections."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from qf_tui.core.availability import who_may_act
from qf_tui.core.errors import QfError
from qf_tui.core.schedule import proposed
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle
from qf_tui.library.paths import read_toml, shipped
from qf_tui.library.scenarios import battle_of, read_scenario
from qf_tui.session import Session
from tests.core.playing import renumbered
from tests.systems import our_systems

SYSTEMS: Mapping[str, RuleSystem] = our_systems()


@frozen
class Evening:
    """A scenario, who arrives on turn 2 with one of its ships, and what each of its orders would be."""

    scenario: str
    side: str
    division: str
    ship: str
    dusk: str
    """The order that answers dusk."""
    move: str
    """An order of movement by the ship."""


NOTE = "note Dusk: the lamps."
EVENINGS = {
    "advanced-quickfire": Evening("yellow-sea-1904", "japan", "third", "yakumo", NOTE, "move yakumo 4"),
    "quickfire-clone": Evening("yellow-sea-1904", "japan", "third", "yakumo", NOTE, "move yakumo 5cm"),
    "quickfire": Evening("port-arthur-1904", "russia", "scouts", "askold", NOTE, "move askold 7"),
    "gq2": Evening("yellow-sea-1904", "japan", "third", "yakumo", "table light dusk", "move yakumo 4"),
}
EACH = pytest.mark.parametrize(("rules", "evening"), EVENINGS.items(), ids=EVENINGS)


@cache
def scheduled(rules: str) -> tuple[RuleSystem, Battle]:
    """The scenario of an evening with a schedule of ours."""
    evening = EVENINGS[rules]
    path = shipped("scenarios") / f"{evening.scenario}.toml"
    schedule = [
        {"turn": 2, "arrives": [evening.division], "where": "from the north"},
        {"turn": 2, "table": {"light": "dusk"}, "note": "Dusk: the lamps."},
    ]
    data = {**read_toml(path), "schedule": schedule}
    return battle_of(read_scenario(data, path, SYSTEMS, rules=rules))


def begun(rules: str, save: Path | None = None) -> Session:
    """A battle that begins with it."""
    return Session.begin(*scheduled(rules), save)


def turned(session: Session) -> Session:
    """One that has come to the next turn."""
    turn = session.battle.turn
    while session.battle.turn == turn:
        session.enter("next")
    return session


def orders(session: Session) -> list[str]:
    """What the schedule asks for."""
    return [order.line for owed in session.battle.owed if (order := proposed(owed))]


def play(session: Session, *lines: str) -> Session:
    for line in lines:
        session.enter(line)
    return session


@EACH
def test_a_division_arrives_on_its_turn_and_not_before(rules: str, evening: Evening) -> None:
    session = begun(rules)
    assert not [ship for ship in session.battle.ships.values() if ship.division == evening.division]
    assert evening.ship not in {one.ship for one in who_may_act(session.system, session.battle)}
    with pytest.raises(QfError, match="no ship"):
        session.enter(evening.move)
    arrives, dusk = orders(turned(session))
    assert (arrives.split()[:2], dusk) == (["join", evening.side], evening.dusk)
    with pytest.raises(QfError, match=r"still owed: .*arrives from the north"):
        session.enter("next")
    play(session, arrives, evening.dusk, evening.move)
    assert not session.battle.owed
    assert evening.ship in session.battle.ships
    assert session.battle.table.get("light", "day") == ("dusk" if "table" in evening.dusk else "day")


@EACH
def test_what_the_system_lacks_is_remarked(rules: str, evening: Evening) -> None:
    session = turned(begun(rules))
    reasons = session.timeline.rulings[session.timeline.play_order[-1]].decision.reasons
    remarks = [one.text for one in reasons if one.remark and one.text.startswith("light")]
    lacks = [f"light dusk: {session.system.title} has no such thing, so people keep it in mind"]
    assert remarks == ([] if "table" in evening.dusk else lacks)


@EACH
def test_corrections_move_it(rules: str, evening: Evening) -> None:
    """Undo and redo of the turn, a turn put in and taken out, an entry amended: as played right at once."""
    session = turned(begun(rules))
    asks = orders(session)
    play(session, *asks, evening.move)
    right, steps = session.battle, len(asks) + 2
    play(session, f"undo {steps}")
    assert (session.battle.turn, session.battle.owed) == (1, ())
    play(session, "redo 1")
    assert orders(session) == asks
    play(session, f"redo {steps - 1}")
    assert session.battle == right
    for _ in session.system.phases:
        session.enter("insert 0 next")
    assert (session.battle.turn, session.battle.owed) == (3, ())
    assert evening.ship in session.battle.ships
    play(session, f"undo {len(session.system.phases)}")
    assert session.battle == right


@EACH
def test_a_turn_that_was_forgotten_brings_it_up_and_its_answers_go_where_they_belong(
    rules: str, evening: Evening
) -> None:
    session = play(begun(rules), "next")
    play(session, *["insert 0 next" for _ in session.system.phases])
    asks = orders(session)
    assert [owed.late for owed in session.battle.owed] == [True, True]
    play(session, *asks)
    right = play(turned(begun(rules)), *asks, "next")
    assert renumbered(session.timeline) == right.battle
    assert evening.ship in right.battle.start.ships


@EACH
def test_an_entry_amended_before_it_leaves_it_as_played_right_at_once(rules: str, evening: Evening) -> None:
    first, other = ("note it is fair", "note it is foul")
    amended = play(turned(play(begun(rules), first)))
    play(amended, *orders(amended), evening.move, f"amend 1 {other}")
    right = turned(play(begun(rules), other))
    play(right, *orders(right), evening.move)
    assert renumbered(amended.timeline) == right.battle
    assert not amended.battle.owed


@EACH
def test_a_save_opened_again_is_the_battle_and_asks_the_same(
    rules: str, evening: Evening, tmp_path: Path
) -> None:
    session = turned(begun(rules, tmp_path / "new.qfb"))
    session.enter(orders(session)[0])
    read = Session.look(tmp_path / "new.qfb", SYSTEMS)
    assert (read.battle, orders(read)) == (session.battle, orders(session))
    assert opened(read.timeline.start, read.timeline.log).battle == session.battle
    session.close()
