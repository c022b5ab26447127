"""Summaries of entries, the results that count, and the worth of ships."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import find_result_kind
from qf_tui.core.revisions import Revision
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Battle, Mark, Ship
from qf_tui.document.acts import EntrySummary, format_order, summarize_act
from qf_tui.document.help import read_page_source
from qf_tui.rules.quickfire_family.system import QuickfireSystem
from qf_tui.session import Session
from tests.console.playing import begin_gunnery
from tests.features.report.battles import GOLDEN, load_golden
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import played
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import OURS, find_our_systems, load_our_battles

Start = Callable[[], Battle]


@frozen
class Row:
    """A battle, orders of which the last throws (separated by `;`), the kind, and the count."""

    start: Start
    orders: str
    kind: str
    count: int


def _start_at(tables: ModuleType, phase: str, *, table: dict[str, Any] | None = None, **rook: Any) -> Start:
    """Return a builder of ajax against rook."""
    return lambda: tables.battle(
        tables.ship("ajax"), tables.ship("rook", "red", **rook), phase=phase, **(table or {})
    )


def _at_boat(tables: ModuleType, phase: str) -> Start:
    return lambda: tables.battle(tables.ship("ajax"), tables.craft("skiff"), phase=phase)


FIRING, LAUNCHING = _start_at(advanced, "first-gunnery"), _start_at(advanced, "second-gunnery")
BURNING = _start_at(advanced, "second-gunnery", fires=1)
STRICT = _start_at(advanced, "first-gunnery", table={"strict": True})
ADVANCED = (
    Row(FIRING, "fire ajax heavy rook pb 1 12", "guns", 3),
    Row(FIRING, "fire ajax heavy rook pb 1 1", "guns", 2),
    Row(FIRING, "fire ajax heavy rook pb; roll 1 12", "guns", 3),
    Row(STRICT, "fire ajax heavy rook medium 1 2; answer 2; answer none", "guns", 2),
    Row(STRICT, "fire ajax heavy rook medium 1 2; answer 2; answer F", "guns", 3),
    Row(_at_boat(advanced, "first-gunnery"), "boats ajax skiff 5 7 9", "boat-guns", 3),
    Row(_at_boat(advanced, "first-gunnery"), "boats ajax skiff 4 4", "boat-guns", 1),
    Row(LAUNCHING, "torpedo ajax rook 1in 1 8", "torpedoes", 3),
    Row(LAUNCHING, "torpedo ajax rook 1in 9", "torpedoes", 0),
    Row(FIRING, "damage rook E; roll 12", "explosions", 6),
    Row(FIRING, "damage rook T; roll 12", "t-hits", 1),
    Row(FIRING, "damage rook T; roll 3", "t-hits", 0),
    Row(FIRING, "damage rook D; roll 3", "", 0),
    Row(BURNING, "next; roll 12", "fire-checks", 1),
    Row(BURNING, "next; roll 1", "fire-checks", 0),
    Row(BURNING, "next; roll 6", "fire-checks", 0),
    Row(_start_at(advanced, "second-gunnery", log={"speed_lost": 1}), "next; roll 12", "flooding", 1),
    Row(_start_at(advanced, "repair", log={"speed_hits": 1}), "repair rook speed 4", "repairs", 1),
    Row(_start_at(advanced, "repair", log={"speed_hits": 1}), "repair rook speed 12", "repairs", 0),
    Row(_start_at(advanced, "repair", log={"speed_lost": 2}), "next; roll 1", "sinkings", 1),
    Row(_start_at(advanced, "repair", log={"speed_lost": 2}), "next; roll 2", "sinkings", 0),
)

QUICK = _start_at(quickfire, "gunnery")
STANDARD = (
    Row(QUICK, "fire ajax heavy rook short 1 3 4", "guns", 1),
    Row(QUICK, "fire ajax heavy rook short 1 1 1", "guns", 2),
    Row(_at_boat(quickfire, "gunnery"), "boats ajax skiff 6", "boat-guns", 1),
    Row(QUICK, "torpedo ajax rook in 1 1", "torpedoes", 1),
    Row(QUICK, "torpedo ajax rook in 1 1; roll 4", "torpedo-hits", 4),
    Row(QUICK, "torpedo ajax rook in 6 6", "torpedoes", 0),
    Row(QUICK, "damage rook E; roll 6 6", "explosions", 7),
    Row(_start_at(quickfire, "gunnery", fires=1), "next; roll 6 6", "fire-checks", 1),
    Row(_start_at(quickfire, "gunnery", fires=1), "next; roll 5 5", "fire-checks", 0),
    Row(_start_at(quickfire, "repair", log={"speed_hits": 1}), "repair rook speed 3 3", "repairs", 1),
    Row(_start_at(quickfire, "repair", log={"speed_hits": 8}), "next; roll 1 1", "sinkings", 1),
)

CLONING = _start_at(clone, "gunnery")
CLONE = (
    Row(CLONING, "fire ajax heavy rook 100cm guess 100 base 6 1 1", "guns", 2),
    Row(CLONING, "torpedo ajax rook 1cm 1 1 1", "torpedoes", 1),
    Row(CLONING, "torpedo ajax rook 1cm 1 1 1; roll 6", "torpedo-hits", 6),
    Row(_start_at(clone, "move"), "collide ajax rook 1 1", "collisions", 2),
    Row(CLONING, "damage rook B; roll 6 6", "blast-hits", 1),
    Row(CLONING, "damage rook E; roll 1 1", "explosions", 2),
    Row(_start_at(clone, "gunnery", fires=1), "next; roll 6 6", "fire-checks", 1),
    Row(_start_at(clone, "repair", log={"speed_hits": 1}), "repair rook 5 5", "repairs", 1),
    Row(_start_at(clone, "repair", log={"speed_hits": 8}), "next; roll 1 1", "sinkings", 1),
)

GUNS = _start_at(gq2, "gunnery")
SEA = _start_at(gq2, "torpedo")
QUARTERS = (
    Row(GUNS, "fire ajax 12 rook straddle 5 1 1 1", "guns", 9),
    Row(GUNS, "fire ajax 12 rook straddle 5 9", "guns", 0),
    Row(GUNS, "fire ajax 12 rook straddle 5 1 4 9", "guns", 1),
    Row(GUNS, "fire ajax 6 rook straddle 5 1 3 1", "guns", 4),
    Row(SEA, "torpedo ajax rook stick 5 1", "torpedoes", 1),
    Row(SEA, "torpedo ajax rook stick 5 1; roll 2", "torpedo-hits", 10),
    Row(SEA, "torpedo ajax rook stick 5; roll 1", "torpedoes", 1),
    Row(_start_at(gq2, "movement"), "mine rook 1", "mines", 6),
    Row(_start_at(gq2, "movement"), "mine rook; roll 1", "mines", 6),
    Row(_start_at(gq2, "movement", df=1), "mine rook 1", "mines", 10),
    Row(GUNS, "damage rook CA; roll 9", "barbettes", 1),
    Row(GUNS, "damage rook CA; roll 0", "barbettes", 0),
    Row(SEA, "mark rook fires 1; next; roll 4", "damage-control", 1),
    Row(SEA, "mark rook fires 1; next; roll 5", "damage-control", 0),
    Row(SEA, "damage rook S; mark rook marker 3; next; roll 2", "sinkings", 1),
)

TABLES = {"advanced-quickfire": ADVANCED, "quickfire": STANDARD, "quickfire-clone": CLONE, "gq2": QUARTERS}


def _find_line(system: RuleSystem, entered: Revision) -> str:
    """Return the line for which an entry's dice count."""
    order = entered.after.versions[entered.number].order
    owed = entered.before.battle.find_question(order.key) if order.is_answer else None
    return system.counted_as(owed) if owed else order.word


