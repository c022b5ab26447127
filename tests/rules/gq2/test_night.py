"""Night: wandering, stray fire, searchlights, and permitted targets (GQ2-NIT)."""

from itertools import product
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from tests.rules.gq2.tables import battle, destroyer, join_reasons, list_waiting, play_to_phase, played, ship
from tests.rules.playing import changed, enter, is_allowed, owed, question, refusal, result, values

SHOT = "fire ajax 6 rook straddle 8 penetrates"


def begin_night(*orders: str, phase: str = "gunnery", **options: Any) -> Session:
    """Begin a phase of a night turn."""
    return played(battle(phase=phase, light="night", **options), *orders)


@pytest.mark.clause("GQ2-NIT-1")
def test_by_night_the_leader_of_a_line_or_every_other_ship_checks() -> None:
    """Ask for no check by day, of followers, or of ships that lie still."""
    unmoved = list_waiting(begin_night(phase="movement"))
    assert (unmoved["ajax"], unmoved["boyne"]) == ("move, then wander check", "move")
    session = begin_night("move @blue-line 8", "move rook,rival 6", "move kobold 0", phase="movement")
    assert list_waiting(session) == {"ajax": "wander check", "rook": "wander check"}
    enter(session, "mark rook moved 0", "formation @blue-line abreast")
    assert list_waiting(session) == {"ajax": "wander check", "boyne": "wander check"}
    play_to_phase(session, "movement")
    enter(session, "move @blue-line 8", "force move @red-line 4")
    assert list_waiting(session) == dict.fromkeys(("ajax", "boyne", "rook"), "wander check"), "still abreast"
    assert any("(GQ2-NIT-1)" in text for text in SYSTEM.advice(session.battle))
    enter(session, "table light day")
    assert list_waiting(session) == {}
    session = play_to_phase(begin_night("move ajax 0", "move boyne 0", phase="movement"), "movement")
    assert list_waiting(session)["ajax"] == "move", "she is assumed to lie still"
    assert list_waiting(enter(session, "move ajax 2"))["ajax"] == "wander check"


@pytest.mark.clause("GQ2-NIT-2")
@pytest.mark.parametrize(("red", "blue"), list(product(range(1, 7), repeat=2)))
def test_the_targeting_dice_call_ships_by_double_and_triple(red: int, blue: int) -> None:
    """Check the edges at double and triple, left and right."""
    session = begin_night(SHOT)
    said = join_reasons(session, f"roll {red} {blue}")
    least, most = min(red, blue), max(red, blue)
    count = "two ships" if most >= 3 * least else "one ship" if most >= 2 * least else ""
    side = "right" if red > blue else "left"
    place = f"{count} to the {side} of Rook" if count else "finds Rook"
    assert said.startswith(f"red {red}, blue {blue}: {place}")
    assert owed(session) == (["who ajax"] if count else ["fire ajax"])


@pytest.mark.clause("GQ2-NIT-2")
def test_the_targeting_roll_comes_before_the_dice_and_dice_given_early_wait() -> None:
    """Do not read dice of the shot as those of the targeting roll."""
    with pytest.raises(OrderRefused, match="still missing blue D10"):
        begin_night(f"{SHOT} 2 4")
    assert owed(begin_night(f"{SHOT} 9")) == ["targeting ajax"], "a miss needs no more"
    assert owed(begin_night(SHOT)) == ["targeting ajax"]
    session = begin_night(f"{SHOT} 0 3 3")
    assert owed(session) == ["targeting ajax"]
    enter(session, "roll 6 3", "answer rival 8")
    assert owed(session) == []
    assert values(session, "rival")["hull_lost"] == 0.5
    assert values(session, "rook")["hull_lost"] == 0


@pytest.mark.clause("GQ2-NIT-2")
def test_no_shot_strays_by_day_at_dusk_or_at_lit_ships() -> None:
    """Let light from fire of the same phase not count yet."""
    for light in ("day", "dusk"):
        assert owed(played(battle(light=light), SHOT)) == ["fire ajax"]
    assert owed(begin_night("damage rook C", "roll 3", SHOT)) == ["targeting ajax"], "GQ2-PH-4"
    assert owed(begin_night("mark rook lit yes", SHOT)) == ["fire ajax"]
    assert owed(begin_night("mark rook lights boyne", SHOT)) == ["fire ajax"]
    assert owed(begin_night("mark rook fires 1", SHOT)) == ["fire ajax"]
    assert owed(begin_night("mark boyne lights rook", SHOT)) == ["fire ajax"]
    assert owed(begin_night("mark boyne lights rook", "leave boyne sunk", SHOT)) == ["targeting ajax"]


