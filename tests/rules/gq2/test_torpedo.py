"""Torpedoes, mines, spreads and wander checks (GQ2-TOR, GQ2-NIT-5, GQ2-MV-6)."""

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.rules.gq2.movement import find_movement
from qf_tui.session import Session
from tests.rules.gq2.tables import (
    battle,
    build_class,
    destroyer,
    join_reasons,
    list_waiting,
    play_to_phase,
    played,
    ship,
)
from tests.rules.playing import changed, enter, owed, question, reasons, refusal, result, values

PLAIN = "torpedo ajax rook stick 5"
QUIET = ("mark rook turned 1", "mark rook moved 5", "mark ajax turned 1")
"""Rook at 5 inches and turning: no speed modifier of a standard torpedo, and no straight course."""


def begin_torpedoes(*marks: str, **options: Any) -> Session:
    """Begin the torpedo phase, by default with rook at 5 inches."""
    return played(battle(phase="torpedo", **options), *QUIET, *(f"mark {mark}" for mark in marks))


def read_modifiers(session: Session, order: str) -> str:
    """Return the modifiers of the die of an order that shows a 9."""
    said = reasons(session, f"{order} 9")[-1].text
    return said.removeprefix("torpedo 9").partition(":")[0].partition(">")[0].partition("≤")[0].strip()


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(("die", "number", "hits"), [(5, 5, True), (6, 5, False), (0, 0, True), (9, 9, True)])
def test_a_torpedo_hits_on_the_number_or_less_and_0_is_0(die: int, number: int, hits: bool) -> None:
    """Read no 0 as ten."""
    session = begin_torpedoes()
    assert result(session, f"torpedo ajax rook stick {number} {die}") == {
        "struck": hits,
        "hits": ("standard",) if hits else (),
        "points": None,
        "sx": None,
    }
    assert owed(session) == (["torpedo-damage rook"] if hits else [])


@pytest.mark.clause("GQ2-TOR-1")
def test_a_spread_has_one_die_and_one_hit_or_by_the_switch_a_die_each() -> None:
    session = begin_torpedoes()
    assert refusal(session, "torpedo kobold ajax stick 5 spread 3 1 1") == ""
    assert result(session, "torpedo kobold ajax stick 5 spread 3 0")["hits"] == ("light",)
    session = begin_torpedoes("ajax moved 4", spread="die-each")
    assert result(session, "torpedo kobold ajax stick 5 spread 3 5 6 0")["hits"] == ("light", "light")
    assert owed(session) == ["torpedo-damage ajax", "torpedo-damage ajax"]


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.parametrize(
    ("marks", "order", "said"),
    [
        ((), PLAIN, ""),
        (("rook moved 5.9",), PLAIN, ""),
        (("rook moved 6",), PLAIN, "+1 target's speed"),
        (("rook moved 8",), PLAIN, "+2 target's speed"),
        (("rook moved 10",), PLAIN, "+3 target's speed"),
        (("rook moved 25",), PLAIN, "+3 target's speed"),
        (("ajax moved 4.9",), "torpedo kobold ajax stick 5", ""),
        (("ajax moved 5",), "torpedo kobold ajax stick 5", "+1 target's speed"),
        (("ajax moved 7",), "torpedo kobold ajax stick 5", "+2 target's speed"),
        (("ajax moved 9",), "torpedo kobold ajax stick 5", "+3 target's speed"),
        (("rook rudder 2",), PLAIN, "-1 rudder hit"),
        (("rook straight yes",), PLAIN, "-1 moved straight"),
        (("rook evasive yes",), PLAIN, "+1 evading"),
        (("ajax moved 4",), "torpedo kobold ajax stick 5 spread 4", "-3 spread"),
        ((), f"{PLAIN} bow", "+1 at the bow"),
        ((), f"{PLAIN} stern", "+2 at the stern"),
        (("rook moved 0",), PLAIN, "-4 stationary"),
        (("rook moved 0", "rook rudder 1", "rook straight yes"), f"{PLAIN} stern", "-4 stationary"),
        (("rook moved 0", "rook evasive yes"), PLAIN, "-4 stationary +1 evading"),
    ],
)
def test_the_modifiers_of_the_die_are_added(marks: tuple[str, ...], order: str, said: str) -> None:
    """Apply one speed modifier, and no aspect to a target that lies still."""
    assert read_modifiers(begin_torpedoes(*marks), order) == said
    night = f"{said.replace(' -1 spread', '')} +2 night".strip()
    assert (
        read_modifiers(
            enter(begin_torpedoes(*marks, "rook lit yes", "ajax lit yes"), "table light night"), order
        )
        == night
    )


@pytest.mark.clause("GQ2-TOR-9")
@pytest.mark.parametrize(
    ("move", "straight"),
    [
        ("move rook 5", True),
        ("move rook 5 turns 0", True),
        ("move rook 5 straight", True),
        ("move rook 5 turns 1", False),
        ("mark rook moved 5", True),
    ],
)
def test_a_recorded_move_without_a_turn_was_straight(move: str, straight: bool) -> None:
    """Need no word for a straight course."""
    session = played(battle(phase="movement"), move, "next", "next", "next")

    def counts() -> bool:
        return "moved straight" in str(session.preview_order(PLAIN).needs[0])

    assert counts() is straight
    enter(session, "mark rook turned 1")
    assert not counts()
    enter(session, "mark rook straight yes")
    assert counts()


