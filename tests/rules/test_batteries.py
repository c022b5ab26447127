"""Batteries on land, in every rule system: they fire and are fired at, but neither move nor sink."""

from collections.abc import Mapping

import pytest
from attrs import evolve, frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import BATTERY, Battle, Ship
from qf_tui.library.navies import register
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import allowed, owed, played, refusal
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import our_systems

SYSTEMS = our_systems()


@frozen
class Ground:
    """A battle of one system: ajax against fort, which is as `kind` says; the orders that a case needs.

    `flooded` is the log of a ship that would have to roll for sinking, `last` the phase before it does.
    """

    system: RuleSystem
    start: Battle
    flooded: Mapping[str, Scalar]
    last: str
    move: str
    torpedo: str
    fire: str
    torpedo_phase: str
    gunnery: str

    def at(self, phase: str, kind: str, log: Mapping[str, Scalar] = {}) -> Session:
        """The battle in a phase."""
        fort = self.start.ships["fort"]
        ships = {**self.start.ships, "fort": _of_kind(fort, kind, log)}
        start = evolve(self.start, phase=phase, ships=ships, began=None)
        return played(self.system, evolve(start, began=start))


def _of_kind(ship: Ship, kind: str, log: Mapping[str, Scalar]) -> Ship:
    return evolve(ship, card={**ship.card, "kind": kind}, log={**ship.log, **log})


SQUARE_ON = {"torpedo": "torpedo ajax fort in", "move": "move fort 0", "torpedo_phase": "gunnery"}
GROUNDS = {
    "advanced-quickfire": Ground(
        SYSTEMS["advanced-quickfire"],
        advanced.battle(advanced.ship("ajax"), advanced.ship("fort", "red")),
        {"speed_lost": 8},
        "repair",
        **{**SQUARE_ON, "torpedo_phase": "second-gunnery"},
        fire="fire ajax heavy fort long",
        gunnery="first-gunnery",
    ),
    "quickfire": Ground(
        SYSTEMS["quickfire"],
        quickfire.battle(quickfire.ship("ajax"), quickfire.ship("fort", "red")),
        {"speed_hits": 8},
        "repair",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort pb"},
        fire="fire ajax heavy fort long",
        gunnery="gunnery",
    ),
    "quickfire-clone": Ground(
        SYSTEMS["quickfire-clone"],
        clone.battle(clone.ship("ajax"), clone.ship("fort", "red")),
        {"speed_hits": 8},
        "repair",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort 5cm"},
        fire="fire ajax heavy fort 60cm",
        gunnery="gunnery",
    ),
    "gq2": Ground(
        SYSTEMS["gq2"],
        gq2.battle(gq2.ship("ajax"), gq2.ship("fort", "red")),
        {"hull_lost": 9},
        "gunnery",
        **{**SQUARE_ON, "torpedo": "torpedo ajax fort stick 3", "torpedo_phase": "torpedo"},
        fire="fire ajax 12 fort straddle 3",
        gunnery="gunnery",
    ),
}
SHIP = "battleship"
EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)


@pytest.mark.parametrize("name", [name for name in GROUNDS if name != "gq2"])
def test_a_battery_rolls_for_no_flooding(name: str) -> None:
    """Catches one that sinks, or that a phase waits for."""
    ground = GROUNDS[name]
    ship = ground.at(ground.last, SHIP, ground.flooded)
    ship.enter("next")
    assert "sinking fort" in owed(ship)
    battery = ground.at(ground.last, BATTERY, ground.flooded)
    battery.enter("next")
    assert not owed(battery)
    assert battery.battle.ships["fort"].afloat


@pytest.mark.clause("AQF-REC-2")
def test_a_battery_has_no_holes_that_grow() -> None:
    """Catches an SX check of what has no compartments."""
    ground = GROUNDS["advanced-quickfire"]
    for kind, asked in ((SHIP, ["sx-check fort"]), (BATTERY, [])):
        session = ground.at("second-gunnery", kind, {"speed_lost": 1})
        session.enter("next")
        assert owed(session) == asked


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(("kind", "status"), [(SHIP, "sinking"), (BATTERY, "abandoned")])
def test_a_battery_without_hull_boxes_is_silenced(kind: str, status: str) -> None:
    """Catches a battery that starts to sink, and one that fires on."""
    session = GROUNDS["gq2"].at("searchlights", kind, {"hull_lost": 9})
    session.enter("damage fort H0.5")
    session.enter("next")
    assert session.battle.ships["fort"].status == status
    assert not allowed(session, "fire fort 12 ajax straddle 3")