ROWS = [(name, row) for name, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}: {row.orders}" for name, row in ROWS])
def test_a_throw_counts_its_results(name: str, row: Row) -> None:
    """Count every code, no fire put out as harm, and no dice of another kind."""
    system = find_our_systems()[name]
    *before, last = row.orders.split("; ")
    entered = played(system, row.start(), *before).enter(last)
    kind = find_result_kind(system.results, _find_line(system, entered))
    assert entered.ruling is not None
    counted = kind.count_results(dict(entered.ruling.decision.outcome)) if kind else 0
    assert (kind.name if kind else "", counted) == (row.kind, row.count)


@pytest.mark.parametrize("name", OURS)
def test_a_line_counts_for_one_kind_and_every_kind_has_a_case(name: str) -> None:
    kinds = find_our_systems()[name].results
    lines = [line for kind in kinds for line in kind.lines]
    assert len(set(lines)) == len(lines)
    assert {kind.name for kind in kinds} <= {row.kind for row in TABLES[name]}


BENCHES = tuple(load_our_battles())
GQ2_CODES = ("H", "H½", "H1.5", "H4", "A", "A½", "A3", "C", "CA", "S")


def list_codes(system: RuleSystem) -> tuple[str, ...]:
    """List the damage codes of a system."""
    return system.codes if isinstance(system, QuickfireSystem) else GQ2_CODES