@pytest.mark.clause("GQ2-TOR-2")
def test_an_unrecorded_movement_is_assumed_and_reported() -> None:
    session = played(battle(phase="torpedo"))
    assert session.preview_order(PLAIN).assumes == ("assumed: Rook moved 12″, not straight",)
    assert (
        join_reasons(session, f"{PLAIN} 9")
        == "torpedo 9 +3 target's speed: 12>5, misses Rook · assumed: Rook moved 12″, not straight"
    )
    assert begin_torpedoes().preview_order(PLAIN).assumes == ()
    session = begin_flotilla("mark rook moved none", "torpedo dee rook stick 6 3", light="night")
    assert join_reasons(session, "roll 3 4").endswith("assumed: Rook moved 12″, not straight"), "by night too"
    slowed = played(battle(phase="movement"), "next", "next", "damage rook H4", "next")
    assert values(slowed, "rook")["speed"] == 3
    assert slowed.preview_order(PLAIN).assumes == ("assumed: Rook moved 12″, not straight",)


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(("switch", "said"), [("simultaneous", ""), ("at-once", "-1 rudder hit")])
def test_a_rudder_hit_helps_after_its_phase_or_by_a_switch_at_once(switch: str, said: str) -> None:
    """Let no torpedo of the same salvo hit more easily."""
    session = begin_torpedoes(torpedo_damage=switch)
    enter(session, "damage rook C", "roll 2")
    assert read_modifiers(session, PLAIN) == said


@pytest.mark.clause("GQ2-TOR-2")
def test_a_ship_that_began_to_sink_this_turn_is_hit_at_its_last_speed() -> None:
    """Let it lie still in the next turn."""
    session = played(
        battle(phase="movement"), "move rook 10 straight", "next", "next", "damage rook S", "next"
    )
    assert read_modifiers(session, PLAIN) == "+3 target's speed -1 moved straight"
    enter(session, "next", "roll 6", "next", "next", "next", "next")
    assert read_modifiers(session, PLAIN) == "-4 stationary"


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.parametrize(
    ("mark", "order", "told", "most"),
    [
        ("rook moved 10", PLAIN, "hits on 2 or less (stick 5, +3 target's speed)", 2),
        ("rook moved 5", PLAIN, "hits on 5 or less (stick 5)", 5),
        ("rook moved 10", "torpedo ajax rook stick 2", "never hits (stick 2, +3 target's speed)", -1),
        ("rook moved 0", PLAIN, "always hits (stick 5, -4 stationary)", 9),
    ],
)
def test_the_preview_shows_the_number_that_the_die_needs(mark: str, order: str, told: str, most: int) -> None:
    """Compare the number with the decision of each die."""
    session = begin_torpedoes(mark)
    assert [str(need) for need in session.preview_order(order).needs] == [told]
    assert [str(need) for need in enter(session, order).preview_order("roll").needs] == [told]
    for die in range(max(0, most), min(10, most + 2)):
        assert result(begin_torpedoes(mark), f"{order} {die}")["struck"] is (die <= most)


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.parametrize("late", [(), ("force next", "force next")])
def test_a_torpedo_with_late_dice_counts_in_its_own_turn(late: tuple[str, ...]) -> None:
    """Ease shots of the next turn, and not later ones."""
    session = played(battle(phase="torpedo"), *QUIET, PLAIN, *late, "roll 0", "roll 1")
    play_to_phase(session, "gunnery")
    assert "-1 damaged last turn" in join_reasons(session, "fire ajax 6 rook straddle 5 9")
    assert "damaged" not in join_reasons(play_to_phase(session, "gunnery"), "fire ajax 6 rook straddle 5 9")


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.parametrize("meanwhile", ["torpedo boyne rival stick 0 9", "fire ajax 12 rival straddle 0 9"])
def test_no_act_of_the_next_turn_is_mistaken_for_the_launch(meanwhile: str) -> None:
    """Read the turn of a late die from no other launch or act."""
    session = played(battle(phase="torpedo"), *QUIET, PLAIN, "force next", "force next")
    while session.battle.phase != ("torpedo" if meanwhile.startswith("torpedo") else "gunnery"):
        session.enter("force next")
    enter(session, meanwhile, "roll 0")
    assert question(session, "torpedo-damage").read_number("turn") == 1
    assert session.battle.turn == 2