@pytest.mark.clause("GQ2-NIT-2")
def test_any_ship_on_the_table_may_be_hit_by_a_stray_shot() -> None:
    """Offer friends and wrecks, but no ship that is gone."""
    session = begin_night("mark kobold status sinking", SHOT, "roll 6 2")
    asked = question(session, "who")
    assert asked.words == ("boyne", "rival", "kobold", "nobody")
    assert "silhouette" not in asked.prompt
    assert asked.prompt.endswith("bases N, outside (out of reach or arc)")
    for switch, told in (("that-one", "that one"), ("intended", "nobody")):
        two = question(begin_night(SHOT, "roll 1 6", one_of_two=switch), "who").prompt
        assert f"If only one is there: {told}" in two
    assert "only one" not in question(begin_night(SHOT, "roll 3 6"), "who").prompt
    assert asked.prompt.startswith("two ships to the right of Rook, seen from Ajax: who is there within 60°?")
    assert "instead of" not in join_reasons(session, "answer nobody")
    assert question(session, "fire").declared_order.resolved == "fire ajax 6-inch rook straddle 8 penetrates"
    assert "kobold" in question(begin_night("leave kobold struck", SHOT, "roll 6 2"), "who").words
    session = begin_night("leave kobold sunk", SHOT, "roll 6 2")
    assert "kobold" not in question(session, "who").words
    assert join_reasons(session, "answer boyne") == "it is Boyne instead of Rook"
    enter(session, "answer straddle 8", "roll 0 3 3")
    assert values(session, "boyne")["hull_lost"] == 0.5, "a friend, and fired at"


@pytest.mark.clause("GQ2-NIT-2")
@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("riv straddle 4", "fire ajax 6-inch rival straddle 4 he low 1"),
        (
            "rival straddle 4 penetrates bases 1",
            "fire ajax 6-inch rival straddle 4 penetrates he low 1 bases 1",
        ),
        ("rival 4 pen base 1", "fire ajax 6-inch rival straddle 4 penetrates he low 1 bases 1"),
        ("rival stra 4", "fire ajax 6-inch rival straddle 4 he low 1"),
        ("rival 8 low 3", "fire ajax 6-inch rival straddle 8 he low 3"),
        ("rival pen 8", "fire ajax 6-inch rival straddle 8 penetrates he low 1"),
        ("rival over 5", "fire ajax 6-inch rival straddle 5 he over low 1"),
        ("rival bases 2 5", "fire ajax 6-inch rival straddle 5 he low 1 bases 2"),
    ],
)
def test_band_and_penetration_are_measured_again_to_the_ship_found(answer: str, order: str) -> None:
    """Carry nothing over from the intended ship."""
    session = begin_night(
        "fire ajax 6 rook straddle 8 penetrates he low 1 bases 2", "roll 6 3", f"answer {answer}"
    )
    assert question(session, "fire").declared_order.resolved == order
    named, *measured = answer.split()
    session = begin_night(
        "fire ajax 6 rook straddle 8 penetrates he low 1 bases 2", "roll 6 3", f"answer {named}"
    )
    assert owed(session) == ["measure ajax"], "nothing is taken over in silence"
    assert question(session, "measure").prompt.startswith("Ajax at Rival: straddle N, penetrates, over")
    enter(session, f"answer {' '.join(measured)}")
    assert question(session, "fire").declared_order.resolved == order
    assert question(session, "fire").key == "1/fire/ajax/1"


@pytest.mark.clause("GQ2-NIT-2")
@pytest.mark.parametrize(
    "answer", ["rook", "ajax", "yak", "rival straddle", "rival straddle 10", "rival in smoke", "rival low 3"]
)
def test_a_wrong_answer_is_refused_with_the_allowed_ones(answer: str) -> None:
    session = begin_night(SHOT, "roll 6 3")
    with pytest.raises(OrderRefused, match="then, if needed, straddle N, penetrates"):
        session.enter(f"answer {answer}")
    assert owed(session) == ["who ajax"]


