"""What a ship is worth in every rule system: never more after damage, and about a point for each result."""

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Mark, Ship
from qf_tui.rules.quickfire_family.system import QuickfireSystem
from tests.systems import OURS, our_battles, our_systems

README = Path(__file__).parent.parent.parent / "README.md"
BENCHES = tuple(our_battles())
GQ2_CODES = ("H", "H½", "H1.5", "H4", "A", "A½", "A3", "C", "CA", "S")


def codes_of(system: RuleSystem) -> tuple[str, ...]:
    """The damage codes of a system."""
    return system.codes if isinstance(system, QuickfireSystem) else GQ2_CODES


def hurt(system: RuleSystem, battle: Battle, ship: str, *codes: str, source: str = "") -> Battle:
    """The battle after damage by the umpire's word."""
    builder = DecisionBuilder(battle, 1)
    system.prepare_damage(battle, ship, codes, source).decide((), builder)
    return builder.battle


def a_ship(name: str, kind: str = "", at: int = 0) -> tuple[RuleSystem, Battle, Ship]:
    """A ship of the first bench of a system, the first of a kind."""
    system, battle = next(found for found in our_battles().values() if found[0].name == name)
    ships = [ship for ship in battle.ships.values() if kind in str(ship.card.get("kind"))]
    return system, battle, ships[at]


def mikasa(**log: Scalar) -> tuple[RuleSystem, Battle]:
    """The battleship that points are measured by, under Advanced Quickfire."""
    system, battle = our_battles()["yellow-sea-1904"]
    ship = battle.ships["mikasa"]
    return system, battle.with_ship(evolve(ship, log={**ship.log, **log}))


@given(
    bench=st.sampled_from(BENCHES),
    pick=st.integers(0, 99),
    blows=st.lists(st.integers(0, 99), min_size=1, max_size=40),
    source=st.integers(0, 9),
    weights=st.lists(st.floats(0, 1000), min_size=12, max_size=12),
)
def test_no_damage_ever_adds_to_what_a_ship_is_worth(
    bench: str, pick: int, blows: list[int], source: int, weights: list[float]
) -> None:
    """Catches points that come back as a box, a fire or the ship herself is lost, by any weights."""
    system, battle = our_battles()[bench]
    ship = list(battle.ships)[pick % len(battle.ships)]
    own = {part.name: weight for part, weight in zip(system.worth.parts, weights, strict=False)}
    sources = ("", *system.damage_sources)
    for blow in blows:
        codes = codes_of(system)
        after = hurt(
            system, battle, ship, codes[blow % len(codes)], source=sources[(blow + source) % len(sources)]
        )
        for worth in (system.worth, system.worth.weighted(own)):
            assert worth.of_ship(after.ships[ship]) <= worth.of_ship(battle.ships[ship]) + 1e-9
        battle = after


@pytest.mark.parametrize(
    ("codes", "points"),
    [
        (("G",), 1), (("S",), 1), (("SX",), 3), (("F",), 1), (("B",), 0.25), (("T",), 0.75), (("R",), 0.5),
        (("D",), 0), (("G", "S"), 2),
    ],
)  # fmt: skip
def test_a_result_on_a_battleship_is_about_a_point(codes: tuple[str, ...], points: float) -> None:
    """Catches weights by which an advantage cannot be read as so many results."""
    system, battle = mikasa()
    after = hurt(system, battle, "mikasa", *codes)
    lost = system.worth.of_side(battle, "japan") - system.worth.of_side(after, "japan")
    assert lost == pytest.approx(points)


def test_light_guns_lose_points_by_their_own_gunnery() -> None:
    system, battle = mikasa()
    after = hurt(system, battle, "mikasa", "G", source="light")
    before = system.worth.of_ship(battle.ships["mikasa"])
    assert before - system.worth.of_ship(after.ships["mikasa"]) == pytest.approx(13 / 20)


def test_an_sx_that_makes_a_live_s_give_way_still_costs_its_flooding() -> None:
    system, battle = mikasa(speed_hits=8)
    after = hurt(system, battle, "mikasa", "SX")
    before = system.worth.of_ship(battle.ships["mikasa"])
    assert before - system.worth.of_ship(after.ships["mikasa"]) == pytest.approx(2)


