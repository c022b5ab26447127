"""The turn and the data sheet on the console (GQ2-PH, GQ2-LOG)."""

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import find_field, find_phase
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import build_consequences_document, build_why_document
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice
from tests.console.playing import SMALL_FIRST, Table, list_keys, play
from tests.rules.gq2 import tables
from tests.rules.gq2.tables import PHASES, battle, join_reasons, list_waiting, play_to_phase, played, ship
from tests.rules.playing import changed, draw_cell, enter, format_spans, owed, reasons, refusal, values
from tests.systems import load_start


@pytest.mark.clause("GQ2-PH-1")
def test_five_phases_make_a_turn() -> None:
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
    session = played(battle(phase=phase, light="night"))
    if phase == belongs:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-PH-1"
        assert session.preview_order(f"force {order}").fine


@pytest.mark.clause("GQ2-PH-1")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("order", "owes"), [("contact ajax,rook", 2), ("mine ajax", 1)])
def test_a_contact_and_a_mine_belong_to_every_phase(phase: str, order: str, owes: int) -> None:
    """Accept a contact after a wander check that was carried over."""
    session = enter(played(battle(phase=phase)), order)
    assert len(session.battle.owed) == owes


@pytest.mark.clause("GQ2-PH-2")
@pytest.mark.parametrize("phase", ["movement", "searchlights"])
def test_the_sides_change_places_every_turn(phase: str) -> None:
    odd, even = (SYSTEM.advice(battle(phase=phase, turn=turn))[0] for turn in (1, 2))
    assert odd.startswith("Blue")
    assert "then Red" in odd
    assert even.startswith("Red")


@pytest.mark.clause("GQ2-PH-3")
def test_smoke_is_black_in_odd_turns_gray_in_even_ones_and_lasts_a_turn() -> None:
    session = played(battle(phase="movement"), "smoke ajax")
    assert values(session, "ajax")["smoke"] == ["black"]
    assert refusal(session, "smoke ajax") == "GQ2-PH-3"
    play_to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == ["black"]
    enter(session, "next", "smoke ajax")
    assert values(session, "ajax")["smoke"] == ["black", "gray"]
    play_to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == ["gray"]
    play_to_phase(session, "movement")
    play_to_phase(session, "repair")
    assert values(session, "ajax")["smoke"] == []
    assert "black smoke and the splashes" not in " ".join(SYSTEM.advice(session.battle))
    for turn, colour in ((1, "gray"), (2, "black")):
        told = SYSTEM.advice(battle(phase="repair", turn=turn))[0]
        assert f"{colour} smoke and the splashes" in told, "of the turn before"


@pytest.mark.clause("GQ2-PH-4")
def test_a_ship_fires_in_its_state_at_the_start_of_the_phase() -> None:
    session = played(battle(), "damage rook H5")
    assert values(session, "rook")["status"] == "sinking"
    enter(session, "fire rook 6 ajax straddle 5 9")
    play_to_phase(session, "repair")
    assert owed(session) == ["sinking rook"]
    enter(session, "roll 4", "next", "next", "next")
    assert refusal(session, "fire rook 6 ajax straddle 5 9") == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-PH-4")
def test_af_set_by_hand_counts_at_once_and_losses_at_the_end_of_the_phase() -> None:
    """Let fire control damaged in a phase not count in the same phase."""
    session = played(battle(), "mark rook fire_control 0", "damage rook C", "roll 0")
    assert "+2 fire control" not in reasons(session, "fire rook 6 ajax straddle 5 9")[0].text
    enter(session, "mark ajax fire_control 1")
    told = session.enter("fire ajax 6 rook straddle 5 9").ruling
    assert told is not None
    assert "+2 fire control" in told.decision.reasons[0].text


@pytest.mark.clause("GQ2-PH-4")
@pytest.mark.parametrize(("switch", "launches"), [("simultaneous", True), ("at-once", False)])
def test_torpedo_damage_counts_after_its_phase_or_by_a_switch_at_once(switch: str, launches: bool) -> None:
    """Refuse a launch of a ship that is sinking already by the switch."""
    session = played(battle(phase="torpedo", torpedo_damage=switch), "damage rook H5")
    order = "torpedo rook ajax stick 5 9"
    if launches:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-SNK-2"