def damage(system: RuleSystem, battle: Battle, ship: str, *codes: str, source: str = "") -> Battle:
    """Damage a ship by the umpire's word."""
    builder = DecisionBuilder(battle, 1)
    system.prepare_damage(battle, ship, codes, source).decide((), builder)
    return builder.battle


def find_ship(name: str, kind: str = "", at: int = 0) -> tuple[RuleSystem, Battle, Ship]:
    """Find a ship in a battle of a system, if wanted of a kind."""
    system, battle = next(found for found in load_our_battles().values() if found[0].name == name)
    ships = [ship for ship in battle.ships.values() if kind in str(ship.card.get("kind"))]
    return system, battle, ships[at]


def load_mikasa(**log: Scalar) -> tuple[RuleSystem, Battle]:
    """Load the battleship by which points are measured, under Advanced Quickfire."""
    system, battle = load_our_battles()["yellow-sea-1904"]
    ship = battle.ships["mikasa"]
    return system, battle.with_ship(evolve(ship, log={**ship.log, **log}))


@given(
    bench=st.sampled_from(BENCHES),
    pick=st.integers(0, 99),
    blows=st.lists(st.integers(0, 99), min_size=1, max_size=40),
    source=st.integers(0, 9),
    weights=st.lists(st.floats(0, 1000), min_size=12, max_size=12),
)
def test_no_damage_adds_to_the_worth_of_a_ship(
    bench: str, pick: int, blows: list[int], source: int, weights: list[float]
) -> None:
    system, battle = load_our_battles()[bench]
    ship = list(battle.ships)[pick % len(battle.ships)]
    own = {part.name: weight for part, weight in zip(system.worth.parts, weights, strict=False)}
    sources = ("", *system.damage_sources)
    for blow in blows:
        codes = list_codes(system)
        after = damage(
            system, battle, ship, codes[blow % len(codes)], source=sources[(blow + source) % len(sources)]
        )
        for worth in (system.worth, system.worth.replace_weights(own)):
            assert worth.value_ship(after.ships[ship]) <= worth.value_ship(battle.ships[ship]) + 1e-9
        battle = after


@pytest.mark.parametrize(
    ("codes", "points"),
    [
        (("G",), 1), (("S",), 1), (("SX",), 3), (("F",), 1), (("B",), 0.25), (("T",), 0.75), (("R",), 0.5),
        (("D",), 0), (("G", "S"), 2),
    ],
)  # fmt: skip
def test_a_result_on_a_battleship_is_about_a_point(codes: tuple[str, ...], points: float) -> None:
    system, battle = load_mikasa()
    after = damage(system, battle, "mikasa", *codes)
    lost = system.worth.value_side(battle, "japan") - system.worth.value_side(after, "japan")
    assert lost == pytest.approx(points)


def test_light_guns_lose_points_by_their_own_gunnery() -> None:
    system, battle = load_mikasa()
    after = damage(system, battle, "mikasa", "G", source="light")
    before = system.worth.value_ship(battle.ships["mikasa"])
    assert before - system.worth.value_ship(after.ships["mikasa"]) == pytest.approx(13 / 20)