@pytest.mark.clause("GQ2-SNK-1")
@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("code", "order", "die", "took"),
    [
        ("C", PLAIN, 3, {"hull_lost": 4, "armament_lost": 2, "speed": 3}),
        ("B", PLAIN, 6, {"hull_lost": 4, "armament_lost": 4, "speed": 3}),
        ("CA", PLAIN, 6, {"hull_lost": 4, "armament_lost": 4, "speed": 3}),
        ("BB", PLAIN, 6, {"hull_lost": 2, "armament_lost": 2, "speed": 8}),
        ("C", PLAIN, 4, {"status": "sinking", "marker": 1, "speed": 0}),
        ("C", "torpedo kobold ajax stick 5", 3, {"hull_lost": 3, "armament_lost": 2, "speed": 6}),
    ],
)
def test_a_hit_takes_hull_and_armament_by_df_and_class(
    code: str, order: str, die: int, took: dict[str, object]
) -> None:
    """Check the doubled classes, and light torpedoes."""
    session = begin_torpedoes(f"rook class {code}")
    enter(session, f"{order} 0")
    assert changed(session, f"roll {die}", order.split()[2]) == took


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(("switch", "penetrated"), [("penetrated", True), ("not", False)])
def test_the_critical_of_a_torpedo_counts_as_penetrated_and_is_not_doubled(
    switch: str, penetrated: bool
) -> None:
    session = played(
        battle(phase="torpedo", torpedo_critical=switch), *QUIET, "mark rook class B", f"{PLAIN} 0", "roll 2"
    )
    assert owed(session) == ["critical rook"]
    assert question(session, "critical").facts == {"turn": 1, "penetrated": penetrated}
    assert question(session, "critical").key == "5/critical/rook/1", "the launch is its cause"
    assert values(session, "rook")["hull_lost"] == 5


@pytest.mark.clause("GQ2-TOR-3")
def test_a_mine_uses_the_same_table() -> None:
    """Count it as a standard torpedo, and double it for the same classes."""
    session = played(battle(phase="movement"), "mine rook")
    assert owed(session) == ["torpedo-damage rook"]
    assert changed(session, "roll 3") == {"hull_lost": 4, "armament_lost": 2, "speed": 3}
    session = played(battle(phase="movement"), "mark rook class CA", "mine rook 6")
    assert values(session, "rook")["hull_lost"] == 4
    assert refusal(enter(session, "leave rook sunk"), "mine rook 1") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-TOR-4")
@pytest.mark.parametrize(
    ("code", "arc", "many"),
    [
        ("DD", "abeam, but not within 30° of bow or stern", True),
        ("TBD", "abeam, but not within 30° of bow or stern", True),
        ("TB", "within 30° of the bow", True),
        ("C", "within 30° ahead, abeam or astern", False),
        ("BB", "within 30° ahead, abeam or astern", False),
    ],
)
def test_arcs_are_shown_and_only_torpedo_craft_launch_many(code: str, arc: str, many: bool) -> None:
    """Refuse a cruiser a spread and a second torpedo in a turn."""
    session = begin_torpedoes(f"ajax class {code}")
    assert any(arc in text for text in session.preview_order(PLAIN).reminders)
    spread = f"{PLAIN} spread 2 9"
    if many:
        enter(session, spread, f"{PLAIN} 9")
    else:
        assert refusal(session, spread) == "GQ2-TOR-4"
        assert refusal(enter(session, f"{PLAIN} 9"), f"{PLAIN} 9") == "GQ2-TOR-4"


@pytest.mark.clause("GQ2-LOG-1")
def test_torpedoes_are_counted_down() -> None:
    """Refuse a ship without tubes."""
    session = begin_torpedoes()
    assert refusal(session, f"force {PLAIN} bow stern") == "", "it has one aspect"
    assert changed(session, "torpedo kobold ajax stick 5 spread 3 9", "kobold") == {"torpedoes": 1}
    assert refusal(session, "torpedo kobold ajax stick 5 spread 2 9") == "GQ2-LOG-1"
    bare = played(battle(ship("ajax", torpedoes=None), destroyer("kobold"), phase="torpedo"))
    assert refusal(bare, "torpedo ajax kobold stick 5") == "GQ2-LOG-1"


@pytest.mark.parametrize(
    ("before", "order", "told"),
    [
        (f"{PLAIN} 0", "roll 3", "standard torpedo 3 on Rook, column 3-4: 4/2: 4 hull, 2 armament"),
        ("mark rook class B", "mine rook 3", "mine 3 on Rook, column 3-4: 4/2, doubled: 8 hull, 4 armament"),
        ("mark rook df 1", "mine rook 1", "mine 1 on Rook, column ½-1: Sunk"),
    ],
)
def test_the_log_names_the_explosion_and_its_damage(before: str, order: str, told: str) -> None:
    assert reasons(enter(begin_torpedoes(), before), order)[0].text == told


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(("lost", "faces"), [(0, 2), (1, 3), (2, 4), (3, 6), (4.5, 6)])
def test_the_odds_of_sinking_include_the_loss_of_the_last_hull_box(lost: float, faces: int) -> None:
    """Count every face that leaves it without hull."""
    told = begin_torpedoes(f"rook hull_lost {lost}").preview_order("mine rook")
    assert {chance.label: chance.value for chance in told.chances}["sinks"] == Fraction(faces, 6)


SPREAD = "torpedo dee,dun rook stick 7 spread 2"
SLOW_ROOK = "mark rook moved 4"


def begin_flotilla(*orders: str, light: str = "day", **options: Any) -> Session:
    """Build destroyers and a cruiser against rook, at 4 inches, rival and raven, all of which turned."""
    start = battle(
        destroyer("dee", "blue"),
        destroyer("dun", "blue"),
        destroyer("dab", "blue", torpedoes=("standard", 2)),
        ship("ajax"),
        ship("rook", "red", log={"turned": 1}),
        ship("rival", "red", log={"turned": 1}),
        ship("raven", "red", log={"turned": 1}),
        phase="torpedo",
        light=light,
        **options,
    )
    return played(start, SLOW_ROOK, "mark rival moved 4", "mark raven moved 4", *orders)