@pytest.mark.clause("GQ2-PH-4")
def test_damage_is_a_slash_until_its_phase_ends() -> None:
    session = played(battle(), "damage rook H1.5 A1", "mark boyne hull_lost 1.5")
    assert draw_cell(session, "rook", "hull") == "(/)(½)□□□"
    assert draw_cell(session, "rook", "arms") == "(/)□□□□□"
    assert draw_cell(session, "boyne", "hull") == "[X][½]□□□"
    enter(session, "next")
    assert draw_cell(session, "rook", "hull") == "[X][½]□□□"
    enter(session, "damage rook H½")
    assert draw_cell(session, "rook", "hull") == "[X](/)□□□"


@pytest.mark.clause("GQ2-PH-5")
def test_a_searchlight_stays_on_until_its_phase_changes_it() -> None:
    session = played(battle(phase="searchlights", light="night"), "light ajax rook", "roll 3 4")
    play_to_phase(session, "movement")
    assert refusal(session, "dark ajax") == "GQ2-PH-1"
    play_to_phase(session, "searchlights")
    assert values(session, "ajax")["lights"] == ["rook"]
    assert values(session, "rook")["illuminated"]
    enter(session, "dark ajax")
    assert not values(session, "rook")["illuminated"]
    assert not values(session, "ajax")["illuminated"]
    assert refusal(session, "force dark ajax") == ""


@pytest.mark.clause("GQ2-PH-6")
def test_smoke_changes_a_shot_only_through_low_and_bases() -> None:
    """Count smoke once, by the umpire."""
    session = played(battle(phase="movement"), "smoke ajax", "next", "next")
    text = session.enter("fire rook 6 ajax straddle 5 low 1 bases 2 2 6 6").ruling
    assert text is not None
    assert (
        text.decision.reasons[0].text
        == "white 2 +1 poor visibility +2 models in the way: 5≤5, straddles Ajax"
    )


def test_the_ships_that_may_still_act_are_listed() -> None:
    session = played(battle(phase="movement"))
    assert set(list_waiting(session).values()) == {"move"}
    enter(session, "move ajax,boyne 10", "next")
    assert list_waiting(session) == {}, "searchlights are for the night"
    enter(session, "next", "fire ajax 6 rook straddle 5 9")
    assert list_waiting(session)["ajax"] == "12-inch"
    enter(session, "fire ajax 12 rook straddle 5 9")
    assert "ajax" not in list_waiting(session)
    enter(session, "next", "torpedo ajax rook stick 1 9", "torpedo kobold ajax stick 1 9")
    assert "ajax" not in list_waiting(session)
    assert list_waiting(session)["kobold"] == "T"


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
def test_a_phase_in_which_no_ship_can_act_is_passed(
    phase: str, light: str, orders: tuple[str, ...], passes: bool
) -> None:
    """Pass searchlights by day, and stop at them by night."""
    start = battle(ship("ajax"), ship("rook", "red"), phase=phase, light=light)
    session = played(start, *orders)
    assert (find_phase(SYSTEM, phase).passes and not list_waiting(session)) is passes


@pytest.mark.clause("GQ2-LOG-1")
def test_the_sheet_shows_every_printed_and_marked_value() -> None:
    start = battle(ship("ajax", flash_protection=True, he=4, notes="a note", values="estimated"))
    session = played(start, "mark ajax smoke black", "mark ajax rudder 1", "mark ajax lit yes")
    shown = {
        title: format_spans(spans)
        for title, spans in SYSTEM.sheet(session.battle, session.battle.ships["ajax"])
    }
    assert shown == {
        "class": "C, British, DF 4, flash protection",
        "hull": "□□□□□12 · 10 · 8 · 6 · 3",
        "makes": "12″steaming",
        "moved": "12″assumed",
        "armament": "□□□□□□6 of 6 left",
        "battery 1": "12-inch 12″, AF 8",
        "battery 2": "6-inch 6″, AF 4",
        "torpedoes": "4 of 4, standard",
        "ammunition": "18 of 18 boxes, 4 of them HE",
        "marks": "Rulitblsm",
        "criticals": "rudder",
        "lit by": "the umpire's word",
        "formation": "@blue-line in line astern",
        "values": "estimated",
        "notes": "a note",
    }


