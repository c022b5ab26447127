"""Reinforcements: any ship of any navy joins a battle, valued by its rules."""

from pathlib import Path

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import Reach
from qf_tui.core.values import Ship, replace
from qf_tui.library.drafts import navy_ships
from qf_tui.library.navies import register, save_ships
from qf_tui.library.rated_cards import rated
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.fuzzing import first_of
from tests.console.playing import bench, tiny
from tests.library.test_own_ships import WREN
from tests.systems import OURS

pytestmark = pytest.mark.usefixtures("home")


def joined(session: Session, words: str) -> Ship:
    side = session.battle.sides[0].id
    entered = session.enter(f"join {side} {words}")
    assert entered.act.version is not None
    (ship,) = entered.act.version.arrivals
    assert session.battle.ships[ship.id].side == side
    return ship


@pytest.mark.parametrize("name", OURS)
def test_a_ship_of_a_navy_joins_a_battle_of_any_rules(name: str, tmp_path: Path) -> None:
    system, start = first_of(name)
    session = Session.begin(system, start, tmp_path / "battle.qfb")
    ship = joined(session, "jaure")
    (facts,) = register(["france"]).found(["jaureguiberry"])
    rating = rated(system, facts)
    assert rating is not None
    assert {key: ship.card[key] for key in rating.card} == rating.card
    assert ship.name == "Jauréguiberry"
    session.enter("note she has come")
    session.close()
    again = Session.resume(tmp_path / "battle.qfb", find_systems())
    assert again.battle.ships["jaureguiberry"].card == ship.card
    again.close()


def test_a_ship_of_the_users_joins_even_if_she_was_entered_since() -> None:
    session = bench()
    with pytest.raises(OrderRefused, match="no ship “kingbird”"):
        joined(session, "kingbird")
    save_ships(
        "Ruritania", [{**WREN, "id": "kingbird", "name": "Kingbird", "by_hand": "advanced-quickfire speed=9"}]
    )
    assert joined(session, "kingb").card["speed"] == 9
    with pytest.raises(OrderRefused, match="Kingbird is in the battle already"):
        joined(session, "kingbird")


def test_what_letters_mean_among_the_fleets_they_go_on_meaning() -> None:
    """Catches a script whose beginning of a name is of several ships since all navies are known."""
    session = bench()
    near = session.scope().arrivals()
    of_all = [one.id for one in register().ships]
    ship = next(one for one in near.values() if sum(id.startswith(one.id[:3]) for id in of_all) > 1)
    lengths = range(3, len(ship.id) + 1)
    short = next(ship.id[:n] for n in lengths if sum(id.startswith(ship.id[:n]) for id in near) == 1)
    assert joined(session, short) == ship


def test_navies_that_share_an_id_are_told_apart() -> None:
    for navy in ("Ruritania", "Graustark"):
        save_ships(navy, [{**WREN, "id": "kingbird", "name": "Kingbird"}])
    session = bench()
    with pytest.raises(OrderRefused, match=r"graustark-kingbird \(Kingbird\), ruritania-kingbird"):
        joined(session, "kingbird")
    assert joined(session, "ruritania-kingbird").id == "ruritania-kingbird"


@pytest.mark.parametrize(("date", "offered"), [("10 August 1904", False), ("1906-05-01", True), ("", True)])
def test_a_navy_has_the_ships_of_the_battles_year(date: str, offered: bool) -> None:
    """Catches a date in words that is taken for none."""
    session = bench()
    battle = session.battle
    known = navy_ships(session.system, replace(battle, table={**battle.table, "date": date}))
    assert ("kashima" in known) is offered


def test_keys_offer_them_behind_those_of_the_fleets() -> None:
    session = bench()
    reading = session.read_typed(f"join {session.battle.sides[0].id} jaur")
    assert reading.complete().many("ships") == ("jaureguiberry",)
    assert session.scope(Reach.ANYWHERE).elsewhere()


def test_rules_without_a_method_offer_no_ship_of_a_navy() -> None:
    assert tiny().scope().elsewhere() == ()


def test_a_ship_that_stands_among_the_sisters_of_a_class_joins_too() -> None:
    row = {**WREN, "id": "king-class", "name": "King (class)", "sisters": "Kingbird; Kingfisher (1899)"}
    save_ships("Ruritania", [row])
    ship = joined(bench(), "kingfisher")
    assert (ship.id, ship.name) == ("kingfisher", "Kingfisher")