def count_tubes(session: Session) -> tuple[object, ...]:
    """Return the torpedoes left aboard dee and dun."""
    return tuple(session.battle.ships[id].log["torpedoes"] for id in ("dee", "dun"))


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.clause("GQ2-TOR-2")
def test_a_flotilla_launches_one_spread_and_each_ship_spends_torpedoes() -> None:
    """Allow a spread larger than one ship could launch."""
    session = begin_flotilla()
    shown = session.preview_order(SPREAD)
    assert [str(need) for need in shown.needs] == ["always hits (stick 7, -3 spread)"]
    assert any("as for the worst placed ship" in text for text in shown.reminders)
    assert {chance.label: chance.value for chance in shown.chances} == {"hits": 1, "mean hits": 1}
    assert "torpedo 9 -3 spread: 6≤7, hits Rook" in join_reasons(session, f"{SPREAD} 9")
    assert owed(session) == ["torpedo-damage rook"]
    assert count_tubes(session) == (2, 2)
    for spread in ("", " spread 2"):
        told = session.preview_order(f"torpedo dee rook stick 5{spread}").reminders
        assert any("dual mount" in text for text in told) is bool(spread), "of one ship"
    assert join_reasons(session, "torpedo dun rook stick 0 1").startswith("torpedo 1>0")
    session = begin_flotilla()
    assert question(enter(session, SPREAD), "torpedo").prompt == "torpedo of Dee, Dun at Rook"


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(
    ("marks", "order", "clause", "said"),
    [
        ((), "torpedo dee,ajax rook stick 5", "GQ2-TOR-1", "launch as a flotilla, not Ajax"),
        ((), "torpedo dee,dun rook stick 5 spread 5", "GQ2-LOG-1", ""),
        (("mark dun torpedoes 1",), SPREAD, "GQ2-LOG-1", ""),
        (("leave dun sunk",), SPREAD, "GQ2-SNK-2", ""),
        ((), "torpedo dee,rook rival stick 5", "GQ2-TOR-1", ""),
        ((), "torpedo dee,dab rook stick 5", "GQ2-TOR-1", "one kind of torpedo"),
    ],
)
def test_every_ship_of_a_flotilla_must_be_able_to_launch(
    marks: tuple[str, ...], order: str, clause: str, said: str
) -> None:
    """Refuse a flotilla of two kinds of torpedoes, or with a cruiser."""
    session = begin_flotilla(*marks)
    found = session.preview_order(order).findings
    assert any(finding.clause == clause and said in finding.text for finding in found)
    assert session.preview_order("torpedo dee rook stick 5 spread 2").fine


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.parametrize(
    ("zero", "face", "number", "hits", "told"),
    [
        ("0", 0, 0, True, "hits on 0 (stick 0)"),
        ("10", 0, 9, False, "hits on 1 or more (stick 9, a 0 is 10)"),
        ("10", 0, 10, True, "always hits (stick 10, a 0 is 10)"),
        ("10", 1, 1, True, "hits on 1 (stick 1, a 0 is 10)"),
        ("10", 1, 0, False, "never hits (stick 0, a 0 is 10)"),
    ],
)
def test_the_0_of_a_torpedo_counts_0_or_by_the_switch_10(
    zero: str, face: int, number: int, hits: bool, told: str
) -> None:
    """Show and decide it alike."""
    session = begin_flotilla(torpedo_zero=zero)
    order = f"torpedo dee rook stick {number}"
    shown = session.preview_order(order)
    assert [str(need) for need in shown.needs] == [told]
    faces = number + 1 if zero == "0" else number
    assert shown.chances[0].value == Fraction(min(10, faces), 10)
    assert result(session, f"{order} {face}")["struck"] is hits
    said = reasons(enter(session, "undo"), f"{order} {face}")[0].text
    assert said.startswith(f"torpedo {face or int(zero)}{'≤' if hits else '>'}{number},")


@pytest.mark.clause("GQ2-NIT-5")
def test_by_night_every_torpedo_of_every_ship_has_its_targeting_roll() -> None:
    """Keep the dice of two ships apart."""
    session = begin_flotilla(SPREAD, light="night")
    assert owed(session) == ["targeting dee"] * 2 + ["targeting dun"] * 2
    asked = [roll.prompt for roll in session.battle.owed]
    assert asked[2] == "targeting of Dun at Rook, 3 of 4"
    assert count_tubes(session) == (2, 2)
    enter(session, "roll 3 4", "roll 3 4")
    assert owed(session) == ["targeting dun", "targeting dun", "torpedo dee"]
    assert refusal(session, f"roll {session.battle.owed[-1].key} 5") == "GQ2-NIT-5", (
        "the spread is not led yet"
    )
    enter(session, "roll 3 4", "roll 3 4")
    assert owed(session) == ["torpedo dee"]
    assert join_reasons(session, "roll 9").startswith("torpedo 9 -3 spread +2 night: 8>7")