MARKS = """
hull_lost 2.5, armament_lost ½, fire_control 1, bridge 1, rudder 1, fires 2, steam 1, boiler 3, torpedoes none
ammo 7, ammo_he 5, moved 4.5, evasive yes, straight yes, turned 2, lights rook, lit yes, smoke gray
flank_turns 20, rest 3, state shut-down, wait 2, allowed 2, status abandoned, marker 3, df 9, class CA
nation French, flash_protection yes, hull.5 2, battery.1.af 3.5, armament 4
"""


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize("mark", MARKS.strip().replace("\n", ", ").split(", "))
def test_every_field_may_be_set_by_hand(mark: str) -> None:
    session = played(battle())
    before = session.battle
    enter(session, f"mark ajax {mark}")
    assert session.battle.ships["ajax"] != before.ships["ajax"]
    assert find_field(SYSTEM, mark.partition(" ")[0]) is not None
    assert session.battle.start.ships["ajax"] == session.battle.ships["ajax"]


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize(("switch", "left"), [("by-hand", (18, 4)), ("a-shot", (16, 3))])
def test_ammunition_is_kept_by_hand_or_a_box_a_shot(switch: str, left: tuple[int, int]) -> None:
    """Mark boxes off only by the switch."""
    session = played(battle(ship("ajax", he=4), ship("rook", "red"), ammunition=switch))
    enter(session, "fire ajax 12 rook straddle 5 he 9", "fire ajax 6 rook straddle 5 9")
    log = session.battle.ships["ajax"].log
    assert (log["ammo"], log["ammo_he"]) == left


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize(
    ("marks", "order", "fine"),
    [
        (("ammo_he 0",), "fire ajax 6 rook straddle 5 he 9", False),
        (("ammo_he none",), "fire ajax 6 rook straddle 5 he 9", True),
        (("ammo 4", "ammo_he 4"), "fire ajax 6 rook straddle 5 9", True),
        (("ammo 4", "ammo_he 4", "battery.2.he yes"), "fire ajax 6 rook straddle 5 9", False),
        (("ammo 0", "ammo_he none"), "fire ajax 6 rook straddle 5 9", False),
        (("ammo 5", "ammo_he 4"), "fire ajax 6 rook straddle 5 9", True),
    ],
)
def test_ammunition_that_is_not_aboard_is_not_fired(marks: tuple[str, ...], order: str, fine: bool) -> None:
    """Refuse HE from a ship without HE, and a shot from an empty magazine."""
    session = played(battle(ammunition="a-shot"), *(f"mark ajax {mark}" for mark in marks))
    if fine:
        enter(session, order)
    else:
        assert refusal(session, order) == "GQ2-LOG-1"


@pytest.mark.clause("GQ2-LOG-2")
def test_two_halves_make_a_lost_box() -> None:
    """Round no halves, and keep the speed until the second half."""
    session = played(battle())
    assert changed(session, "damage rook H½") == {"hull_lost": 0.5}
    assert changed(session, "damage rook H½") == {"hull_lost": 1, "speed": 10}
    assert changed(session, "damage rook H2.5") == {"hull_lost": 3.5, "speed": 6}