@pytest.mark.clause("GQ2-NIT-6")
@pytest.mark.clause("GQ2-NIT-2")
@pytest.mark.parametrize(
    ("phase", "order", "answer", "clause"),
    [
        ("gunnery", "fire ajax 6 rook straddle 8 rapid", "rival straddle 6", "GQ2-GUN-6"),
        ("gunnery", "fire ajax 6 rook straddle 5 over", "rival straddle 8 over", "GQ2-GUN-8"),
        ("gunnery", SHOT, "rival 8 silhouette", "GQ2-NIT-6"),
        ("gunnery", SHOT, "rival straddle 5in", ""),
        ("torpedo", "torpedo ajax rook stick 5", "rival stick 4in", ""),
        ("torpedo", "torpedo ajax rook stick 5", "rival bow stern", ""),
    ],
)
def test_a_rule_against_a_shot_also_counts_at_the_ship_found(
    phase: str, order: str, answer: str, clause: str
) -> None:
    """Refuse a range without a stick, rapid fire far off, and a silhouette by night in an answer."""
    session = begin_night("option rapid_bands red", order, "roll 6 3", phase=phase)
    assert refusal(session, f"answer {answer}") == clause
    assert session.preview_order("answer rival outside").fine
    if clause:
        enter(session, f"force answer {answer}")


@pytest.mark.clause("GQ2-NIT-2")
def test_outside_the_arc_the_battery_is_spent_and_the_torpedo_is_kept() -> None:
    """Allow no second shot in place of the first."""
    session = begin_night(SHOT, "roll 6 3")
    assert session.preview_order("answer rival out").fine
    assert result(session, "answer rival outside") == {"fired": False}
    assert owed(session) == []
    assert refusal(session, SHOT) == "GQ2-PH-1"
    session = begin_night("torpedo kobold ajax stick 5", "roll 6 3", phase="torpedo")
    assert changed(session, "answer rook outside", "kobold") == {"torpedoes": 4}
    assert owed(enter(begin_night(SHOT, "roll 6 3"), "answer rival", "answer out")) == [], (
        "or once it is named"
    )
    session = begin_night("torpedo ajax rook stick 5", "roll 6 3", "answer rival", phase="torpedo")
    assert changed(session, "answer outside", "ajax") == {"torpedoes": 4}
    assert owed(session) == []


@pytest.mark.clause("GQ2-NIT-2")
@pytest.mark.parametrize(("switch", "after"), [("a-shot", (17, 3)), ("by-hand", (18, 4))])
def test_outside_the_arc_no_box_of_ammunition_is_fired_off(switch: str, after: tuple[int, int]) -> None:
    start = battle(
        ship("ajax", he=4), ship("rook", "red"), ship("rival", "red"), light="night", ammunition=switch
    )
    session = played(start, f"{SHOT} he", "roll 6 3")
    log = session.battle.ships["ajax"].log
    assert (log["ammo"], log["ammo_he"]) == after
    enter(session, "answer rival outside")
    log = session.battle.ships["ajax"].log
    assert (log["ammo"], log["ammo_he"]) == (18, 4)


@pytest.mark.clause("GQ2-NIT-2")
def test_both_ships_are_logged_and_the_one_found_counts_as_fired_upon() -> None:
    session = begin_night(SHOT, "roll 6 3", "answer rival 8", "roll 9")
    shots = [(act.kind, *act.facts.values()) for act in session.battle.acts if act.ship == "ajax"]
    assert shots == [("fire", "6-inch", "rook"), ("at", "6-inch", "rival")]
    enter(session, "mark rook lit yes", "mark rival lit yes")
    assert "fired upon" not in join_reasons(session, "fire boyne 6 rook straddle 5 9")
    assert "fired upon" in join_reasons(session, "fire boyne 12 rival straddle 5 9")