@pytest.mark.clause("GQ2-NIT-5")
@pytest.mark.clause("GQ2-TOR-1")
def test_each_ship_found_is_measured_once_and_has_its_own_die() -> None:
    """Carry no number over from the intended ship, and no -1 of other torpedoes."""
    session = begin_flotilla(SPREAD, light="night")
    enter(session, "roll 3 4", "roll 6 3", "answer rival", "roll 6 3", "answer rival", "roll 3 4")
    assert sorted(owed(session)) == ["measure dun", "torpedo dee"]
    assert (
        question(session, "measure").prompt
        == "Dee, Dun at Rival: stick N, bow, stern, outside (out of reach or arc)"
    )
    enter(session, "answer 5 stern")
    at = {roll.declared_order.text("target"): roll for roll in session.battle.owed}
    assert {id: each.read_number("torpedoes") for id, each in at.items()} == {"rook": 2, "rival": 2}
    assert at["rival"].declared_order.resolved == "torpedo dee,dun rival stick 5 spread 2 stern"
    assert at["rook"].declared_order.resolved == SPREAD
    told = session.preview_order(f"roll {at['rival'].key}").needs
    assert [str(need) for need in told] == [
        "hits on 2 or less (stick 5, +2 at the stern, -1 spread, +2 night)"
    ]
    assert join_reasons(session, f"roll {at['rook'].key} 6").startswith(
        "torpedo 6 -1 spread +2 night: 7≤7, hits Rook"
    )
    assert join_reasons(session, f"roll {at['rival'].key} 3").startswith(
        "torpedo 3 +2 at the stern -1 spread"
    )


@pytest.mark.clause("GQ2-NIT-5")
def test_a_ship_measured_with_its_answer_is_not_asked_again() -> None:
    session = begin_flotilla(SPREAD, light="night")
    for answer in ("rival 5 bow", "rival", "raven outside"):
        enter(session, "roll 6 3", f"answer {answer}")
    assert count_tubes(session) == (2, 3), "what is out of the arc stays in its tube"
    enter(session, "roll 6 3", "answer nobody")
    found = {roll.declared_order.resolved: roll.read_number("torpedoes") for roll in session.battle.owed}
    assert found == {
        "torpedo dee rival stick 5 spread 2 bow": 2,
        "torpedo dun rook stick 7 spread 2": 1,
    }


NIGHT_PAIR = "torpedo dee,dun rook stick 7"


def list_damaged_by(session: Session, target: str) -> set[str]:
    """List the ships that are recorded as having damaged a target."""
    acts = session.battle.acts
    return {act.ship for act in acts if act.kind == "damaged" and act.read_text("target") == target}


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.parametrize(
    ("light", "orders", "firers"),
    [
        ("day", ("torpedo dee,dun rook stick 7 3",), {"dee", "dun"}),
        ("day", ("torpedo dun,dee rook stick 7 spread 2 3",), {"dee", "dun"}),
        ("day", ("torpedo dun rook stick 7 3",), {"dun"}),
        ("night", (NIGHT_PAIR, "roll 6 3", "answer rival outside", "roll 3 4", "roll 3"), {"dun"}),
        ("night", (NIGHT_PAIR, "roll 3 4", "roll 6 3", "answer rival outside", "roll 3"), {"dee"}),
        ("night", (NIGHT_PAIR, "roll 3 4", "roll 3 4", "roll 3"), {"dee", "dun"}),
        ("night", (f"{NIGHT_PAIR} 3", "roll 6 3", "answer rival outside", "roll 3 4"), {"dun"}),
        (
            "night",
            (NIGHT_PAIR, "roll 6 3", "answer rival", "roll 3 4", "answer outside", "roll 3"),
            {"dun"},
        ),
    ],
)
def test_each_ship_that_launched_has_damaged_the_target(
    light: str, orders: tuple[str, ...], firers: set[str]
) -> None:
    """Credit every such ship, and none whose torpedo stayed in its tube."""
    session = begin_flotilla(*orders, light=light)
    assert owed(session) == ["torpedo-damage rook"]
    enter(session, "roll 6")
    assert list_damaged_by(session, "rook") == firers
    on = play_to_phase(enter(session, "table light day") if light == "night" else session, "gunnery")
    for id in ("dee", "dun"):
        assert ("damaged last turn" in join_reasons(on, f"fire {id} 4 rook straddle 5 9")) is (id in firers)


@pytest.mark.clause("GQ2-GUN-12")
@pytest.mark.clause("GQ2-NIT-5")
def test_owed_dice_and_questions_name_only_ships_that_launched_there() -> None:
    session = begin_flotilla(SPREAD, "roll 6 3", "answer rival", light="night")
    assert question(session, "measure").prompt.startswith("Dee at Rival: ")
    enter(session, "answer outside", "roll 6 3", "answer rival 5", "roll 3 4", "roll 6 3", "answer rival")
    at_rook, at_rival = session.battle.owed
    assert (at_rook.key, at_rook.prompt) == ("4/torpedo/dun/1", "torpedo of Dun at Rook")
    assert (at_rival.ship, at_rival.prompt) == ("dee", "torpedo of Dee, Dun at Rival")
    assert count_tubes(session) == (3, 2)


@pytest.mark.clause("GQ2-NIT-2")
def test_torpedoes_outside_the_arc_go_back_to_their_ships() -> None:
    session = begin_flotilla(
        SPREAD, "roll 3 4", "roll 6 3", "answer rival", "roll 6 3", "answer rival", light="night"
    )
    enter(session, "answer outside")
    assert count_tubes(session) == (3, 3)