@pytest.mark.clause("GQ2-LOG-2")
def test_a_ship_without_hull_left_is_sinking_and_the_excess_is_ignored() -> None:
    session = played(battle())
    assert changed(session, "damage rook H4½") == {"hull_lost": 4.5, "speed": 3}
    assert changed(session, "damage rook H4 A9") == {
        "hull_lost": 5,
        "armament_lost": 6,
        "speed": 0,
        "status": "sinking",
        "marker": 1,
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("½", 0.5), ("2½", 2.5), ("+.5", 1.5), ("-1", 0), ("3", 3), ("+1½", 2.5)],
)
def test_a_field_in_halves_is_set_by_hand_in_halves(text: str, value: float) -> None:
    session = played(battle(), "mark rook hull_lost 1", f"mark rook hull_lost {text}")
    assert values(session, "rook")["hull_lost"] == value


@pytest.mark.parametrize("text", ["1.3", "-.5", "9.5", "1/2", "½½", "two", "+", "1e1", "٣"])
def test_a_value_that_is_no_number_of_halves_is_refused(text: str) -> None:
    with pytest.raises(OrderRefused, match=r"in steps of 0\.5 from 0 to 5"):
        played(battle(), f"mark rook hull_lost {text}")


def begin_firing(armament: int, lost: str, af: float | tuple[float, ...]) -> Session:
    """Begin with rook about to fire, with a battery of this AF and some armament boxes lost."""
    rook = ship("rook", "red", armament=armament, battery=(("main", 6, af),))
    return played(battle(ship("ajax"), rook), f"mark rook armament_lost {lost}")


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(
    ("armament", "lost", "af", "left"),
    [
        (8, "0", 14.5, "14.5"),
        (8, "½", 14.5, "14.5"),
        (8, "1", 14.5, "12.5"),
        (8, "1½", 14.5, "12.5"),
        (8, "4", 14.5, "7.5"),
        (8, "7½", 14.5, "2"),
        (4, "1", 3, "2.5"),
        (4, "3", 3, "1"),
        (6, "5", 1, "0.5"),
        (1, "½", 0.5, "0.5"),
        (4, "1", (8, 7, 3.5, 1), "7"),
        (4, "3½", (8, 7, 3.5, 1), "1"),
        (0, "0", 4, "4"),
    ],
)
def test_af_falls_with_the_boxes_left(
    armament: int, lost: str, af: float | tuple[float, ...], left: str
) -> None:
    """Round up to halves: 14½ x 4/8 gives 7½, 3 x 3/4 gives 2½, 3 x 1/4 gives 1.

    Half a box costs no AF.
    """
    session = begin_firing(armament, lost, af)
    more = "" if left in (str(af), str(af[0] if isinstance(af, tuple) else af)) else " of "
    said = reasons(session, "fire rook main ajax straddle 5 0 9 9")[1].text
    assert said.startswith(f"AF {left}{more}")
    assert draw_cell(session, "rook", "af") == left


@pytest.mark.clause("GQ2-LOG-2")
def test_every_battery_loses_its_share_of_af_and_the_odds_follow() -> None:
    """Use the remaining AF in the odds."""
    session = played(battle(), "mark rook armament_lost 3")
    assert draw_cell(session, "rook", "af") == "4·2"
    assert "AF 4 of 8 against DF 4: 1:1" in join_reasons(session, "fire rook 12 ajax straddle 5 0 9 9")
    assert "AF 2 of 4 against DF 4: 1:2" in join_reasons(session, "fire rook 6 ajax straddle 5 0 9 9")


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize("af", [4, (4, 1)])
def test_no_gun_fires_without_an_armament_box(af: float | tuple[float, ...]) -> None:
    """Let a ship silenced in this phase still fire in it."""
    session = begin_firing(2, "2", af)
    assert refusal(session, "fire rook main ajax straddle 5") == "GQ2-LOG-2"
    assert "rook" not in list_waiting(session)
    session = played(battle(), "damage rook A6")
    enter(session, "fire rook 12 ajax straddle 5")


@pytest.mark.clause("GQ2-LOG-2")
def test_an_af_set_by_hand_counts_for_the_boxes_left_then() -> None:
    """Take no share twice, and let the umpire win over a list."""
    session = begin_firing(4, "2", (8, 7, 3.5, 1))
    enter(session, "mark rook battery.1.af 6")
    assert draw_cell(session, "rook", "af") == "6"
    enter(session, "mark rook armament_lost 3")
    assert draw_cell(session, "rook", "af") == "3"
    enter(session, "mark rook armament_lost 1")
    assert draw_cell(session, "rook", "af") == "9"