@pytest.mark.clause("GQ2-NIT-2")
def test_torpedoes_stray_like_gunfire() -> None:
    session = begin_night("mark rook moved 5", "mark rival moved 5", phase="torpedo")
    enter(session, "torpedo ajax rook stick 5 stern", "roll 2 6", "answer rival stick 7 bow")
    assert question(session, "torpedo").declared_order.resolved == "torpedo ajax rival stick 7 bow"
    assert "+1 at the bow +2 night" in join_reasons(session, "roll 4")
    assert question(session, "torpedo-damage").ship == "rival"
    assert question(session, "torpedo-damage").key.startswith("3/")
    session = begin_night("torpedo kobold ajax stick 9 0", "roll 3 4", phase="torpedo")
    assert owed(session) == ["torpedo-damage ajax"], "the die was given early"


@pytest.mark.clause("GQ2-NIT-2")
def test_targeting_still_comes_first_when_a_correction_needs_more_dice() -> None:
    """Insert a switch by which a spread needs a die each."""
    session = begin_night("note before", "torpedo kobold ajax stick 4 spread 2 4", phase="torpedo")
    asked = ["targeting kobold", "targeting kobold"]
    assert owed(session) == asked
    enter(session, "insert 1 option spread die-each")
    assert owed(session) == asked
    enter(session, "roll 2 3", "roll 2 3")
    (dice,) = session.battle.owed
    assert (dice.line, len(dice.dice), dice.faces) == ("torpedo", 2, ())


@pytest.mark.clause("GQ2-NIT-3")
def test_a_searchlight_has_its_targeting_roll_first_and_lights_its_user_too() -> None:
    session = begin_night("light ajax rook", phase="searchlights")
    assert owed(session) == ["targeting ajax"]
    dark = session.battle
    enter(session, "roll 6 3", "answer rival")
    assert SYSTEM.on_table(dark, session.battle) == (("red", "Rival: lit: mark it"),), "Ajax was lit before"
    assert [values(session, id)["illuminated"] for id in ("ajax", "rook", "rival")] == [True, False, True]
    assert values(session, "ajax")["lights"] == ["rival"]
    far = begin_night("light ajax rook", "roll 6 3", phase="searchlights")
    who = question(far, "who")
    assert who.prompt.endswith("within 60°? After the name, if needed: outside (out of reach or arc)")
    (unclear,) = SYSTEM.prepare_answer(far.battle, evolve(who, words=("boyne", "bounty")), ("bo",)).findings
    assert unclear.text.startswith("“bo” may be boyne or bounty: ")
    assert (
        join_reasons(far, "answer rival outside") == "Rival instead of Rook is out of reach: no ship is lit"
    )
    assert values(far, "ajax")["lights"] == []
    enter(session, "light boyne rival")
    assert values(session, "boyne")["lights"] == ["rival"], "it is lit already: no targeting roll"


@pytest.mark.clause("GQ2-NIT-3")
@pytest.mark.parametrize(
    ("nation", "most"),
    [
        ("British", 1),
        ("France", 1),
        ("Austria-Hungary", 1),
        ("German", 2),
        ("Japanese", 2),
        ("USA", 2),
        ("Royal Navy", 1),
        ("Royal Italian Navy", 2),
    ],
)
def test_a_ship_may_light_as_many_ships_as_its_navy_allows(nation: str, most: int) -> None:
    """Check the limit of each navy."""
    ships = (ship("ajax", nation=nation), *(ship(id, "red") for id in ("rook", "rival", "raven")))
    session = played(battle(*ships, phase="searchlights", light="night"))
    for count, target in enumerate(("rook", "rival", "raven")):
        if count < most:
            enter(session, f"light ajax {target}", "roll 1 1")
        else:
            assert refusal(session, f"light ajax {target}") == "GQ2-NIT-3"
            most_told = "one ship only" if most == 1 else "one ship on each side"
            assert most_told in session.preview_order(f"light ajax {target}").findings[0].text
    side = any(
        "one ship on each side" in text for text in session.preview_order("force light ajax raven").reminders
    )
    assert side is (most == 2)


@pytest.mark.clause("GQ2-NIT-3")
def test_the_reach_of_a_light_is_shown_and_a_second_one_on_a_ship_refused() -> None:
    session = begin_night("light rook ajax", "roll 1 1", phase="searchlights")
    assert any("9″" in text for text in session.preview_order("light rook boyne").reminders)
    assert refusal(session, "light rook ajax") == "GQ2-PH-5"
    assert refusal(session, "force light rook rook") == ""
    enter(session, "light rook boyne", "roll 6 3", "answer ajax")
    assert values(session, "rook")["lights"] == ["ajax"], "its two lights met on one ship"