@pytest.mark.clause("GQ2-NIT-5")
def test_a_switch_gives_the_whole_spread_one_targeting_roll() -> None:
    session = begin_flotilla(f"{SPREAD} 8", light="night", spread_targeting="one")
    assert owed(session) == ["targeting dee"]
    assert join_reasons(session, "roll 3 4").endswith("torpedo 8 -3 spread +2 night: 7≤7, hits Rook")
    session = begin_flotilla(
        SPREAD, "roll 6 3", "answer rival outside", light="night", spread_targeting="one"
    )
    assert count_tubes(session) == (4, 4)


@pytest.mark.clause("GQ2-TOR-1")
def test_dice_given_early_are_for_the_intended_ship() -> None:
    """Throw no die at two ships, and lose none."""
    session = begin_flotilla(
        f"{SPREAD} 0", "roll 6 3", "answer rival 5", "roll 3 4", "roll 3 4", light="night"
    )
    assert "torpedo 0 -2 spread +2 night: 0≤7, hits Rook" in join_reasons(session, "roll 3 4")
    assert owed(session) == ["torpedo dee", "torpedo-damage rook"]
    assert question(session, "torpedo").declared_order.text("target") == "rival"
    session = begin_flotilla("torpedo dee rook stick 7 3", "roll 6 3", "answer rival", light="night")
    assert "torpedo 3 +2 night: 5≤5, hits Rival" in join_reasons(session, "answer 5")


@pytest.mark.clause("GQ2-TOR-1")
def test_each_torpedo_die_goes_to_the_ship_that_it_found() -> None:
    session = begin_flotilla("torpedo dee rook stick 7 spread 3", light="night", spread="die-each")
    enter(session, "roll 3 4", "roll 6 3", "answer rival 7", "roll 3 4")
    dice = {roll.declared_order.text("target"): len(roll.dice) for roll in session.battle.owed}
    assert dice == {"rook": 2, "rival": 1}
    enter(session, "roll 9", "roll 0 0")
    assert owed(session) == ["torpedo-damage rook"] * 2


@pytest.mark.clause("GQ2-NIT-5")
def test_a_corrected_targeting_roll_moves_the_torpedo() -> None:
    """Count it for one ship only."""
    session = begin_flotilla(SPREAD, "roll 3 4", "roll 3 4", "roll 3 4", "roll 3 4", light="night")
    enter(session, "amend 5 6 3")
    assert sorted(owed(session)) == ["torpedo dee", "who dee"]
    enter(session, "answer rival 5")
    found = {
        roll.declared_order.text("target"): roll.read_number("torpedoes") for roll in session.battle.owed
    }
    assert found == {"rook": 3, "rival": 1}


@pytest.mark.clause("GQ2-TOR-2")
@pytest.mark.clause("GQ2-TOR-9")
def test_a_ship_that_turned_about_did_not_move_straight() -> None:
    """Let a battle turn win over an earlier `straight`."""
    line = (ship("koenig", "red", **build_class("B")), ship("kaiser", "red", **build_class("BC")))
    session = played(battle(*line, destroyer("dee", "blue"), phase="movement"), "move koenig 10 straight")
    enter(session, "formation @red-line turnabout", "next", "next", "next")
    assert "straight" not in join_reasons(session, "torpedo dee koenig stick 5 9")


def test_the_odds_by_night_are_those_at_the_intended_ship() -> None:
    shown = begin_flotilla(light="night").preview_order("torpedo dee rook stick 6")
    assert {chance.label: chance.value for chance in shown.chances}["hits"] == Fraction(5, 10)
    assert shown.reminders[-1] == "at Rook, if it is found:"
    assert [str(need) for need in shown.needs] == ["hits on 4 or less (stick 6, +2 night)"]


def begin_moving(*orders: str, light: str = "day") -> Session:
    """Begin the first movement phase."""
    return played(battle(phase="movement", light=light), *orders)


ABREAST = ("formation @blue-line abreast", "move ajax 8 turns 2", "move boyne 7.5in")


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.clause("GQ2-MV-2")
def test_the_first_next_asks_for_a_divisions_checks_in_one_row() -> None:
    """Ask for one row a division, and for no inches that are recorded.

    Ajax moved 8 inches and turned 90 degrees, which is eight points: her red 6 and blue 1 are below, her 9 is
    not. Boyne moved 7½ inches and did not turn: her 7 is below, and no other die can be.
    """
    session = begin_moving(*ABREAST, "next")
    assert session.battle.phase == "movement"
    assert owed(session) == ["wander-checks ajax"]
    row = question(session, "wander-checks")
    assert [str(die) for die in row.dice] == [
        *("Ajax red D6", "Ajax blue D6", "Ajax D10"),
        *("Boyne red D6", "Boyne blue D6", "Boyne D10"),
    ]
    assert row.prompt == "wander checks of @blue-line: Ajax, Boyne"
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 8 points", "Boyne moved 7½″, 0 points")
    assert "boyne" not in list_waiting(session)
    assert refusal(session, "wander boyne 7.5in 0") == "GQ2-MV-6"
    assert refusal(session, "next") == ""
    with pytest.raises(OrderRefused, match="Boyne red D6"):
        enter(session, "roll 6 6 9")
    told = session.enter("roll 6 1 9 1 1 7").ruling
    assert told is not None
    assert dict(told.decision.outcome) == {"set": ("Ajax ½″ to starboard", "Ajax ½″ to port", "Boyne ½″ aft")}
    assert [reason.text for reason in told.decision.reasons][0::2] == [
        "Ajax, d10 9, red 6, blue 1: ½″ to starboard and ½″ to port",
        "did a ship touch another? `contact SHIP,SHIP`",
    ]
    enter(session, "next")
    assert session.battle.phase != "movement"