@pytest.mark.clause("GQ2-LOG-2")
def test_the_loss_of_armament_boxes_shows_the_remaining_af() -> None:
    session = played(battle())
    said = join_reasons(session, "damage rook A1")
    assert "5 of 6 armament boxes are left, AF 12-inch 6.5, 6-inch 3.5 when this phase is over" in said
    enter(session, "next")
    assert "AF 6.5 of 8: 1 armament box lost (GQ2-LOG-2)" in " ".join(
        session.preview_order("force fire rook 12 ajax straddle 5").reminders
    )


@pytest.mark.clause("GQ2-LOG-2")
def test_a_switch_leaves_af_to_the_umpire_with_reminders() -> None:
    """Ask at once, or during gunnery at the end of the phase."""
    for phase in ("movement", "repair"):
        session = played(battle(phase=phase, armament_af="by-hand"))
        said = join_reasons(session, "damage rook A1")
        assert said.endswith("left, set its AF by hand: `mark rook battery.1.af N`")
    session = played(battle(armament_af="by-hand"))
    said = join_reasons(session, "damage rook A1")
    assert "5 of 6 armament boxes are left, set its AF by hand when this phase is over" in said
    assert "AF 8 still right? 1 armament box lost (GQ2-LOG-2)" in " ".join(
        enter(session, "next").preview_order("force fire rook 12 ajax straddle 5").reminders
    )
    assert reasons(session, "force fire rook 12 ajax straddle 5 0 9 9")[1].text.startswith("AF 8")
    enter(session, "mark rook battery.2.af 2")
    assert reasons(session, "force fire rook 6 ajax straddle 5 0 9 9")[1].text.startswith("AF 2")
    enter(session, "mark boyne battery.2.af 0")
    assert refusal(session, "force fire boyne 8 rook straddle 5") == ""
    play_to_phase(session, "gunnery")
    assert refusal(session, "fire boyne 6 rook straddle 5") == "GQ2-LOG-2"


@pytest.mark.parametrize(
    ("codes", "told"),
    [("h", {"hull_lost": 1, "speed": 10}), ("A½ a1", {"armament_lost": 1.5}), ("S", {"status": "sinking"})],
)
def test_damage_by_the_umpires_word_is_applied_by_its_codes(codes: str, told: dict[str, object]) -> None:
    assert told.items() <= changed(played(battle()), f"damage rook {codes}").items()
    with pytest.raises(OrderRefused, match="not a damage code; codes are H and A with boxes"):
        played(battle(), f"damage rook {codes} H1.3")


def test_the_grid_shows_the_short_state_of_a_ship() -> None:
    session = played(battle(ship("ajax", he=3), ship("rook", "red", armament=12, torpedoes=("light", 2))))
    for mark in ("armament_lost 1.5", "status sinking", "marker 2", "steam 1", "boiler 2"):
        session.enter(f"mark rook {mark}")
    enter(session, "mark ajax moved 8", "mark ajax evasive yes", "leave ajax struck")
    shown = {column.name: draw_cell(session, "rook", column.name) for column in SYSTEM.columns}
    assert shown == {
        "hull": "□□□□□",
        "speed": "0″",
        "arms": "10.5/12",
        "marks": "SINKING 2St→Bo",
        "torpedo": "2L",
        "af": "7.5·3.5",
        "df": "4",
        "moved": "0″",
        "ammo": "18",
        "class": "C",
    }
    assert next(column.width for column in SYSTEM.columns if column.name == "df") >= len("13.5")
    assert draw_cell(session, "ajax", "ammo") == "18/3"
    assert draw_cell(session, "ajax", "marks") == "STRUCK"
    assert values(session, "ajax")["status"] == "struck"