def test_an_sx_that_replaces_an_s_still_costs_its_flooding() -> None:
    system, battle = load_mikasa(speed_hits=8)
    after = damage(system, battle, "mikasa", "SX")
    before = system.worth.value_ship(battle.ships["mikasa"])
    assert before - system.worth.value_ship(after.ships["mikasa"]) == pytest.approx(2)


@pytest.mark.parametrize("name", OURS)
def test_a_lost_ship_is_worth_nothing_and_a_withdrawn_one_keeps_its_worth(name: str) -> None:
    system, battle, ship = find_ship(name)
    whole = system.worth.value_ship(ship)
    assert whole > 0
    for status in system.departure_statuses:
        left = whole if status == "withdrawn" else 0
        assert system.worth.value_ship(evolve(ship, status=status)) == left, status
    assert system.worth.value_side(battle, ship.side) > whole


def test_a_sinking_ship_and_an_abandoned_one_are_worth_nothing() -> None:
    system, _, ship = find_ship("gq2")
    for status in ("sinking", "abandoned"):
        assert system.worth.value_ship(evolve(ship, status=status)) == 0


@pytest.mark.parametrize("name", OURS)
def test_no_ship_is_worth_less_than_nothing(name: str) -> None:
    system, _, ship = find_ship(name)
    fires = tuple(Mark(f"1.{at}", "fires") for at in range(199))
    assert system.worth.value_ship(evolve(ship, marks=fires)) == 0
    out = tuple(evolve(fire, lifted=True) for fire in fires)
    assert system.worth.value_ship(evolve(ship, marks=out)) == system.worth.value_ship(ship)


@pytest.mark.parametrize("name", OURS)
def test_every_part_counts_for_some_ship_or_takes_something_off(name: str) -> None:
    """Read no field that no log has."""
    system = find_our_systems()[name]
    ships = [
        ship for own, battle in load_our_battles().values() if own is system for ship in battle.ships.values()
    ]
    for part in system.worth.parts:
        assert part.less or any(part.of(ship) > 0 for ship in ships), part.name
    assert len({part.name for part in system.worth.parts}) == len(system.worth.parts)


@pytest.mark.parametrize("name", OURS)
def test_the_help_has_the_declared_formula(name: str) -> None:
    system = find_our_systems()[name]
    parts = "; ".join(f"`{part.name}` {part.description}" for part in system.worth.parts)
    assert f"| **{system.title}** | {parts} |" in read_page_source("worth").splitlines()


MARKED = {
    "advanced-quickfire": {"fires": 1, "flooding": 2, "courses": 0.5},
    "quickfire": {"fires": 0.25, "margin": 1, "courses": 0.5},
    "quickfire-clone": {"fires": 0.25, "margin": 1, "courses": 0.5},
    "gq2": {"fires": 0.5, "fire-control": 1, "rudder": 0.5, "passing": 0.25},
}
"""Points that each kind of damage takes from a battleship of size 15 or DF 10."""
KINDS = {
    "fires": ("fires", "fires"), "courses": ("course", "course"), "fire-control": ("fire_control",) * 2,
    "rudder": ("rudder", "rudder"), "passing": ("bridge", "steam"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "part", "points"), [
    (name, part, points) for name, parts in MARKED.items() for part, points in parts.items()
])  # fmt: skip
def test_damage_that_may_still_spread_is_taken_off(name: str, part: str, points: float) -> None:
    system, _, ship = find_ship(name)
    ship = evolve(ship, card={**ship.card, "size": 15, "df": 10})
    worse = ship
    if part in KINDS:
        worse = evolve(ship, marks=tuple(Mark(f"1.{at}", kind) for at, kind in enumerate(KINDS[part])))
    else:
        field, floor = ("speed_lost", 0) if part == "flooding" else ("speed_hits", 8)
        ship, worse = (evolve(ship, log={**ship.log, field: floor + more}) for more in (0, 2))
    boxes = 2 if part == "flooding" else 0
    lost = system.worth.value_ship(ship) - system.worth.value_ship(worse)
    assert lost == pytest.approx(2 * points + boxes)