@pytest.mark.clause("GQ2-MV-6")
def test_unrecorded_moves_are_asked_for_and_recorded_before_the_checks() -> None:
    """Check no ship by an assumption."""
    session = begin_moving("formation @blue-line quarter", "move ajax 8", "next")
    asked = question(session, "wander-moves")
    assert (asked.key, asked.dice) == ("0/wander-moves/ajax/1", ())
    assert asked.prompt.startswith("inches and points of Boyne, for")
    for wrong in ("8", "8 0 7", "x 0", "8 1.5", "7½½ 0", "8cm 0"):
        with pytest.raises(OrderRefused, match="inches and points for each of Boyne, like `12 0`"):
            enter(session, f"answer {wrong}")
    enter(session, 'answer 7½" 4')
    assert owed(session) == ["wander-checks ajax"]
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 0 points", "Boyne moved 7½″, 4 points")
    assert values(session, "boyne")["moved"] == 7.5
    assert session.battle.ships["boyne"].count("turned") == 1
    enter(session, "undo", "move boyne 7½")
    assert owed(session) == ["wander-checks ajax"], "recorded by a move, it is not asked for any more"
    assert session.preview_order("roll").reminders == ("Ajax moved 8″, 0 points", "Boyne moved 7½″, 0 points")


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.parametrize(
    ("orders", "owes"),
    [
        (("answer 8 0 0 0",), ["Ajax red D6", "Ajax blue D6", "Ajax D10"]),
        (("answer 0 0 0 0",), []),
        (("move ajax 0", "answer 0 0"), []),
        (("move ajax,boyne 0",), []),
        (("move boyne 0", "move ajax 5"), ["Ajax red D6", "Ajax blue D6", "Ajax D10"]),
        (("answer 0 4 0 0",), ["Ajax red D6", "Ajax blue D6", "Ajax D10"]),
    ],
)
def test_a_ship_that_turns_out_not_to_have_moved_needs_no_check(
    orders: tuple[str, ...], owes: list[str]
) -> None:
    """Ask for no dice that can do nothing."""
    session = begin_moving("formation @blue-line quarter", "next", *orders)
    assert [str(die) for roll in session.battle.owed for die in roll.dice] == owes
    said = (reason.text for entry in session.timeline.rulings.values() for reason in entry.decision.reasons)
    assert any(text.endswith("did not move: no wander check") for text in said)
    if not owes:
        enter(session, "next")
        assert session.battle.phase == "searchlights"


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.clause("GQ2-CRI-2")
def test_a_move_given_for_a_check_obeys_the_rules_of_moves() -> None:
    """Refuse inches that `move` refuses, and charge a hit rudder."""
    session = begin_moving("mark boyne rudder 1", "formation @blue-line quarter", "move ajax 8", "next")
    assert refusal(session, "answer 13 0") == "GQ2-LOG-2"
    assert refusal(session, "answer 11 4") == "GQ2-CRI-2"
    enter(session, "answer 10½ 4")
    assert session.battle.ships["boyne"].log["made"] == 12
    enter(session, "undo", "force answer 13 0")
    assert values(session, "boyne")["moved"] == 13


@pytest.mark.clause("GQ2-MV-6")
def test_force_next_carries_the_checks_over_and_asks_them_once() -> None:
    """Count the stokers' turn once."""
    session = begin_moving(
        "mark ajax flank_turns 3", "formation @blue-line abreast", "move @blue-line 12", "force next"
    )
    assert session.battle.phase == "searchlights"
    assert owed(session) == ["wander-checks ajax"]
    assert session.battle.ships["ajax"].count("flank_turns") == 4
    enter(session, *["force next"] * 4)
    assert session.battle.phase == "movement"
    assert owed(session) == ["wander-checks ajax"]
    enter(session, "roll 6 6 0 6 6 0", "formation @blue-line quarter", "move @blue-line 12", "next")
    assert owed(session) == ["wander-checks ajax"], "the carried one is not this turn's"


