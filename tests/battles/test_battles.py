"""Our battles: who is there, under which rules they begin, and some turns of each by lot."""

from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from _pytest.mark import ParameterSet  # `pytest.param` returns it, and it has no public name
from attrs import frozen

from qf_tui.core.values import BATTERY, Battle
from qf_tui.library.paths import read_toml
from qf_tui.library.scenarios import ScenarioRead, find_scenario, read_scenario
from qf_tui.session import Session
from tests.battles.evening import Evening
from tests.systems import OURS, find_our_systems

SYSTEMS = find_our_systems()
TURNS = 5
FEW_TURNS = 2


@frozen
class Expected:
    """Ships of each side at the start, later, and on land; the rule systems that suit the battle."""

    there: tuple[int, int]
    later: int
    ashore: int = 0
    suits: tuple[str, ...] = OURS


_GRAND = ("advanced-quickfire", "gq2", "quickfire")
_SMALL = ("advanced-quickfire", "quickfire", "quickfire-clone")
BATTLES: Mapping[str, Expected] = {
    "pungdo-1894": Expected((3, 2), 2),
    "yalu-1894": Expected((12, 10), 6, suits=_GRAND),
    "weihaiwei-1895": Expected((10, 21), 6, ashore=3, suits=("gq2",)),
    "manila-bay-1898": Expected((7, 15), 0, ashore=3, suits=_SMALL),
    "santiago-1898": Expected((8, 3), 8, ashore=2, suits=_GRAND),
    "channel-1898": Expected((23, 16), 6),
    "mediterranean-1900": Expected((27, 29), 0, suits=_GRAND),
    "yellow-sea-1904": Expected((21, 18), 7),
    "port-arthur-1904": Expected((17, 37), 0, ashore=4, suits=_GRAND),
    "chemulpo-1904": Expected((10, 2), 0),
    "ulsan-1904": Expected((5, 3), 4),
    "tsushima-1905": Expected((35, 36), 70, suits=_GRAND),
}
"""The battles; of the Yellow Sea all other ships of the two fleets may come."""


@cache
def read_battle(name: str, rules: str) -> ScenarioRead:
    """Read a shipped battle under some rules, once."""
    path = find_scenario(name)
    return read_scenario(read_toml(path), path, SYSTEMS, rules=rules)


def begin_battle(name: str, rules: str) -> Battle:
    """Begin a battle without faults."""
    begun = read_battle(name, rules).battle
    assert begun is not None, read_battle(name, rules).faults
    return begun


@pytest.mark.parametrize("rules", OURS)
@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_begins_under_every_rule_system(name: str, rules: str) -> None:
    """Detect a ship that is not in her navy in that year, and a file that a system refuses."""
    expected, read = BATTLES[name], read_battle(name, rules)
    assert not read.faults
    assert not read.warnings
    begun = begin_battle(name, rules)
    sides = [side.id for side in begun.sides]
    assert tuple(sum(ship.side == side for ship in begun.ships.values()) for side in sides) == expected.there
    assert len(begun.reserve) == expected.later
    assert tuple(sorted(read.suits)) == tuple(sorted(expected.suits))


@pytest.mark.parametrize("name", BATTLES)
def test_shore_batteries_are_present_and_do_not_move(name: str) -> None:
    """Detect a battery that a system gives a speed, or leaves out."""
    for rules in OURS:
        ashore = [ship for ship in begin_battle(name, rules).ships.values() if ship.is_land_battery]
        assert len(ashore) == BATTLES[name].ashore
        assert all(ship.card["kind"] == BATTERY for ship in ashore)
        assert not any(ship.card.get("speed") or ship.card.get("hull.1") for ship in ashore)


def test_every_ship_that_fought_at_tsushima_is_present() -> None:
    """Expect twelve in each line, 21 destroyers against 9, 41 boats, the transports."""
    begun = begin_battle("tsushima-1905", "advanced-quickfire")
    every = {**begun.ships, **begun.reserve}.values()

    def count(side: str, *kinds: str) -> int:
        return sum(ship.side == side and ship.card["kind"] in kinds for ship in every)

    assert count("japan", "battleship", "armored cruiser") == 4 + 8 + 1
    assert count("russia", "battleship", "coast defence") == 8 + 3
    assert count("japan", "destroyer") == 21
    assert count("russia", "destroyer") == 9
    assert count("japan", "torpedo boat") == 41
    assert {"kamchatka", "anadyr", "irtysh", "koreya", "rus", "svir"} <= begun.ships.keys()


def test_the_fleet_at_weihaiwei_is_anchored_at_night() -> None:
    """Detect ships under way as the boats arrive, and a battle by day."""
    begun = begin_battle("weihaiwei-1895", "gq2")
    anchored = {ship.id for ship in begun.ships.values() if ship.log["state"] == "standby"}
    assert len(anchored) == 14
    assert {"ting-yuen", "chen-pien"} <= anchored
    assert begun.table["light"] == "night"


def test_the_evening_off_port_arthur_is_found_by_its_old_name() -> None:
    assert find_scenario("port-arthur-1904-d6").stem == "port-arthur-1904-evening"
    assert find_scenario("port-arthur-1904").stem == "port-arthur-1904"


def _list_battles() -> Iterator[ParameterSet]:
    """List two turns of each battle under one suitable system; in rounds, five under all."""
    for number, (name, expected) in enumerate(BATTLES.items()):
        yield pytest.param(name, expected.suits[number % len(expected.suits)], FEW_TURNS)
        for rules in expected.suits:
            yield pytest.param(name, rules, TURNS, marks=pytest.mark.long)


@pytest.mark.parametrize(("name", "rules", "turns"), list(_list_battles()))
def test_some_turns_of_a_battle_are_played(name: str, rules: str, turns: int) -> None:
    """Require shots in every phase of every turn, and damage."""
    evening = Evening(Session.begin(SYSTEMS[rules], begin_battle(name, rules)))
    evening.play(turns)
    if not evening.hits:
        turns = TURNS
        evening.play(turns)
    guns = {phase for form in SYSTEMS[rules].forms if form.word == "fire" for phase in form.phases}
    fired = {(shot.turn, shot.phase) for shot in evening.shots}
    assert {(turn, phase) for turn in range(1, turns + 1) for phase in guns} <= fired
    assert evening.hits
    due = {id for due in evening.battle.plan.schedule if due.turn <= turns + 1 for id in due.ships}
    assert due <= evening.battle.ships.keys()
    assert all(ship.status != "sunk" for ship in evening.battle.ships.values() if ship.is_land_battery)