def test_the_help_shows_the_typed_form_of_orders() -> None:
    usage = {form.word: form.usage for form in SYSTEM.forms}
    assert usage["fire"] == (
        "fire SHIP BATTERY TARGET straddle N [penetrates] [rapid] [he] [over] [low N] [bases N] [silhouette] "
        "[WHITE RED BLUE]"
    )
    assert usage["torpedo"] == "torpedo SHIPS TARGET stick N [spread N] [bow] [stern] [D10]"
    assert usage["wander"] == "wander SHIP INCHES POINTS [RED BLUE D10]"
    assert usage["move"] == "move SHIPS INCHES [straight] [evasive] [turns N] [but SHIP INCHES, ...]"
    assert usage["table"] == "table [light day|dusk|night] [visibility N]"


@pytest.mark.clause("GQ2-LOG-2")
def test_the_end_of_the_phase_asks_for_the_af_of_ships_that_lost_armament() -> None:
    start = battle(armament_af="by-hand")
    session = played(start, "damage rook A1.5", "damage rival A1 S")
    assert ("red", "Rook: 4½ of 6 armament boxes are left, set its AF by hand") in SYSTEM.on_table(
        start, session.battle
    )
    assert not any("Rival" in text and "AF" in text for _, text in SYSTEM.on_table(start, session.battle))


@pytest.mark.clause("GQ2-LOG-1")
@pytest.mark.parametrize("switch", ["by-hand", "a-shot"])
@pytest.mark.parametrize("word", ["", "he"])
def test_an_empty_magazine_fires_nothing_however_it_was_emptied(switch: str, word: str) -> None:
    session = played(battle(ammunition=switch), "mark ajax ammo 0")
    assert refusal(session, f"fire ajax 6 rook straddle 5 {word} 9") == "GQ2-LOG-1"
    enter(session, "mark ajax ammo 1", f"fire ajax 6 rook straddle 5 {word} 9")


def begin_night(*orders: str) -> Session:
    """Begin the shipped night battle in its searchlight phase."""
    system, start = load_start("gq2-fourth-flotilla-1916")
    return enter(Session.begin(system, evolve(start, phase="searchlights")), *orders)


def find_row(table: Table, name: str) -> str:
    """Return the line of the grid that begins with a ship."""
    return next(line for line in table.text().splitlines() if f"{name} " in line[:20])


def test_a_ship_that_another_lights_is_drawn_lit() -> None:
    """Draw the row again although its ship did not change."""

    async def steps(table: Table) -> None:
        assert "lit" not in find_row(table, "Tipperary")
        await table.press("slash", *list_keys("light westfalen tipperary"), "enter", "o", *"33", "enter")
        assert "lit" in find_row(table, "Tipperary")
        await table.order("dark westfalen")
        assert "lit" not in find_row(table, "Tipperary")

    play(begin_night(), steps, (80, 24))


@pytest.mark.clause("GQ2-NIT-3")
def test_the_explanation_of_a_lit_ship_names_the_entry_that_lights_it() -> None:
    session = begin_night("light westfalen tipperary", "roll 3 3", "light nassau broke", "roll 3 3")
    marks = next(column for column in session.system.columns if column.name == "marks")
    for column in (marks, None):
        why = build_why_document(session.system, session.timeline, session.battle.ships["tipperary"], column)
        told = [line.text.strip() for line in why.lines]
        assert "Westfalen, searchlights on: none → tipperary" in told
        assert any("Westfalen lights Tipperary, and is lit itself" in line for line in told)
        assert not any("Nassau" in line for line in told)
    session.enter("dark westfalen")
    why = build_why_document(session.system, session.timeline, session.battle.ships["tipperary"], marks)
    assert "No entry has changed it" in why.lines[0].text


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_question_about_a_stray_shot_is_shown_with_its_many_answers(size: tuple[int, int]) -> None:
    """Leave room for the question next to the list of ships."""

    async def steps(table: Table) -> None:
        await table.press("o", *"26", "enter")
        assert "two ships to the left of" in next(
            line for line in table.text().splitlines() if line.startswith(" owed 1")
        )
        await table.press("o")
        assert "who is there" in table.text()
        assert table.text().splitlines()[-2].startswith(" broke · spitfire · ")
        await table.press(*"ardent", "enter")
        assert table.list_orders()[-1] == "answer 1/who/westfalen/1 ardent"

    play(begin_night("light westfalen tipperary"), steps, size)


