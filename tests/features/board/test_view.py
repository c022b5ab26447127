"""What each viewer knows about a battle, fact by fact: the table of the README by hand."""

import json

import pytest
from attrs import evolve

from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Due, Plan
from qf_tui.features.board.hub import encode_view
from qf_tui.features.board.page import EntryView, LogRow, ShipView, SideLogs, View
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.board.view import build_ship_view, build_view
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.console.playing import begin_gunnery
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import try_order
from tests.rules.gq2.test_night import begin_night
from tests.rules.playing import enter
from tests.systems import find_our_systems

AT_ONCE, OWN_SIDE, PHASE_END = BoardSwitch.AT_ONCE, BoardSwitch.OWN_SIDE, BoardSwitch.PHASE_END
SHOT = "fire mikasa heavy borodino long 4 8"
MINE, FOES = "blue", "red"


def build_seen(session: Session, viewer: str, switch: BoardSwitch) -> View:
    return build_view(session.system, session.timeline, viewer, switch)


def enter_orders(*orders: str) -> Session:
    return enter(begin_gunnery(), *orders)


def find_last(viewer: str, switch: BoardSwitch, *orders: str) -> EntryView:
    told = build_seen(enter_orders(*orders), viewer, switch).last
    assert told is not None
    return told


def find_row(shown: View, ship: str) -> LogRow:
    return next(one for fleet in shown.fleets for one in fleet.ships if one.id == ship)


def test_at_once_shows_each_entry_in_full() -> None:
    told = find_last(FOES, AT_ONCE, SHOT)
    assert told.text == "Borodino: S G · S hits 0→1, heavy ROF 6→5"
    assert (told.order, told.dice) == ("Mikasa heavy at Borodino, long", (4, 8))
    assert told.ships == ("mikasa", "borodino")
    assert told.number
    assert "ROF 4≤7" in told.why


@pytest.mark.parametrize(
    ("viewer", "text", "order", "dice"),
    [
        (MINE, "", "Mikasa heavy at Borodino, long", (4, 8)),
        (FOES, "Borodino: heavy ROF 6→5, S hits 0→1", "Mikasa heavy at Borodino, long", ()),
        (ALL, "", "Mikasa heavy at Borodino, long", ()),
    ],
)
def test_a_side_sees_its_own_part_of_a_shot(
    viewer: str, text: str, order: str, dice: tuple[int, ...]
) -> None:
    """Guard against dice or damage shown to the other side, and reasons that reveal its armor."""
    told = find_last(viewer, OWN_SIDE, SHOT)
    assert (told.text, told.order, told.dice, told.why, told.number) == (text, order, dice, "", 0)


def test_facts_that_models_show_are_shown_to_all() -> None:
    """Guard against a fire or a sinking that is visible on the table but missing on the page."""
    for viewer in (MINE, ALL):
        assert find_last(viewer, OWN_SIDE, "mark borodino fires 2").text == "Borodino: fires 0→2"
        assert find_last(viewer, OWN_SIDE, "leave borodino sunk").events == ("Borodino sinks",)
    shown = build_seen(enter_orders("mark borodino fires 2", "leave ohio sunk"), MINE, OWN_SIDE)
    assert find_row(shown, "borodino").seen == ("fires 2",)
    assert not find_row(shown, "borodino").cells
    assert find_row(shown, "mikasa").cells


def test_an_order_without_own_ships_shows_only_its_visible_effects() -> None:
    before = build_seen(enter_orders(), MINE, OWN_SIDE)
    assert (
        build_seen(enter_orders("mark borodino rof_heavy 3", "damage borodino G"), MINE, OWN_SIDE) == before
    )


def test_no_side_sees_the_division_or_the_player_of_another() -> None:
    shown = build_seen(begin_gunnery(), MINE, OWN_SIDE)
    assert {one.player + one.division for one in _find_fleet(shown, FOES).ships} == {""}
    assert all(one.division for one in _find_fleet(shown, MINE).ships)


def _find_fleet(shown: View, side: str) -> SideLogs:
    return next(fleet for fleet in shown.fleets if fleet.id == side)


@pytest.mark.parametrize(
    ("viewer", "switch", "owed", "needs"),
    [
        (MINE, AT_ONCE, 2, True),
        (ALL, AT_ONCE, 2, True),
        (MINE, OWN_SIDE, 1, False),
        (FOES, OWN_SIDE, 1, False),
        (ALL, OWN_SIDE, 0, False),
        (MINE, PHASE_END, 0, False),
    ],
)
def test_owed_rolls_are_shown_to_the_sides_concerned(
    viewer: str, switch: BoardSwitch, owed: int, needs: bool
) -> None:
    """Guard against the needs of a shot, which reveal the enemy's armor, under own-side."""
    shown = build_seen(enter_orders("fire mikasa heavy borodino long", "damage borodino D"), viewer, switch)
    assert len(shown.owed) == owed
    assert any(one.needs for one in shown.owed) == needs


