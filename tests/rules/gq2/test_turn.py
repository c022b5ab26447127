"""The turn: its phases, who goes first, smoke, lights, and damage that counts from a phase's end (GQ2-PH)."""

import pytest

from qf_tui.core.system import find_phase
from qf_tui.rules.gq2 import SYSTEM
from tests.rules.gq2.tables import PHASES, battle, destroyer, played, ship, to_phase, waits
from tests.rules.playing import drawn, enter, owed, reasons, refusal, values


@pytest.mark.clause("GQ2-PH-1")
def test_five_phases_make_a_turn() -> None:
    """Catches a phase left out or out of its place."""
    session = played(battle(phase="movement"))
    seen = [session.battle.phase, *(enter(session, "next").battle.phase for _ in range(5))]
    assert seen == ["movement", "searchlights", "gunnery", "torpedo", "repair", "movement"]
    assert session.battle.turn == 2


ORDERS = {
    "movement": (
        "move ajax 12",
        "formation @blue-line abreast",
        "wander ajax 8 2 1 1 9",
        "smoke ajax",
        "anchor ajax",
    ),
    "searchlights": ("light ajax rook",),
    "gunnery": ("fire ajax 6 rook straddle 5",),
    "torpedo": ("torpedo ajax rook stick 5",),
}


@pytest.mark.clause("GQ2-PH-1")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("belongs", "order"), [(p, o) for p, each in ORDERS.items() for o in each])
def test_an_order_belongs_to_its_phase(phase: str, belongs: str, order: str) -> None:
    """Catches an order taken in another phase."""
    session = played(battle(phase=phase, light="night"))
    if phase == belongs:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-PH-1"
        assert session.preview_order(f"force {order}").fine


@pytest.mark.clause("GQ2-PH-2")
@pytest.mark.parametrize("phase", ["movement", "searchlights"])
def test_the_sides_change_places_every_turn(phase: str) -> None:
    """Catches the same side moving first turn after turn."""
    odd, even = (SYSTEM.advice(battle(phase=phase, turn=turn))[0] for turn in (1, 2))
    assert odd.startswith("Blue")
    assert "then Red" in odd
    assert even.startswith("Red")


@pytest.mark.clause("GQ2-PH-3")
def test_smoke_is_black_in_odd_turns_and_gray_in_even_ones_and_goes_a_turn_later() -> None:
    """Catches a colour that stays, or goes in the very turn it was laid."""
    session = played(battle(phase="movement"), "smoke ajax")
    assert values(session, "ajax")["smoke"] == ["black"]
    assert refusal(session, "smoke ajax") == "GQ2-PH-3"
    to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == ["black"]
    enter(session, "next", "smoke ajax")
    assert values(session, "ajax")["smoke"] == ["black", "gray"]
    to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == ["gray"]
    to_phase(session, "movement")
    to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == []
    assert "black smoke and the splashes" not in " ".join(SYSTEM.advice(session.battle))


@pytest.mark.clause("GQ2-PH-3")
def test_the_repair_phase_asks_for_the_smoke_of_the_turn_before_and_the_splashes() -> None:
    """Catches a reminder of the colour that has just been laid."""
    assert "gray smoke and the splashes" in SYSTEM.advice(battle(phase="repair", turn=1))[0]
    assert "black smoke and the splashes" in SYSTEM.advice(battle(phase="repair", turn=2))[0]


@pytest.mark.clause("GQ2-PH-4")
def test_a_ship_fires_as_it_was_when_the_phase_began() -> None:
    """Catches a ship silenced by a shot of the same phase."""
    session = played(battle(), "damage rook H5")
    assert values(session, "rook")["status"] == "sinking"
    enter(session, "fire rook 6 ajax straddle 5 9")
    to_phase(session, "repair")
    assert owed(session) == ["sinking rook"]
    enter(session, "roll 4", "next", "next", "next")
    assert refusal(session, "fire rook 6 ajax straddle 5 9") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-PH-4")
def test_af_set_by_hand_counts_at_once_and_losses_at_the_end_of_the_phase() -> None:
    """Catches fire control damaged in a phase that hinders the fire of the same phase."""
    session = played(battle(), "mark rook fire_control 0", "damage rook C", "roll 0")
    assert "+2 fire control" not in reasons(session, "fire rook 6 ajax straddle 5 9")[0].text
    enter(session, "mark ajax fire_control 1")
    told = session.enter("fire ajax 6 rook straddle 5 9").ruling
    assert told is not None
    assert "+2 fire control" in told.decision.reasons[0].text