@pytest.mark.clause("GQ2-NIT-3")
def test_declared_lights_count_before_their_roll() -> None:
    session = begin_night("light ajax rook", phase="searchlights")
    assert refusal(session, "light ajax rook") == "GQ2-PH-5"
    assert refusal(session, "light ajax rival") == "GQ2-NIT-3"
    assert "one is declared at Rook" in session.preview_order("light ajax rival").findings[0].text
    enter(session, "light rook ajax", "light rook boyne")
    assert refusal(session, "light rook kobold") == "GQ2-NIT-3"
    enter(session, "roll 6 3", "answer rival outside", "force light ajax rival")
    assert list_waiting(session).keys() == {"boyne", "rival", "kobold"}, (
        "they have lights left, ajax and rook none"
    )


@pytest.mark.clause("GQ2-NIT-7")
def test_a_light_shows_its_user_until_it_is_put_out() -> None:
    session = begin_night(phase="searchlights", wander_checks="by-hand")
    dark = session.battle
    told = SYSTEM.on_table(dark, enter(session, "light ajax rook").battle)
    assert told == (("blue", "Ajax: lit: mark it"),), "the roll is still to come"
    enter(session, "roll 6 3", "answer rival outside", "next", "fire rook 6 ajax straddle 5")
    assert owed(session) == ["fire rook"], "a lit ship wants no targeting roll"
    play_to_phase(enter(session, "roll 9"), "searchlights")
    assert values(session, "ajax")["illuminated"]
    enter(session, "dark ajax")
    assert not values(session, "ajax")["illuminated"]
    enter(session, "light ajax rook", "roll 1 1", "dark ajax")
    assert not values(session, "ajax")["illuminated"]


@pytest.mark.clause("GQ2-NIT-7")
def test_a_light_is_used_once_a_phase_even_if_put_out() -> None:
    """Allow a light of an earlier phase."""
    session = begin_night(phase="searchlights", wander_checks="by-hand")
    enter(session, "light ajax rook", "roll 6 3", "answer rival", "dark ajax")
    assert refusal(session, "light ajax rook") == "GQ2-NIT-7"
    assert "ajax" not in list_waiting(session)
    enter(session, "light rook ajax", "roll 1 1", "light rook boyne", "roll 6 3", "answer kobold outside")
    assert refusal(session, "light rook boyne") == "GQ2-NIT-7"
    play_to_phase(enter(session, "force light ajax rook"), "searchlights")
    enter(session, "dark ajax", "light ajax rook", "light rook boyne", "roll 1 1")
    assert refusal(enter(session, "dark rook boyne"), "light rook kobold") == "GQ2-NIT-7"


@pytest.mark.clause("GQ2-PH-5")
def test_a_light_that_waits_for_its_roll_is_put_out_only_by_force() -> None:
    """Refuse `dark` before the dice and before the answer."""
    session = begin_night("mark rook lights ajax", "light rook boyne", phase="searchlights")
    for waiting in ("roll 6 3", ""):
        for order in ("dark rook", "dark rook boyne"):
            assert refusal(session, order) == "GQ2-PH-5"
            found = session.preview_order(order).findings[0].text
            assert found == "Rook's light at Boyne still waits for its roll"
            assert is_allowed(session, f"force {order}")
        assert is_allowed(session, "dark rook ajax")
        enter(session, *filter(None, [waiting]))
    enter(session, "answer nobody")
    assert is_allowed(session, "dark rook boyne")


@pytest.mark.clause("GQ2-NIT-3")
def test_one_of_two_lights_goes_out() -> None:
    """Refuse to put out a light on another ship."""
    session = begin_night("mark rook lights ajax,boyne", phase="searchlights")
    assert refusal(session, "light rook kobold") == "GQ2-NIT-3"
    assert "`dark rook ajax` first" in session.preview_order("light rook kobold").findings[0].text
    assert join_reasons(session, "dark rook ajax") == "Rook's searchlight at Ajax goes off"
    assert values(session, "rook")["lights"] == ["boyne"]
    assert refusal(session, "dark rook ajax") == ""
    enter(session, "dark rook")
    assert values(session, "rook")["lights"] == []
    for wrong in ("-", "ajax,-", "nobody"):
        assert "no ship “" in session.preview_order(f"mark rook lights {wrong}").findings[0].text