@EACH
def test_a_battery_neither_moves_nor_is_asked_to(ground: Ground) -> None:
    """Catches a move of it, and a movement phase that waits for it."""
    session, ship = (ground.at(ground.system.phases[0].name, kind) for kind in (BATTERY, SHIP))
    refusal(session, ground.move)
    assert [one.ship for one in ground.system.may_act(session.battle)] == ["ajax"]
    assert "fort" in [one.ship for one in ground.system.may_act(ship.battle)]


@EACH
def test_no_torpedo_reaches_a_battery(ground: Ground) -> None:
    """Catches a launch at land, one by force too, and ajax that is offered one."""
    ship, battery = (ground.at(ground.torpedo_phase, kind) for kind in (SHIP, BATTERY))
    assert allowed(ship, ground.torpedo)
    refusal(battery, ground.torpedo)
    refusal(battery, f"force {ground.torpedo}")
    assert "T" in _letters(ship)
    assert "T" not in _letters(battery)


def _letters(session: Session) -> str:
    """What ajax may still do."""
    found = (one.letters for one in session.system.may_act(session.battle) if one.ship == "ajax")
    return next(found, "")


@EACH
def test_a_battery_fires_and_is_fired_at(ground: Ground) -> None:
    """Catches one that is no target."""
    session = ground.at(ground.gunnery, BATTERY)
    assert allowed(session, ground.fire)
    there_and_back = ground.fire.replace("ajax", "$").replace("fort", "ajax").replace("$", "fort")
    assert allowed(session, there_and_back)


@EACH
def test_a_battle_may_end_with_a_battery_left(ground: Ground) -> None:
    """Catches one that holds a battle which no ship can go on with."""
    session = ground.at(ground.gunnery, BATTERY)
    ships = session.battle.ships
    with_wreck = {**ships, "wreck": evolve(ships["ajax"], id="wreck", side="red", status="sunk")}
    assert ground.system.ended(evolve(session.battle, ships=with_wreck)).startswith("Red has no ship left")
    assert not ground.system.ended(session.battle)


def test_a_battery_is_not_rammed_and_strikes_no_mine() -> None:
    collided = GROUNDS["quickfire-clone"]
    assert allowed(collided.at("move", SHIP), "collide ajax fort")
    refusal(collided.at("move", BATTERY), "force collide ajax fort")
    mined = GROUNDS["gq2"]
    assert allowed(mined.at("torpedo", SHIP), "mine fort")
    refusal(mined.at("torpedo", BATTERY), "force mine fort")


@pytest.mark.parametrize(
    ("system", "key", "value"),
    [
        ("advanced-quickfire", "armor.heavy", 7),
        ("advanced-quickfire", "armor.light", 8),
        ("advanced-quickfire", "gunnery.heavy", 19),
        ("advanced-quickfire", "speed", 0),
        ("quickfire", "armor.heavy", 7),
        ("quickfire-clone", "armor.heavy", 5),
        ("quickfire-clone", "speed", 0),
        ("gq2", "df", 4.5),
        ("gq2", "class", "battery"),
        ("gq2", "hull.1", 0),
        ("gq2", "battery.1.af", 5),
    ],
)
def test_a_parapet_is_rated_as_plate_and_speed_is_none(system: str, key: str, value: Scalar) -> None:
    """Electric Cliff, five 10-inch guns behind earth; catches a battery as weak as a bare deck."""
    facts = next(one for one in register(["russia"]).ships if one.id == "electric-cliff-battery")
    rating = SYSTEMS[system].rate(facts)
    assert rating is not None
    assert rating.card[key] == value
    assert any("parapet" in text for text in rating.assumptions)