@pytest.mark.clause("GQ2-MV-6")
def test_a_question_about_an_earlier_turn_records_no_move_of_this_one() -> None:
    """Check each turn by its own inches."""
    session = begin_moving("formation @blue-line quarter", "move ajax 8", "next", *["force next"] * 5)
    assert (session.battle.turn, session.battle.phase) == (2, "movement")
    enter(session, "move ajax 9", "move boyne 11")
    assert owed(session) == ["wander-moves ajax"], "moves of turn 2 answer nothing of turn 1"
    assert session.preview_order("wander ajax 9 0").fine, "a check of this turn by hand is another"
    assert session.preview_order("answer 3 4").fine, "no speed of turn 2 bars it"
    enter(session, "formation @blue-line abreast", "force next")
    assert owed(session) == ["wander-moves ajax", "wander-checks ajax"]
    assert session.preview_order("roll").reminders == ("Ajax moved 9″, 0 points", "Boyne moved 11″, 0 points")
    enter(session, "answer 3 4")
    assert (values(session, "ajax")["moved"], values(session, "boyne")["moved"]) == (9, 11)
    late = [roll for roll in session.battle.owed if roll.read_number("turn") == 1]
    assert session.preview_order(f"roll {late[0].key}").reminders == (
        "Ajax moved 8″, 0 points",
        "Boyne moved 3″, 4 points",
    )


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.parametrize("older", [True, False])
def test_checks_are_only_reminded_of_by_a_switch_or_in_an_older_battle(older: bool) -> None:
    """Ask nothing new in an old save."""
    start = battle(phase="movement", wander_checks="by-hand")
    if older:
        start = evolve(start, options={}, began=None)
    session = played(start, *ABREAST)
    assert list_waiting(session)["ajax"] == "wander check"
    enter(session, "next")
    assert session.battle.phase == "searchlights"
    asked = begin_moving(*ABREAST, "next")
    assert owed(asked) == ["wander-checks ajax"]
    assert owed(enter(asked, "option wander_checks by-hand")) == []


@pytest.mark.clause("GQ2-MV-6")
def test_a_division_is_asked_once_a_turn() -> None:
    """Ask no new leader when the leader has left with its check."""
    session = begin_moving("move @blue-line 8", "move rook,rival,kobold 0", "next", light="night")
    assert owed(session) == ["wander-checks ajax"]
    enter(session, "leave ajax sunk")
    assert owed(session) == []
    enter(session, "next")
    assert (session.battle.phase, owed(session)) == ("searchlights", [])


@pytest.mark.clause("GQ2-NIT-1")
@pytest.mark.clause("GQ2-MV-6")
def test_by_night_every_division_has_a_row() -> None:
    """Leave out followers, ships that lie still, and checks made by hand."""
    moves = ("move @blue-line 8", "move rook,rival 6", "move kobold 0")
    session = begin_moving(*moves, "next", light="night")
    assert owed(session) == ["wander-checks ajax", "wander-checks rook"]
    enter(session, "roll 0/wander-checks/rook/1 1 1 0", "roll 1 1 9", "next")
    assert session.battle.phase == "searchlights"
    session = begin_moving(
        *moves, "wander ajax 8 0 1 1 9", "formation @red-line quarter", "next", light="night"
    )
    assert owed(session) == ["wander-checks rook"]
    assert len(question(session, "wander-checks").dice) == 6, "all but Kobold, who lies still"
    session = begin_moving(*(f"{move}" for move in ("move ajax 0", "move rook 0")), "next", light="night")
    assert session.battle.phase == "searchlights"


@pytest.mark.clause("GQ2-MV-6")
def test_the_odds_of_a_row_with_one_ship_are_those_of_its_check() -> None:
    start = battle(ship("ajax"), destroyer("kobold"), phase="movement", light="night")
    session = played(start, "move ajax 8 turns 1", "move kobold 0", "next")
    odds = [str(chance) for chance in session.preview_order("roll").chances]
    assert odds == ["aft 80%", "starboard 50%", "port 50%"]


@pytest.mark.clause("GQ2-MV-6")
def test_a_move_corrected_after_the_checks_reads_their_dice_again() -> None:
    """Keep the answer of a late row too."""
    session = begin_moving(*ABREAST, "next", "roll 6 6 8 6 6 9", "next", "amend 2 move ajax 9 turns 2")
    ruling = session.timeline.rulings[5]
    assert "½″ aft" in ruling.decision.reasons[0].text
    session = begin_moving("move ajax 8", "move boyne 8", "next", "insert 0 formation @blue-line abreast")
    assert session.battle.phase == "searchlights"
    assert [(roll.line, roll.late) for roll in session.battle.owed] == [("wander-checks", True)]
    enter(session, "roll 6 6 7 6 6 9")
    assert owed(session) == []


@pytest.mark.clause("GQ2-MV-2")
def test_a_division_begins_in_the_formation_of_its_scenario() -> None:
    """Do not count a stated formation as a change by day."""
    start = battle(phase="movement")
    start = evolve(start, table={**start.table, "formation.@blue-line": "abreast"}, began=None)
    session = played(start, "move @blue-line 8", "next")
    assert session.battle.phase == "searchlights"
    assert refusal(played(start), "formation @blue-line abreast") == "GQ2-MV-2"


@pytest.mark.clause("GQ2-GUN-2")
@pytest.mark.clause("GQ2-TOR-9")
def test_a_move_given_for_a_check_records_turns_but_no_evasion() -> None:
    """Do not carry evasion over from an earlier turn."""
    start = battle(phase="movement", light="night")
    session = play_to_phase(played(start, "move ajax 8 evasive", "move rook 8 straight"), "movement")
    enter(session, "next", "answer 8 2", "answer 8 0")
    ships = session.battle.ships
    assert [ships[id].log["moved"] for id in ("ajax", "rook")] == [8, 8]
    assert [find_movement(session.battle, ships[id]).straight for id in ("ajax", "rook")] == [False, True]
    assert not ships["ajax"].log["evasive"]