def test_an_answer_goes_to_the_fitting_question_of_this_phase() -> None:
    """Answer the question about a target, not the one about moves that was carried over."""
    session = played(battle(phase="movement", light="night"), "next", *["force next"] * 2, SHOT)
    enter(session, "roll 6 3")
    assert owed(session) == ["wander-moves ajax", "wander-moves rook", "who ajax"]
    enter(session, "answer rival")
    assert owed(session)[-1] == "measure ajax"
    enter(session, "answer straddle 6")
    assert owed(session)[-1] == "fire ajax"
    enter(session, "answer 8 0")
    assert owed(session)[0] == "wander-moves rook"


@pytest.mark.clause("GQ2-NIT-4")
def test_fire_at_a_lit_friend_is_refused_with_the_exception() -> None:
    """Allow it by force."""
    session = begin_night("mark boyne lit yes")
    order = "fire ajax 6 boyne straddle 5 9"
    assert refusal(session, order) == "GQ2-NIT-4"
    with pytest.raises(OrderRefused, match="1″ or more out of place it must be fired at: force the order"):
        session.enter(order)
    assert "+2 night" in join_reasons(session, f"force {order}")
    assert "(GQ2-NIT-4)" in SYSTEM.advice(session.battle)[-1]
    assert refusal(begin_night(), order) == "GQ2-GUN-1", "an unlit friend is nobody's intended target"


@pytest.mark.clause("GQ2-NIT-5")
def test_each_battery_and_each_torpedo_has_its_own_targeting_roll() -> None:
    session = begin_night(SHOT, "roll 3 4", "roll 9", "fire ajax 12 rook straddle 8")
    assert owed(session) == ["targeting ajax"]
    session = begin_night("torpedo kobold ajax stick 5", "torpedo kobold ajax stick 5", phase="torpedo")
    assert owed(session) == ["targeting kobold", "targeting kobold"]
    ready = SYSTEM.prepare_roll(session.battle, session.battle.owed[0])
    assert any("sliver" in text for text in ready.reminders)


@pytest.mark.clause("GQ2-NIT-6")
def test_the_umpire_sets_the_light_in_any_phase() -> None:
    session = played(battle(destroyer("kobold"), ship("ajax"), phase="repair"))
    for light in ("dusk", "night", "day"):
        assert f"it is {light} from here on" in join_reasons(session, f"table light {light}")
        assert session.battle.table["light"] == light
    assert refusal(session, "table light dawn") == ""


@pytest.mark.clause("GQ2-NIT-6")
def test_silhouettes_and_searchlights_follow_the_light() -> None:
    """Refuse a silhouette at night, and a searchlight by day."""
    assert refusal(begin_night(), f"{SHOT} silhouette") == "GQ2-NIT-6"
    assert refusal(played(battle()), f"{SHOT} silhouette") == "GQ2-NIT-6"
    day = played(battle(phase="searchlights"))
    assert refusal(day, "light ajax rook") == "GQ2-NIT-6"
    assert list_waiting(day) == {}
    assert set(list_waiting(begin_night(phase="searchlights")).values()) == {"light"}


@pytest.mark.clause("GQ2-NIT-6")
def test_a_late_entry_of_night_makes_shots_wait_for_targeting() -> None:
    """Read the present light, not the light at the start of the phase."""
    session = played(battle(), f"{SHOT} 0 3 3", "insert 0 table light night")
    assert owed(session) == ["targeting ajax"]
    enter(session, "roll 6 3", "answer rival 8 penetrates")
    assert values(session, "rival")["hull_lost"] == 0.5
    enter(session, "strike 2")
    assert values(session, "rook")["hull_lost"] == 0.5


def test_the_odds_of_straying_are_exact() -> None:
    session = begin_night(SHOT)
    told = session.preview_order("roll").chances
    strays = sum(max(a, b) >= 2 * min(a, b) for a, b in product(range(1, 7), repeat=2))
    assert [(each.label, int(each.value * 36)) for each in told] == [("strays", strays)]