LIT = "loses ½ hull box and is lit by fires"


def summarize_last(session: Session, *orders: str) -> EntrySummary:
    for order in orders:
        session.enter(order)
    return summarize_act(session.system, session.timeline, session.timeline.log[-1])


@pytest.mark.parametrize(
    ("orders", "effect", "by"),
    [
        (
            ("fire mikasa heavy borodino long 4 8",),
            "Borodino: S G · S hits 0→1, heavy ROF 6→5",
            "Mikasa heavy at Borodino, long · dice 4 8",
        ),
        (
            ("fire mikasa heavy borodino 41in 12",),
            "Mikasa: misses",
            "Mikasa heavy at Borodino, 41″ · dice 12",
        ),
        (("fire mikasa heavy borodino long",), "Mikasa heavy at Borodino, long", ""),
        (("fire mikasa heavy borodino ~41in",), "Mikasa heavy at Borodino, ~41″", ""),
        (
            ("damage ohio E D", "roll 2/direction/ohio/1 5"),
            "Ohio: turns 45° left until repaired · direction hits 45 left",
            "direction of Ohio · dice 5",
        ),
        (("leave ohio sunk",), "OHIO SINKS", "leave Ohio sunk"),
        (
            ("mark ohio rof_heavy 2", *["next"] * 3, "repair ohio heavy 1"),
            "Ohio: repair of heavy fails; point kept",
            "Ohio repairs heavy · dice 1",
        ),
        (("note the wind backs",), "the wind backs", ""),
    ],
)
def test_a_summary_gives_the_outcome_first(orders: tuple[str, ...], effect: str, by: str) -> None:
    told = summarize_last(begin_gunnery(), *orders)
    assert (told.effect, told.by) == (effect, by)


def test_a_correction_is_summarized_in_words_not_as_an_order() -> None:
    """Do not show `amend 19 roll 16/explosion/mikasa/1 1` in latest acts and history."""
    shot, explosion = "Mikasa heavy at Borodino, long", "explosion on Mikasa"
    played = begin_gunnery()
    for order in ("fire mikasa heavy borodino long 4 8", "damage mikasa E", "roll 3/explosion/mikasa/1 6"):
        played.enter(order)
    for order, effect in (
        ("amend 4 2", f"amends 4: {explosion} · dice 2"),
        ("amend 2 force fire mikasa heavy borodino long 5 11", f"amends 2: {shot} (forced) · dice 5 11"),
        ("shift 3 after 1", "3 with 1 answer moves after 1: damage Mikasa E"),
        ("strike 2", f"strikes 2: {shot} (forced) · dice 5 11"),
        ("strike 8", "strikes 8: the strike of 2"),
        ("undo 2", "strikes 9: the strike of 8; 7: the shift of 3, 4"),
        ("restore 2", f"restores 2: {shot} (forced) · dice 5 11"),
        ("shift 2 after 0 force", f"2 moves to the start: {shot} (forced)"),
    ):
        told = summarize_last(played, order)
        assert (told.effect, told.by) == (effect, "")


def test_a_repeated_reason_is_given_once_with_its_count() -> None:
    assert summarize_last(begin_gunnery(), "mark ohio rof_heavy 0", "damage ohio G S G G").why == (
        "Ohio: G S G G, by the umpire's word · Ohio: G takes light ROF ×3"
    )


def test_a_spare_answer_is_summarized_by_its_subject() -> None:
    played = begin_gunnery()
    for order in ("damage mikasa E", "roll 2/explosion/mikasa/1 6", "amend 2 damage mikasa G"):
        played.enter(order)
    told = summarize_act(played.system, played.timeline, played.timeline.log[2])
    assert told.effect == "explosion of Mikasa · dice 6"


