"""The damage of a phase is settled in one order, whatever the order of entry (AQF-DAM-12)."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.core.declarations import Shape
from qf_tui.core.timeline import State, Timeline, build_timeline
from qf_tui.core.values import Battle, Ship
from qf_tui.core.verify import list_differences
from qf_tui.document.acts import find_question
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.quickfire_family.ledger import DEALT, ORDERED_PHASE
from qf_tui.session import Session
from tests.core.playing import play
from tests.rules.advanced_quickfire.tables import battle, played, ship
from tests.rules.mixed_phases import PHASES, TARGET, Play
from tests.rules.playing import enter, is_allowed, lay_cells, reasons, values
from tests.rules.quickfire import tables as d6
from tests.rules.quickfire_clone import tables as clone

MANY = settings(max_examples=settings().max_examples * 2)
LOTS = st.randoms(use_true_random=False)
SEEDS = st.integers(0, 9999)
EACH = pytest.mark.parametrize("game", PHASES)


@pytest.mark.clause("AQF-DAM-12", "AQF-PH-6", "QF-PH-2", "QFC-PH-2")
@EACH
@MANY
@given(lot=LOTS, seed=SEEDS)
def test_the_order_of_entry_changes_no_log(game: str, lot: Random, seed: int) -> None:
    phase = PHASES[game](lot)
    order = list(range(len(phase.attacks)))
    first = Play(phase, order, seed, lot)
    lot.shuffle(order)
    other = Play(phase, order, seed, lot)
    assert values(other.session, TARGET) == values(first.session, TARGET), order


@pytest.mark.clause("AQF-DAM-12")
@EACH
@MANY
@given(lot=LOTS, seed=SEEDS)
def test_an_attack_inserted_anywhere_keeps_the_answered_rolls(game: str, lot: Random, seed: int) -> None:
    phase = PHASES[game](lot)
    *order, late = range(len(phase.attacks))
    entered = Play(phase, order, seed, lot).session.timeline
    after = lot.choice((0, *entered.play_order))
    corrected = play(entered, f"insert {after} {phase.attacks[late]}", system=phase.system)
    assert corrected.aside == ()


HEAVY_S, LIGHT_S, TORPEDO = (
    "fire ajax heavy rook medium 12 2",
    "fire boyne light rook medium 12 2",
    "torpedo cadiz rook in converging 1 2",
)
E, LIGHT_G = "fire ajax heavy rook medium 1 1", "fire boyne light rook medium 12 1"
FIRERS = (ship("ajax"), ship("boyne"), ship("cadiz"), ship("dover"))


def build_second_gunnery(rook: Ship, **switches: str) -> Battle:
    """Build the phase of guns and torpedoes, with four ships against a static one."""
    return battle(*FIRERS, rook, phase="second-gunnery", untried_refire="yes", **switches)


def build_marked(boxes: int, **log: int) -> Ship:
    return ship("rook", "red", log={"speed_hits": boxes, "moved": 0, **log})


def read_log(session: Session, *fields: str) -> tuple[Shape, ...]:
    return tuple(values(session, "rook")[field] for field in fields)


SPEED = ("speed_hits", "speed_lost", "fires")


@pytest.mark.clause("AQF-DAM-12", "AQF-GUN-14", "AQF-LOG-3")
@pytest.mark.parametrize(
    ("orders", "switches", "log"),
    [
        ((HEAVY_S, LIGHT_S), {}, (8, 0, 1)),
        ((HEAVY_S, LIGHT_S), {"overflow_first": "light"}, (7, 1, 0)),
        ((HEAVY_S, TORPEDO), {}, (7, 1, 0)),
        ((LIGHT_S, TORPEDO), {}, (7, 1, 0)),
        ((HEAVY_S, LIGHT_S, TORPEDO), {}, (7, 1, 1)),
    ],
)
def test_heavy_fire_marks_the_last_boxes_and_torpedoes_come_last(
    orders: Sequence[str], switches: dict[str, str], log: tuple[int, ...]
) -> None:
    for order in permutations(orders):
        session = played(build_second_gunnery(build_marked(7), **switches), *order)
        assert read_log(session, *SPEED) == log, order


@pytest.mark.clause("AQF-DAM-12", "AQF-DAM-3")
@pytest.mark.parametrize("order", [(E, "roll 4", LIGHT_G), (E, LIGHT_G, "roll 4"), (LIGHT_G, E, "roll 4")])
def test_an_explosion_comes_after_the_guns(order: Sequence[str]) -> None:
    rook = ship("rook", "red", log={"rof_heavy": 5, "rof_light": 1})
    session = played(build_second_gunnery(rook), *order)
    assert read_log(session, "rof_heavy", "rof_light", "boat_guns") == (2, 0, 3)


@pytest.mark.clause("AQF-DAM-12")
def test_the_entry_that_moves_an_earlier_result_says_so_first() -> None:
    session = played(build_second_gunnery(build_marked(7)), LIGHT_S, TORPEDO)
    said = [(reason.text, reason.clause) for reason in reasons(session, HEAVY_S)]
    assert said[0] == (
        "S of entry 1 becomes a fire, not a speed box: it counts after this heavy fire",
        "AQF-DAM-12",
    )
    assert [clause for _, clause in said].count("AQF-DAM-12") == 1


@pytest.mark.clause("AQF-DAM-12")
@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ((TORPEDO, HEAVY_S), "SX of entry 1 becomes SX in place of an S, not one more SX"),
        (
            (LIGHT_S, E, "roll 8", HEAVY_S.replace("ajax", "dover")),
            "S of entry 3 becomes SX in place of an S, not a speed box",
        ),
        ((E, "roll 4", LIGHT_G), "G of entry 2 becomes heavy ROF, not light ROF"),
    ],
)
def test_a_moved_result_is_reported_by_its_new_code(orders: Sequence[str], said: str) -> None:
    rook = ship("rook", "red", log={"speed_hits": 6 + (TORPEDO in orders), "rof_light": 1, "moved": 0})
    session = played(build_second_gunnery(rook), *orders[:-1])
    assert said in reasons(session, orders[-1])[0].text


@pytest.mark.clause("AQF-DAM-12")
def test_an_entry_that_moves_nothing_is_written_as_usual() -> None:
    before = played(build_second_gunnery(build_marked(2)), HEAVY_S).timeline.rulings[1].decision
    session = played(build_second_gunnery(build_marked(2)), LIGHT_S, TORPEDO, HEAVY_S)
    after = session.timeline.rulings[3].decision
    assert [reason for reason in after.reasons if not reason.is_remark] == list(before.reasons)
    assert [effect for effect in after.effects if effect.field != DEALT] == [
        effect for effect in before.effects if effect.field != DEALT
    ]


@pytest.mark.clause("AQF-DAM-12")
@pytest.mark.parametrize(
    ("between", "log"),
    [
        ("mark rook repair_points 5", (7, 1, 0)),
        ("damage rook R", (7, 1, 0)),
        ("option small_fast_by available", (7, 1, 0)),
        ("note the umpire looks up", (8, 0, 1)),
        ("mark ajax repair_points 5", (8, 0, 1)),
    ],
)
def test_an_entry_by_hand_keeps_the_results_before_it(between: str, log: tuple[int, ...]) -> None:
    session = played(build_second_gunnery(build_marked(7)), LIGHT_S, between, HEAVY_S)
    assert read_log(session, *SPEED) == log


@pytest.mark.clause("AQF-DAM-12", "AQF-DAM-10")
def test_damage_starts_from_the_last_value_set_by_hand() -> None:
    """Start neither from the beginning of the phase nor from an older entry by hand."""
    session = played(
        build_second_gunnery(build_marked(3)),
        "damage rook S S",
        "mark rook speed_hits 7",
        "damage rook light S",
    )
    assert read_log(session, *SPEED) == (8, 0, 0)
    enter(session, "mark rook speed_hits 7", LIGHT_S, HEAVY_S)
    assert read_log(session, *SPEED) == (8, 0, 1)


@pytest.mark.clause("AQF-DAM-12", "AQF-DAM-6")
def test_a_rolled_t_hit_is_kept_when_other_damage_becomes_the_t() -> None:
    """Keep the roll with the code that became T, whichever entry moved it there."""
    rook = ship("rook", "red", log={"rof_heavy": 0, "rof_light": 1, "boat_guns": 0, "torpedo_reload": 8})
    session = played(build_second_gunnery(rook), LIGHT_G, "fire ajax heavy rook medium 12 1")
    assert [roll.key for roll in session.battle.owed] == ["1/t-hit/rook/1"]
    enter(session, "roll 12")
    assert not is_allowed(session, "shift 2 after 3")
    enter(session, "insert 1 fire dover heavy rook medium 12 1")
    assert find_question(session.timeline, 3, "1/t-hit/rook/1") is not None
    assert [roll.key for roll in session.battle.owed] == ["2/t-hit/rook/1"]
    assert session.timeline.aside == ()
    enter(session, "roll 11", "strike 2")
    assert session.timeline.list_in_state(State.SPARE) == (5,)
    assert read_log(session, "fires") == (1,)


@pytest.mark.clause("AQF-DAM-12")
@pytest.mark.parametrize("carried", [False, True])
def test_an_explosion_belongs_to_the_phase_of_its_cause(carried: bool) -> None:
    rook = ship("rook", "red", log={"rof_heavy": 5, "rof_light": 1})
    start = battle(*FIRERS, rook, phase="movement", untried_refire="yes")
    rolled = ("force next", LIGHT_G, "roll 4") if carried else ("roll 4", "next", LIGHT_G)
    session = played(start, "next", E, *rolled)
    assert read_log(session, "rof_heavy", "rof_light", "boat_guns") == (3, 0, 2)


@pytest.mark.clause("AQF-DAM-12")
@pytest.mark.parametrize(("between", "log"), [((), (6, 2, 1)), (("mark rook repair_points 4",), (5, 3, 1))])
def test_an_explosion_carried_past_the_guns_comes_before_their_torpedoes(
    between: Sequence[str], log: tuple[int, ...]
) -> None:
    rook = ship("rook", "red", log={"speed_hits": 7})
    start = battle(*FIRERS, rook, phase="movement", untried_refire="yes")
    session = played(start, "move rook 0", "next", "next", E, TORPEDO, "force next", *between)
    key = next(roll.key for roll in session.battle.owed if roll.line == "explosion")
    enter(session, f"roll {key} 8")
    assert read_log(session, *SPEED) == log


@pytest.mark.clause("AQF-DAM-12", "AQF-DAM-2", "AQF-MV-6")
@pytest.mark.parametrize("faces", [(1, 3), (3, 1)])
def test_the_sharper_of_two_direction_hits_counts_as_newer(faces: tuple[int, int]) -> None:
    start = lay_cells(battle(*FIRERS, ship("rook", "red")), "blast", "medium", {"13+": "D"})
    session = played(start, "fire ajax heavy rook medium 12 1", f"roll {faces[0]}")
    enter(session, "fire boyne heavy rook medium 12 1", f"roll {faces[1]}")
    assert read_log(session, "course") == (["45 left", "90 left"],)


@pytest.mark.clause("AQF-LOG-4", "AQF-DAM-12")
def test_repaired_damage_can_be_lost_again() -> None:
    rook = ship("rook", "red", log={"rof_heavy": 1, "rof_light": 2, "speed_hits": 7})
    mended = played(battle(*FIRERS, rook, phase="repair"), "repair rook light 4", *["next"] * 2)
    enter(mended, "next", LIGHT_G, "fire ajax heavy rook medium 12 1", "fire cadiz heavy rook medium 12 1")
    assert read_log(mended, "rof_heavy", "rof_light") == (0, 1)
    assert mended.battle.ships["rook"].live("mended") == ()


def rewrite_as_older(session: Session) -> Timeline:
    """Rewrite the log as version 0.2 wrote it, without a note that the phase is settled in one order."""
    log = []
    for act in session.timeline.log:
        ruling = act.rulings[act.number]
        kept = tuple(effect for effect in ruling.decision.effects if effect.field != ORDERED_PHASE)
        decision = evolve(ruling.decision, effects=kept)
        log.append(evolve(act, rulings={act.number: evolve(ruling, decision=decision)}))
    return build_timeline(session.timeline.start, log)


@pytest.mark.clause("AQF-DAM-12")
def test_a_phase_that_an_older_program_began_keeps_the_order_of_entry() -> None:
    start = battle(*FIRERS, build_marked(7), phase="movement", untried_refire="yes")
    timeline = play(rewrite_as_older(played(start, "next")), LIGHT_S, HEAVY_S, system=SYSTEM)
    rook = timeline.battle.ships["rook"]
    assert (rook.count("speed_hits"), rook.count("speed_lost")) == (7, 1)
    assert list_differences(SYSTEM, timeline, "0.2.0") == ()
    # The previous phase end is decided again and opens the phase unchanged.
    moved = play(timeline, "insert 0 move ajax 3", system=SYSTEM)
    assert moved.battle.ships["rook"] == rook
    anew = play(moved, "force next", f"force {LIGHT_S}", f"force {HEAVY_S}", system=SYSTEM)
    assert len(anew.battle.ships["rook"].live("fires")) == 1


@pytest.mark.clause("QF-PH-2", "QF-DAM-3")
@pytest.mark.parametrize("first", ["heavy", "light"])
def test_quickfire_settles_rof_and_boat_guns_in_one_order(first: str) -> None:
    """Let heavy fire take light ROF when heavy ROF is zero; light fire then takes the boat guns."""
    rook = d6.ship("rook", "red", log={"rof_heavy": 0, "rof_light": 1, "boat_guns": 1})
    start = d6.battle(d6.ship("ajax"), d6.ship("boyne"), rook, overflow_first=first)
    heavy, light = "fire ajax heavy rook short 6 2 3", "fire boyne light rook short 5 2 3"
    logs = [values(d6.played(start, *order), "rook") for order in permutations((heavy, light))]
    assert logs[0] == logs[1]
    assert (logs[0]["rof_light"], logs[0]["boat_guns"]) == (0, 0)


@pytest.mark.clause("QFC-PH-2", "QFC-RUL-6")
@pytest.mark.parametrize("faces", [(1, 3), (3, 1)])
def test_a_full_turn_is_newer_than_straight_ahead_in_the_clone(faces: tuple[int, int]) -> None:
    ships = (clone.ship("ajax"), clone.ship("boyne"), clone.ship("rook", "red"))
    start = lay_cells(clone.battle(*ships), "blast", "short", {"3": "D"})
    session = clone.played(start, "fire ajax heavy rook 100cm 1 2", f"roll {faces[0]}")
    enter(session, "fire boyne heavy rook 100cm 1 2", f"roll {faces[1]}")
    assert values(session, "rook")["course"] == ["straight ahead", "full turn left"]