@pytest.mark.parametrize(
    ("viewer", "switch", "sides"),
    [
        (ALL, AT_ONCE, {MINE, FOES}),
        (MINE, AT_ONCE, {MINE, FOES}),
        (MINE, OWN_SIDE, {MINE}),
        (ALL, OWN_SIDE, set()),
        (MINE, PHASE_END, set()),
    ],
)
def test_ships_that_may_act_are_shown_to_their_own_side(
    viewer: str, switch: BoardSwitch, sides: set[str]
) -> None:
    shown = build_seen(begin_gunnery(), viewer, switch)
    acting = {fleet.id for fleet in shown.fleets for one in fleet.ships if one.may}
    assert acting & {MINE, FOES} == sides
    assert not sides or "heavy guns" in find_row(shown, "mikasa").may_say


@pytest.mark.parametrize("switch", BoardSwitch)
def test_a_remark_goes_only_to_the_viewers_it_names(switch: BoardSwitch) -> None:
    """Guard against the umpire's own remarks, and remarks on ships, on a page."""
    session = enter_orders(
        "note the wind backs", "note mikasa: leaks", "note Blue: fog ahead", "note All: tea", "next"
    )
    assert build_seen(session, MINE, switch).remarks == ("fog ahead", "tea")
    assert build_seen(session, FOES, switch).remarks == ("tea",)
    assert build_seen(session, ALL, switch).remarks == ("tea",)
    for viewer in (MINE, FOES, ALL):
        page = encode_view(build_seen(session, viewer, switch)).decode()
        assert "wind backs" not in page
        assert "leaks" not in page


def test_phase_end_shows_nothing_of_the_present_phase() -> None:
    session = begin_gunnery()
    before = build_seen(session, ALL, PHASE_END)
    for order in (SHOT, "note all: tea", "leave ohio sunk"):
        session.enter(order)
        assert build_seen(session, ALL, PHASE_END) == before
    session.enter("next")
    shown = build_seen(session, ALL, PHASE_END)
    assert "Mikasa heavy at Borodino, long" in [one.order for one in shown.tellings]
    assert shown.remarks == ("tea",)
    assert shown.as_of == shown.phase
    assert {one.number for one in shown.tellings} == {0}


def test_a_correction_of_an_ended_phase_is_shown_as_its_new_result() -> None:
    """Guard against a correction that is held back until the next phase ends, and against its number."""
    session = enter_orders(SHOT)
    number = len(session.timeline.log)
    session.enter("next")
    session.enter(f"amend {number} 4 12")
    shown = build_seen(session, ALL, PHASE_END)
    told = next(one for one in shown.tellings if one.dice == (4, 12))
    assert (told.note, told.number) == ("corrected", 0)
    assert (
        find_row(shown, "borodino").cells
        == find_row(build_seen(begin_gunnery(), ALL, AT_ONCE), "borodino").cells
    )


def test_at_once_the_last_entry_says_if_it_was_changed() -> None:
    """Guard against a board that returns to the entry before, and a correction that no player sees."""
    taken_back = find_last(ALL, AT_ONCE, SHOT, "undo")
    assert (taken_back.note, taken_back.struck) == ("taken back", True)
    assert find_last(ALL, AT_ONCE, SHOT, "undo").order == "Mikasa heavy at Borodino, long"
    corrected = find_last(ALL, AT_ONCE, SHOT, "undo", "redo")
    assert (corrected.note, corrected.struck) == ("corrected", False)
    session = enter_orders(SHOT)
    session.enter(f"doubt {len(session.timeline.log)} the range")
    told = build_seen(session, ALL, AT_ONCE).tellings[-2]
    assert (told.order, told.note) == ("Mikasa heavy at Borodino, long", "disputed")
    assert find_last(ALL, AT_ONCE, SHOT, "note the wind backs").dice == (4, 8)