@pytest.mark.parametrize(
    ("battle", "number", "effect"),
    [
        ("yellow-sea-1904-clone", 6, "Tsesarevich: S · S hits 0→1 · Mikasa: auto shot used"),
        ("gq2-dogger-bank-1915", 122, "Southampton: struck (standard) · Graudenz: torpedoes left 2→1"),
        ("gq2-fourth-flotilla-1916", 94, "Ambuscade: finds Posen"),
        ("gq2-fourth-flotilla-1916", 40, f"Nassau: {LIT} · damage control hits 0→1, hull boxes lost 2→2.5"),
    ],
)
def test_codes_are_shown_with_the_ship_that_was_hit(battle: str, number: int, effect: str) -> None:
    """Do not name the firer, although her own log changes first."""
    system, timeline = load_golden(battle)
    assert summarize_act(system, timeline, timeline.log[number - 1]).effect == effect


def test_one_of_two_ships_with_the_same_name_is_shown_with_her_id() -> None:
    played = begin_gunnery({"ohio": "Borodino"})
    told = summarize_last(played, "damage ohio D", "roll 2/direction/ohio/1 8")
    assert told.effect == "Borodino (ohio): turns 45° right until repaired · direction hits 45 right"


def test_the_checks_of_a_division_name_each_ship_themselves() -> None:
    abreast = ("formation @blue-line abreast", "move ajax 8", "move boyne 7.5in", "next")
    for dice, said in (
        ("6 1 7 1 1 7", "Ajax ½″ aft, Boyne ½″ aft"),
        ("6 6 9 6 6 7", "Boyne ½″ aft"),
        ("6 6 9 6 6 9", "holds its place"),
    ):
        played = gq2.played(gq2.battle(phase="movement", light="day"), *abreast)
        assert summarize_last(played, f"roll {dice}").effect == said


def test_a_sinking_and_an_explosion_are_events() -> None:
    assert summarize_last(begin_gunnery(), "leave ohio sunk").event
    assert summarize_last(begin_gunnery(), "damage ohio E").effect.startswith("EXPLOSION ON OHIO")
    assert not summarize_last(begin_gunnery(), "fire mikasa heavy borodino long 4 8").event


@pytest.mark.parametrize("name", GOLDEN)
def test_every_summary_has_an_effect_and_names_each_changed_ship(name: str) -> None:
    system, timeline = load_golden(name)
    for number in timeline.play_order:
        act = timeline.find_act(number)
        assert isinstance(act, Entry)
        told, order = summarize_act(system, timeline, act), timeline.versions[number].order
        assert told.effect
        sunk = [effect.ship for effect in timeline.rulings[number].decision.effects if effect.op is Op.STATUS]
        for ship in sunk:
            assert timeline.battle.ships[ship].name.upper() in told.effect
        assert "{" not in format_order(timeline.battle, order)


def test_the_hit_of_a_flotilla_is_shown_with_its_target() -> None:
    ships = (gq2.destroyer("dun"), gq2.destroyer("dee"), gq2.ship("ajax"))
    told = summarize_last(gq2.played(gq2.battle(*ships, phase="torpedo")), "torpedo dun,dee ajax stick 8 0")
    assert told.effect.startswith("Ajax: struck (light)")


def test_ships_in_a_log_are_shown_by_name() -> None:
    """Write `searchlights on Ajax`, not `ajax`."""
    session = gq2.played(gq2.battle(phase="searchlights", light="night"), "light rook ajax")
    assert summarize_last(session, "roll 3 4").effect.endswith("searchlights on Ajax")


@pytest.mark.parametrize(
    ("phase", "order", "words"),
    [
        ("movement", "move ajax 10 evasive turns 2", "move Ajax 10 turns 2 evasive"),
        (
            "gunnery",
            "fire ajax 6 rook straddle 7 rapid he penetrates low 1",
            "Ajax 6-inch at Rook, band 7, penetrates, rapid, he, low 1",
        ),
        (
            "torpedo",
            "torpedo kobold ajax stick 4 spread 2 stern",
            "Kobold torpedo at Ajax, stick 4, spread 2, stern",
        ),
    ],
)
def test_an_order_in_words_keeps_every_part(phase: str, order: str, words: str) -> None:
    told = summarize_last(gq2.played(gq2.battle(phase=phase)), order)
    assert (told.by or told.effect) == words