@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(("switch", "launches"), [("simultaneous", True), ("at-once", False)])
def test_torpedo_damage_counts_from_the_end_of_the_phase_or_by_the_switch_at_once(
    switch: str, launches: bool
) -> None:
    """Catches a torpedo from a ship that by the switch is sinking already."""
    session = played(battle(phase="torpedo", torpedo_damage=switch), "damage rook H5")
    order = "torpedo rook ajax stick 5 9"
    if launches:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-PH-4")
def test_what_a_phase_did_is_a_slash_until_it_ends() -> None:
    """Catches losses drawn as old ones at once, or never."""
    session = played(battle(), "damage rook H1.5 A1", "mark boyne hull_lost 1.5")
    assert drawn(session, "rook", "hull") == "(/)(½)□□□"
    assert drawn(session, "rook", "arms") == "(/)□□□□□"
    assert drawn(session, "boyne", "hull") == "[X][½]□□□"
    enter(session, "next")
    assert drawn(session, "rook", "hull") == "[X][½]□□□"
    enter(session, "damage rook H½")
    assert drawn(session, "rook", "hull") == "[X](/)□□□"


@pytest.mark.clause("GQ2-PH-5")
def test_a_searchlight_stays_on_until_its_phase_changes_it() -> None:
    """Catches a light that goes out by itself, or off in another phase."""
    session = played(battle(phase="searchlights", light="night"), "light ajax rook", "roll 3 4")
    to_phase(session, "movement")
    assert refusal(session, "dark ajax") == "GQ2-PH-1"
    to_phase(session, "searchlights")
    assert values(session, "ajax")["lights"] == ["rook"]
    assert values(session, "rook")["illuminated"]
    enter(session, "dark ajax")
    assert not values(session, "rook")["illuminated"]
    assert not values(session, "ajax")["illuminated"]
    assert refusal(session, "force dark ajax") == ""


@pytest.mark.clause("GQ2-PH-6")
def test_smoke_changes_no_shot_but_through_low_and_bases() -> None:
    """Catches smoke counted by the console, and again by the umpire."""
    session = played(battle(phase="movement"), "smoke ajax", "next", "next")
    text = session.enter("fire rook 6 ajax straddle 5 low 1 bases 2 2 6 6").ruling
    assert text is not None
    assert (
        text.decision.reasons[0].text
        == "white 2 +1 poor visibility +2 models in the way: 5≤5, straddles Ajax"
    )


def test_who_may_still_act() -> None:
    """Catches a phase that waits for somebody who has acted, or for nobody who has not."""
    session = played(battle(phase="movement"))
    assert set(waits(session).values()) == {"move"}
    enter(session, "move ajax,boyne 10", "next")
    assert waits(session) == {}, "searchlights are for the night"
    enter(session, "next", "fire ajax 6 rook straddle 5 9")
    assert waits(session)["ajax"] == "12-inch"
    enter(session, "fire ajax 12 rook straddle 5 9")
    assert "ajax" not in waits(session)
    enter(session, "next", "torpedo ajax rook stick 1 9", "torpedo kobold ajax stick 1 9")
    assert "ajax" not in waits(session)
    assert waits(session)["kobold"] == "T"


@pytest.mark.parametrize(
    ("phase", "light", "orders", "passes"),
    [
        ("searchlights", "day", (), True),
        ("searchlights", "night", (), False),
        ("searchlights", "dusk", (), False),
        ("torpedo", "day", (), False),
        ("torpedo", "day", ("mark ajax torpedoes 0", "mark rook torpedoes none"), True),
        ("gunnery", "day", (), False),
    ],
)
def test_a_phase_in_which_nobody_can_act_passes(
    phase: str, light: str, orders: tuple[str, ...], passes: bool
) -> None:
    """Catches searchlights by day that want a key, and ones by night that are passed over."""
    start = battle(ship("ajax"), ship("rook", "red"), phase=phase, light=light)
    session = played(start, *orders)
    assert (find_phase(SYSTEM, phase).passes and not waits(session)) is passes


def test_the_end_is_offered_when_a_side_has_no_ship_left() -> None:
    session = played(battle(ship("ajax"), destroyer("kobold")), "leave kobold sunk")
    assert SYSTEM.ended(session.battle) == "Red has no ship left in the battle: it may end here"
    assert SYSTEM.ended(battle()) == ""