@pytest.mark.parametrize("name", OURS)
def test_a_ship_that_is_lost_is_worth_nothing_and_one_that_withdrew_keeps_it(name: str) -> None:
    """Catches a ship that is counted where she lies, and one that is lost as she leaves."""
    system, battle, ship = a_ship(name)
    whole = system.worth.of_ship(ship)
    assert whole > 0
    for status in system.departure_statuses:
        left = whole if status == "withdrawn" else 0
        assert system.worth.of_ship(evolve(ship, status=status)) == left, status
    assert system.worth.of_side(battle, ship.side) > whole


def test_a_sinking_ship_and_an_abandoned_one_are_worth_nothing() -> None:
    system, _, ship = a_ship("gq2")
    for status in ("sinking", "abandoned"):
        assert system.worth.of_ship(evolve(ship, status=status)) == 0


@pytest.mark.parametrize("name", OURS)
def test_no_ship_is_worth_less_than_nothing(name: str) -> None:
    system, _, ship = a_ship(name)
    fires = tuple(Mark(f"1.{at}", "fires") for at in range(199))
    assert system.worth.of_ship(evolve(ship, marks=fires)) == 0
    out = tuple(evolve(fire, lifted=True) for fire in fires)
    assert system.worth.of_ship(evolve(ship, marks=out)) == system.worth.of_ship(ship)


@pytest.mark.parametrize("name", OURS)
def test_every_part_counts_for_some_ship_or_takes_something_off(name: str) -> None:
    """Catches a part that reads a field that no log has."""
    system = our_systems()[name]
    ships = [
        ship for own, battle in our_battles().values() if own is system for ship in battle.ships.values()
    ]
    for part in system.worth.parts:
        assert part.less or any(part.of(ship) > 0 for ship in ships), part.name
    assert len({part.name for part in system.worth.parts}) == len(system.worth.parts)


@pytest.mark.parametrize("name", OURS)
def test_the_readme_has_the_formula_as_it_is_declared(name: str) -> None:
    """Catches a weight or a part that is changed in one place alone."""
    system = our_systems()[name]
    parts = "; ".join(f"`{part.name}` {part.words}" for part in system.worth.parts)
    assert f"| **{system.title}** | {parts} |" in README.read_text(encoding="utf-8").splitlines()


MARKED = {
    "advanced-quickfire": {"fires": 1, "flooding": 2, "courses": 0.5},
    "quickfire": {"fires": 0.25, "margin": 1, "courses": 0.5},
    "quickfire-clone": {"fires": 0.25, "margin": 1, "courses": 0.5},
    "gq2": {"fires": 0.5, "fire-control": 1, "rudder": 0.5, "passing": 0.25},
}
"""What each of what is taken off takes from a battleship of size 15, or one of DF 10."""
KINDS = {
    "fires": ("fires", "fires"), "courses": ("course", "course"), "fire-control": ("fire_control",) * 2,
    "rudder": ("rudder", "rudder"), "passing": ("bridge", "steam"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "part", "points"), [
    (name, part, points) for name, parts in MARKED.items() for part, points in parts.items()
])  # fmt: skip
def test_what_has_yet_to_do_harm_is_taken_off(name: str, part: str, points: float) -> None:
    system, _, ship = a_ship(name)
    ship = evolve(ship, card={**ship.card, "size": 15, "df": 10})
    worse = ship
    if part in KINDS:
        worse = evolve(ship, marks=tuple(Mark(f"1.{at}", kind) for at, kind in enumerate(KINDS[part])))
    else:
        field, floor = ("speed_lost", 0) if part == "flooding" else ("speed_hits", 8)
        ship, worse = (evolve(ship, log={**ship.log, field: floor + more}) for more in (0, 2))
    boxes = 2 if part == "flooding" else 0
    lost = system.worth.of_ship(ship) - system.worth.of_ship(worse)
    assert lost == pytest.approx(2 * points + boxes)