@pytest.mark.parametrize("switch", BoardSwitch)
def test_reserve_ships_are_shown_only_once_they_arrive(switch: BoardSwitch) -> None:
    """Guard against a schedule on a page, or the question that it asks."""
    ground = GROUNDS["quickfire"]
    timeline = _begin_with_schedule(ground)
    hidden = ("orion", "from the north", "joins")
    for _ in range(12):
        timeline = try_order(ground, timeline, "force next")
        if any(owed.line == "schedule" for owed in timeline.battle.owed):
            break
    assert any(owed.line == "schedule" for owed in timeline.battle.owed)
    page = encode_view(build_view(ground.system, timeline, "blue", switch)).decode().casefold()
    assert not [word for word in hidden if word in page]
    assert build_ship_view(ground.system, timeline, "blue", switch, "orion") is None
    timeline = try_order(ground, try_order(ground, timeline, "join blue orion"), "force next")
    assert "Orion" in encode_view(build_view(ground.system, timeline, "red", switch)).decode()


def _begin_with_schedule(ground: Ground) -> Timeline:
    start = evolve(ground.start(False), plan=Plan((Due(2, ("orion",), "from the north"),)), began=None)
    return build_timeline(evolve(start, began=start), ())


def test_no_viewer_sees_the_times_of_entries() -> None:
    """Guard against the seconds that the save keeps for each entry."""
    session = enter_orders(SHOT)
    entries = tuple(evolve(act, at=12345.678) for act in session.timeline.log)
    timed = evolve(session.timeline, log=entries)
    assert b"12345" not in encode_view(build_view(session.system, timed, ALL, AT_ONCE))


def build_ship_page(viewer: str, switch: BoardSwitch, ship: str, *orders: str) -> ShipView:
    session = enter_orders(*orders)
    found = build_ship_view(session.system, session.timeline, viewer, switch, ship)
    assert found is not None
    return found


def test_a_ship_page_explains_the_state_of_each_box() -> None:
    shown = build_ship_page(FOES, AT_ONCE, "borodino", SHOT)
    box = next(one for one in shown.boxes if one.title == "ROF")
    assert box.because[0].changes == ("heavy ROF: 6 → 5",)
    assert box.because[0].dice == (4, 8)
    assert any("150%" in reason or "200%" in reason for reason in box.because[0].reasons)
    assert "AQF-GUN-5" in dict(box.because[0].clauses)
    assert {title for title, _ in shown.sheet} >= {"kind", "gunnery", "armor"}


def test_the_history_of_a_box_hides_the_dice_of_the_other_side() -> None:
    shown = build_ship_page(FOES, OWN_SIDE, "borodino", SHOT)
    box = next(one for one in shown.boxes if one.title == "ROF")
    because = box.because[0]
    assert because.changes == ("heavy ROF: 6 → 5",)
    assert because.order == "Mikasa heavy at Borodino, long"
    assert (because.dice, because.reasons, because.clauses, because.number) == ((), (), (), 0)
    own = build_ship_page(FOES, OWN_SIDE, "ohio", "damage ohio D", "roll 5")
    blast = next(one for one in own.boxes if one.title == "blast")
    assert blast.because[0].dice == (5,)
    assert blast.because[0].reasons


def test_a_ship_of_another_side_shows_only_her_model() -> None:
    shown = build_ship_page(MINE, OWN_SIDE, "borodino", SHOT, "mark borodino fires 1")
    assert shown.seen == ("fires 1",)
    assert not any((shown.whole, shown.sheet, shown.boxes, shown.owed, shown.player))


@pytest.mark.clause("GQ2-NIT-3")
def test_a_lit_ship_shows_that_it_is_lit_and_by_what() -> None:
    """Guard against a lit ship that only the umpire's log shows as lit."""
    session = begin_night("mark ajax lights rook", "mark rival fires 1", "mark boyne lit yes")
    shown = {ship: find_row(build_seen(session, "red", OWN_SIDE), ship).seen for ship in ("ajax", "boyne")}
    assert shown["ajax"] == ("searchlights on Rook", "lit by its own searchlight")
    assert shown["boyne"] == ("lit by the umpire's word",)
    shown = {
        ship: find_row(build_seen(session, "blue", OWN_SIDE), ship).seen
        for ship in ("rook", "rival", "kobold")
    }
    assert shown == {"rook": ("lit by Ajax's searchlight",), "rival": ("lit by its fires",), "kobold": ()}


@pytest.mark.parametrize("name", list(find_our_systems()))
def test_only_the_declared_fields_are_visible_on_models(name: str) -> None:
    """Guard against a field of the log or card that is shown to the enemy by mistake."""
    declared = {
        "advanced-quickfire": {"fires", "course"},
        "quickfire": {"fires", "course"},
        "quickfire-clone": {"fires", "course"},
        "gq2": {"lights", "lit", "smoke", "marker"},
    }
    system: RuleSystem = find_our_systems()[name]
    assert {field.name for field in system.fields if field.seen} == declared[name]