TOUCHED = "did a ship touch another? `contact SHIP,SHIP`"


@pytest.mark.clause("GQ2-MV-6")
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_question_to_the_umpire_comes_first_and_before_its_phase_ends(
    size: tuple[int, int],
) -> None:
    """Cut no question off in the smallest window, and show it on `n`."""
    system, start = load_start("gq2-fourth-flotilla-1916")

    async def steps(table: Table) -> None:
        await table.order("wander tipperary 8 4 3 3 7")
        assert f"   1 {TOUCHED}" in table.text(), "the latest entry"
        assert "Tipperary: ½″ aft" in table.text()
        await table.order("move spitfire 10")
        assert f"   1 {TOUCHED} · Tipperary: ½″ aft" in table.text(), "an older one"
        await table.press("h")
        assert f"1   {TOUCHED}" in table.text()
        await table.press("escape", "n")
        table.expect("Asked in this phase", f"1  {TOUCHED}", "Enter ends the phase")
        await table.press("escape")
        await table.order("contact tipperary,spitfire")
        await table.type("o none enter")
        await table.type("o none enter")
        await table.order("force next")
        assert table.battle.phase != "movement"
        await table.press("n")
        assert "Asked in this phase" not in table.text()

    play(Session.begin(system, start), steps, size)


def test_a_single_question_is_shown_before_its_phase_ends() -> None:
    """Show it although nothing else is open."""
    start = battle(ship("ajax"), ship("rook", "red"), phase="movement")

    async def steps(table: Table) -> None:
        await table.order("wander ajax 8 4 3 3 7")
        await table.order("move @blue-line 0")
        await table.order("move @red-line 0")
        await table.press("n")
        table.expect("Asked in this phase", TOUCHED)
        assert "These may still act" not in table.text()
        await table.press("enter")
        assert table.battle.phase != "movement"

    play(played(start), steps, (80, 24))


def test_a_day_turn_and_a_shot_can_be_played_by_dialog() -> None:
    """Fill in battery, stick number, and a flag among the dice."""
    session = Session.begin(*load_start("gq2-dogger-bank-1915"))

    async def steps(table: Table) -> None:
        await table.press("n", "enter")
        assert table.battle.phase == "gunnery", "searchlights pass by day"
        await table.press("f", "m", *"bluech", "enter", "4", "enter")
        assert "straddles 50%" in table.text()
        await table.press("p", "2", "space", "9", "enter")
        assert "blue D10 still missing" in table.text()
        await table.press("8", "enter")
        assert table.list_orders()[-1] == "fire lion main bluecher straddle 4 penetrates"
        shot = table.session.timeline.versions[table.session.timeline.play_order[-1]]
        assert shot.dice == (2, 9, 8), "what was typed last goes on behind what was there"

    play(session, steps)


@pytest.mark.clause("GQ2-TOR-1")
@pytest.mark.clause("GQ2-NIT-2")
def test_a_flotillas_spread_can_be_played_by_dialog_at_night() -> None:
    """Fill in several ships, show odds by night, and answer the question."""
    session = begin_night("next", "next")

    async def steps(table: Table) -> None:
        await table.press("t", "up", *"tipp,ard", "enter", *"westf", "enter", "7", "enter")
        assert "2 targeting rolls come first" in " ".join(table.text().split())
        assert "hits 40%" in table.text(), "at Westfalen, if she is found"
        await table.press("enter")
        assert table.list_orders()[-1] == "torpedo tipperary,ardent westfalen stick 7"
        await table.press("o", *"35", "enter", "o", *"26", "enter", "o", "o", *"posen", "enter")
        assert [owed.line for owed in table.battle.owed] == ["torpedo", "measure"]
        await table.order("answer 5 bow")
        assert sorted(owed.declared_order.text("target") for owed in table.battle.owed) == [
            "posen",
            "westfalen",
        ]

    play(session, steps)