@pytest.mark.parametrize("switch", BoardSwitch)
@pytest.mark.parametrize("viewer", [ALL, MINE])
def test_a_view_is_one_line_of_json(viewer: str, switch: BoardSwitch) -> None:
    """Guard against a value that JSON lacks, and a line break that would end an event."""
    data = encode_view(build_seen(enter_orders(SHOT), viewer, switch))
    assert b"\n" not in data
    assert b"\r" not in data
    assert json.loads(data)["switch"] == switch.value


def test_rows_never_move() -> None:
    """Guard against ships that are sorted by their state."""
    session = begin_gunnery()
    before = _list_ids(build_seen(session, ALL, AT_ONCE))
    session.enter("leave mikasa sunk")
    assert _list_ids(build_seen(session, ALL, AT_ONCE)) == before


def _list_ids(shown: View) -> list[str]:
    return [one.id for fleet in shown.fleets for one in fleet.ships]


def test_a_side_sees_the_result_of_its_own_dice_even_if_nothing_changed() -> None:
    """Guard against a fire check of the own side that does not say whether the ship burns on."""
    session = enter(begin_gunnery(), "damage mikasa F")
    while not session.battle.owed:
        session.enter("force next")
    session.enter("roll 5")
    own = build_seen(session, "blue", OWN_SIDE).last
    whole = build_seen(session, "blue", AT_ONCE).last
    assert own is not None
    assert whole is not None
    assert own.text in whole.text
    assert own.text


@pytest.mark.parametrize(
    ("viewer", "switch"), [(MINE, AT_ONCE), (MINE, OWN_SIDE), (FOES, AT_ONCE), (ALL, AT_ONCE)]
)
@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("leave mikasa withdrawn", "Mikasa: withdrawn, by the umpire's word"),
        ("mark mikasa rof_heavy 3", "Mikasa: heavy ROF 7 → 3, by hand"),
        ("damage mikasa D", "Mikasa: D, by the umpire's word"),
        ("damage mikasa S", "Mikasa: S, by the umpire's word"),
        ("force damage mikasa S", "Mikasa: S, by the umpire's word"),
    ],
)
def test_an_order_is_shown_by_its_effect(viewer: str, switch: BoardSwitch, order: str, said: str) -> None:
    """Guard against an order shown as the line that was typed."""
    told = find_last(viewer, switch, order)
    assert told.order == ("forced" if "force" in order else "")
    assert said in (told.text, told.why)
    assert told.text or told.events
    assert find_last(viewer, AT_ONCE, order, "undo").order in (said, "forced")
    page = encode_view(build_seen(enter_orders(order), viewer, switch)).decode()
    assert not [word for word in ("leave mikasa", "mark ", "damage ") if word in page.casefold()]


def test_a_move_is_shown_by_its_effect_with_all_ships_that_made_it() -> None:
    """Guard against a division of which one ship acts and the others seem to be targets."""
    session = Session.begin(*load_scenario("rulebook-examples", find_our_systems()))
    session.enter("move mikasa,massena 6")
    told = build_seen(session, ALL, AT_ONCE).last
    assert told is not None
    assert (told.order, told.ships, told.acting) == ("", ("mikasa", "massena"), 2)
    assert "6 boxes" in told.text
    assert find_last(ALL, AT_ONCE, SHOT).acting == 1
    session.enter("next")
    told = build_seen(session, ALL, PHASE_END).last
    assert told is not None
    assert "6 boxes" in told.text


@pytest.mark.parametrize("viewer", [ALL, MINE])
@pytest.mark.parametrize("switch", BoardSwitch)
def test_the_end_of_a_turn_does_not_list_what_it_clears(viewer: str, switch: BoardSwitch) -> None:
    """Guard against a line for each ship that moved."""
    session = Session.begin(*load_scenario("rulebook-examples", find_our_systems()))
    session.enter("move mikasa,massena 6")
    while session.battle.turn == 1:
        session.enter("force next")
    assert build_seen(session, viewer, switch).tellings[-1].text == "turn 2, Movement"


def test_a_side_sees_no_entry_numbers_and_each_own_change_once() -> None:
    """Guard against a key with the number of an entry, and changes repeated after the known ones."""
    session = enter_orders("damage borodino G", "damage ohio D", "roll 5")
    entry = build_view(session.system, session.timeline, FOES, OWN_SIDE).last
    assert entry is not None
    assert entry.order
    assert "/" not in entry.order
    assert entry.text == "Ohio: direction hits 45 left"