@pytest.mark.clause("GQ2-MV-6")
def test_a_wander_check_is_filled_in_from_the_recorded_move() -> None:
    """Clear the fields for another ship."""
    system, start = load_start("gq2-fourth-flotilla-1916")
    session = Session.begin(system, start)
    session.enter("move tipperary 9 turns 1")

    async def steps(table: Table) -> None:
        await table.press("w")
        assert table.top.fields.line == "wander tipperary 9 4"
        assert "as recorded" in table.text()
        await table.press("up", "up", "backspace", "8")
        assert "recorded: 9" in table.text()
        await table.press("backspace", "9", "up", *"nas", "space")
        assert (table.top.filling.find_text("inches"), table.top.filling.find_text("points")) == ("", "")

    play(session, steps, (80, 24))


def test_the_consequences_of_a_correction_include_critical_hits() -> None:
    """Mention the boiler room of a struck shot, so that it is wiped off the sheet."""
    session = tables.played(tables.battle(), "fire ajax 6 rook straddle 5 penetrates 2 9 1", "roll 6")
    told = [
        line.strip()
        for line in lay_out_blocks(
            build_consequences_document(session.system, session.preview("amend 1 9")).blocks
        )
    ]
    assert "Rook: criticals boiler room → none" in told


@pytest.mark.clause("GQ2-MV-6")
def test_the_dice_of_a_long_line_are_typed_without_spaces() -> None:
    """Read the digits of a long row of wander checks as dice."""
    ships = [tables.destroyer(f"dun{at}", "blue") for at in "abcdefghi"]
    session = tables.played(tables.battle(*ships, tables.ship("rook", "red"), phase="movement"))
    enter(session, "formation @blue-line abreast", "move @blue-line 8", "next")
    typed = "669" * len(ships)
    found = read_dice(session, session.read_typed(typed))
    assert found.order is not None
    assert "".join(map(str, found.order.dice)) == typed


def test_a_cell_in_halves_is_explained_and_edited_in_halves() -> None:
    session = tables.played(tables.battle(), "fire ajax 12 rook straddle 6 1 4 3")

    async def steps(table: Table) -> None:
        await table.press("x", "right", "right", "right", "question_mark")
        assert "Why: Rook, arms" in table.text()
        assert "armament boxes lost: 0 → 0.5" in table.text()
        await table.press("escape", "e")
        assert table.screen.orders.text == "mark rook armament_lost 0.5"
        await table.press(*list_keys("1.5"), "enter")
        assert values(table.session, "rook")["armament_lost"] == 1.5

    play(session, steps)


def test_the_bar_lists_missing_words_and_accepts_answers() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *list_keys("fire boyne "))
        assert "12-inch · 6-inch" in table.text()
        await table.write("6 rook ")
        assert "the stick's number, or the range: straddle" in table.text()
        await table.write("straddle 7 4 4 4")
        assert "straddles on white 5 or less (band 7, +2 night)" in table.text()
        await table.press("escape", "o", "n", "tab")
        assert table.screen.orders.text == "nobody "
        await table.press("enter")
        assert table.list_orders()[-1] == "answer 1/who/ajax/1 nobody"

    play(tables.played(tables.battle(light="night"), "fire ajax 12 rook straddle 8", "roll 6 2"), steps)


def test_a_sinking_ship_is_drawn_differently_from_one_that_has_left() -> None:
    async def steps(table: Table) -> None:
        looks = {}
        for status in ("afloat", "sinking", "sunk"):
            await table.order(f"mark boyne status {status}")
            line = next(
                at for at, text in enumerate(table.text().splitlines()) if "Boyne" in text and "□" in text
            )
            top = table.screen.grid.region.y
            strip = table.screen.grid.render_line(line - top)
            looks[status] = next(segment.style for segment in strip if "Boyne" in segment.text)
        assert looks["afloat"] == looks["sinking"] != looks["sunk"]

    play(tables.played(tables.battle()), steps)
