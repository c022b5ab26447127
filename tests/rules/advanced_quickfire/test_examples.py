"""The worked examples of the sources (AQF-EX), and invariants of every battle of Advanced Quickfire."""

import pytest
from attrs import frozen
from hypothesis import event, given
from hypothesis import strategies as st

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import build_timeline
from qf_tui.core.values import Battle, Owed
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import (
    draw_cell,
    format_spans,
    is_allowed,
    owed,
    question,
    reasons,
    refusal,
    result,
    values,
)
from tests.systems import load_start


def play_bench(phase: str = "first-gunnery", *orders: str) -> Session:
    """Play the shipped scenario of the examples up to a phase of its first turn."""
    system, start = load_start("rulebook-examples")
    session = Session.begin(system, start)
    while session.battle.phase != phase:
        session.enter("next")
    for order in orders:
        session.enter(order)
    return session


def read_sheet(session: Session, id: str) -> dict[str, str]:
    shown = session.system.sheet(session.battle, session.battle.ships[id])
    return {title: format_spans(spans) for title, spans in shown}


@pytest.mark.clause("AQF-EX-1")
def test_the_upper_log() -> None:
    session = play_bench("first-gunnery", "fire plate-12 heavy upper-log medium 6 9")
    seen = values(session, "upper-log")
    assert (seen["rof_heavy"], seen["speed_hits"]) == (6, 1)
    session = play_bench(
        "first-gunnery", "damage upper-log G S S S F F", "next", "next", "roll 1", "roll 5", "next"
    )
    session.enter("repair upper-log speed 3")
    seen = values(session, "upper-log")
    assert (seen["rof_heavy"], seen["rof_light"]) == (6, 10)
    assert (seen["speed_hits"], seen["available_speed"]) == (2, 3)
    assert (seen["fires"], seen["repair_points"]) == (1, 4)
    shown = read_sheet(session, "upper-log")
    assert shown["gunnery"] == "17-9heavy-light"
    assert shown["ROF"] == "6-10printed 7-10"
    assert shown["blast"] == "F{(F)}"
    assert shown["repaired"] == "{speed}"


@pytest.mark.clause("AQF-EX-2")
def test_the_lower_log() -> None:
    """Check G on a battery that is not aboard, and S mixed with SX."""
    session = play_bench("first-gunnery", "damage lower-log G G S SX")
    seen = values(session, "lower-log")
    assert (seen["rof_heavy"], seen["rof_light"]) == (0, 10)
    assert (seen["speed_hits"], seen["speed_lost"], seen["available_speed"]) == (1, 1, 4.5)
    assert read_sheet(session, "lower-log")["gunnery"] == "0-13heavy-light"
    session.enter("next")
    assert draw_cell(session, "lower-log", "boxes") == "[X][x]□□□□□□"


@pytest.mark.clause("AQF-EX-3", "AQF-MV-2")
def test_hannibal_turns() -> None:
    session = play_bench("movement")
    for order in ("move hannibal 5.25in pivots 2", "move hannibal 8 pivots 2"):
        twice = session.preview_order(order)
        assert twice.fine
        assert twice.reminders == (
            "pivots of at most 45°",
            "two pivots, so 5¼″ of movement, ¾″ at least between them",
        )
    assert refusal(session, "move hannibal 6in pivots 2") == "AQF-MV-3"
    assert session.preview_order("move hannibal 3in").reminders == ("pivots of at most 90°",)
    assert session.preview_order("move hannibal ¾in").reminders == ("pivots of at most 0°",)
    session.enter("move hannibal 3in")
    assert values(session, "hannibal")["moved"] == 4


@pytest.mark.clause("AQF-EX-4")
@pytest.mark.parametrize(("white", "hits"), [(8, ("S", "G")), (5, ("G",))])
def test_18_against_12(white: int, hits: tuple[str, ...]) -> None:
    """Check the 150 line."""
    session = play_bench()
    assert result(session, f"fire gunner-18 heavy plate-12 medium 7 {white}")["hits"] == hits
    assert any(
        "gunnery 18 v armor 12: 150% line" in reason.text
        for reason in session.timeline.rulings[2].decision.reasons
    )


@pytest.mark.clause("AQF-EX-5")
@pytest.mark.parametrize(("dice", "hits"), [("5,8", ("S", "G")), ("5, 11", ("G", "S", "G"))])
def test_mikasa_fires_at_borodino_at_long_range(dice: str, hits: tuple[str, ...]) -> None:
    """Check the 200 line; the dice are too high for a blast."""
    session = play_bench()
    assert result(session, f"fire mik heavy bor long {dice}") == {"fired": True, "hits": hits, "blast": ()}
    cells = [reason.chart for reason in session.timeline.rulings[2].decision.reasons if reason.chart]
    assert set(cells) == {"attested"}


@pytest.mark.clause("AQF-EX-6")
@pytest.mark.parametrize(("black", "fired"), [(5, True), (6, False)])
def test_sans_pareil_fires_on_5_and_not_on_6(black: int, fired: bool) -> None:
    assert result(play_bench(), f"fire sans heavy borodino long {black} 12")["fired"] is fired


@pytest.mark.clause("AQF-EX-7")
def test_rof_11_missed_with_12_fires_on_12() -> None:
    session = play_bench()
    assert result(session, "fire light-rof light borodino medium 12")["fired"] is False
    session.enter("next")
    assert result(session, "fire light-rof light borodino medium 12 12")["fired"] is True


@pytest.mark.clause("AQF-EX-8")
def test_massena_at_ohio() -> None:
    """Check the 125 line; an S is no SX."""
    session = play_bench()
    outcome = result(session, "fire massena heavy ohio long 4 2")
    assert outcome["hits"] == ("S",)
    seen = values(session, "ohio")
    assert (seen["speed_hits"], seen["speed_lost"]) == (1, 0)


@pytest.mark.clause("AQF-EX-9")
def test_ohio_does_not_fire_on_7_and_has_one_off_next() -> None:
    session = play_bench()
    assert result(session, "fire ohio heavy massena long 7")["fired"] is False
    assert values(session, "massena")["rof_heavy"] == 6
    session.enter("next")
    said = [reason.text for reason in reasons(session, "fire ohio heavy massena long 7 12")]
    assert "heavy ROF 7-1≤6: fires" in said


@pytest.mark.clause("AQF-EX-10")
def test_three_boat_guns_at_a_destroyer() -> None:
    session = play_bench()
    session.enter("boats three example 2 5 9")
    seen = values(session, "example-destroyer")
    assert (seen["boat_guns"], seen["torpedo_reload"], seen["speed_hits"]) == (0, 5, 1)
    assert owed(session) == ["t-hit example-destroyer"]
    session.enter("roll 11")
    assert values(session, "example-destroyer")["fires"] == 1


@pytest.mark.clause("AQF-EX-11")
@pytest.mark.parametrize(("face", "sunk"), [(1, True), (4, True), (5, False), (12, False)])
def test_dupuy_de_lome_sinks_on_1_to_4(face: int, sunk: bool) -> None:
    session = play_bench("repair", "damage dupuy SX SX SX SX SX", "next")
    asked = question(session, "sinking")
    session.enter(f"roll {asked.key} {face}")
    assert values(session, "dupuy-de-lome")["sunk"] is sunk


@pytest.mark.clause("AQF-EX-12")
def test_one_of_each_kind_lets_four_dice_be_rolled() -> None:
    session = play_bench("repair", "damage mikasa G S B", "mark mikasa rof_light -1")
    for kind in ("heavy", "light", "speed", "boats"):
        session.enter(f"repair mikasa {kind} 9")
    assert refusal(session, "repair mikasa heavy 5") == "AQF-REP-1"
    assert refusal(session, "repair mikasa course 5") == "AQF-REP-1"


@pytest.mark.clause("AQF-EX-13")
def test_150_percent_at_point_blank_rolls_on_200() -> None:
    told = reasons(play_bench(), "fire gunner-18 heavy plate-12 pb 7 11")
    assert any(reason.cell.startswith("battery 200% 11") for reason in told)


@pytest.mark.clause("AQF-EX-14")
def test_three_light_g_allow_one_attempt_on_them_a_turn() -> None:
    session = play_bench("repair", "mark mikasa rof_light 7", "repair mikasa light 5")
    assert values(session, "mikasa")["rof_light"] == 8
    assert refusal(session, "repair mikasa light 5") == "AQF-REP-1"
    to_phase(session, "movement")
    assert is_allowed(to_phase(session, "repair"), "repair mikasa light 5")


@pytest.mark.clause("AQF-EX-15")
def test_98_percent_fires_on_the_75_line() -> None:
    told = reasons(play_bench(), "fire gunner-98 heavy plate-100 medium 12 7")
    assert any(reason.cell.startswith("battery 75% 7") for reason in told)


@pytest.mark.clause("AQF-EX-16")
@pytest.mark.parametrize(("size", "sx"), [(14, 1), (15, 1), (18, 4), (21, 6)])
def test_13_damage_points_by_the_size_of_the_torpedo(size: int, sx: int) -> None:
    session = play_bench("movement", f"move lame-{size} 0")
    to_phase(session, "second-gunnery")
    outcome = result(session, f"torpedo boat-{size} lame-{size} in converging 1 12")
    assert outcome == {"struck": True, "points": 13, "sx": sx}
    assert values(session, f"lame-{size}")["speed_lost"] == sx


SHIPS = ("ajax", "boyne", "boat", "rook", "rival", "skiff")
RANGES = ("long", "medium", "pb", "3in", "30in")
KINDS = ("heavy", "light", "boats", "speed", "course")
COUNTS = ("rof_heavy", "rof_light", "boat_guns", "repair_points", "speed_hits", "speed_lost")
WORDS = ("none", "2", "S", "G", "fix", "E", "out", "12")
ANYWHERE = ("damage", "leave", "move", "repair")
DEEDS = {
    "movement": ("move", "move", "move", *ANYWHERE),
    "first-gunnery": ("fire", "fire", "declare", "boats", "force", *ANYWHERE),
    "second-gunnery": ("fire", "declare", "boats", "torpedo", "torpedo", "force", *ANYWHERE),
    "recurring": ANYWHERE,
    "repair": ("repair", "repair", *ANYWHERE),
    "sinking": ANYWHERE,
}


@frozen
class Deed:
    """A step of a random battle; the battle decides which order it becomes."""

    choice: int
    one: int
    other: int
    word: int
    faces: tuple[int, int, int]

    def kind(self, phase: str) -> str:
        """Return the kind of order, mostly one that the phase allows."""
        return DEEDS[phase][self.choice % len(DEEDS[phase])]

    def order(self, phase: str) -> str:
        """Write the order."""
        one, other = SHIPS[self.one], SHIPS[self.other]
        black, white, third = self.faces
        range = RANGES[self.word % len(RANGES)]
        kind = KINDS[self.word % len(KINDS)]
        battery = ("heavy", "light", "both")[self.word % 3]
        flag = ("", " end", " light-armor")[black % 3]
        orders = {
            "move": f"move {one} {black % 9}",
            "fire": f"fire {one} {battery} {other} {range}{flag} {black} {white}",
            "force": f"force fire {one} {battery} {other} {range} {black} {white}",
            "declare": f"fire {one} {battery} {other} {range}",
            "boats": f"boats {one} {other} {black} {white}" if third % 2 else f"boats {one} {other}",
            "torpedo": f"torpedo {one} {other} in converging {1 + black % 3} {white}",
            "repair": f"repair {one} {kind} {black}" if third % 3 else f"force repair {one} {kind} {black}",
            "damage": f"damage {one} {('G', 'SX', 'S S', 'E', 'D', 'T', 'B', 'R', 'F')[black % 9]}",
            "leave": f"leave {one} {('sunk', 'withdrawn')[black % 2]}",
        }
        return orders[self.kind(phase)]


FACES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
DEED = st.builds(Deed, st.integers(0, 9), st.integers(0, 5), st.integers(0, 5), st.integers(0, 14), FACES)
PHASES_PLAYED = st.lists(st.tuples(st.lists(DEED, max_size=8), FACES), min_size=6, max_size=20)


def start(strict: bool) -> Battle:
    """Build a battle of six ships of every sort, frail enough that everything overflows."""
    return battle(
        ship("ajax", rof=(6, 9), repair=2),
        ship("boyne", boat_guns=0, torpedo=None, repair=0, protected=True),
        craft("boat", "blue"),
        ship("rook", "red", rof=(7, 7), boat_guns=1, repair=1),
        ship("rival", "red", gunnery=(0, 12), rof=(0, 8), torpedo=(21, 3)),
        craft("skiff", torpedo=None, boat_guns=0),
        phase="movement",
        strict=strict,
        one_roll="yes",
    )


def answer(owed: Owed, faces: tuple[int, ...], word: int) -> list[str]:
    """List orders of which one answers an owed question."""
    if owed.dice:
        thrown = " ".join(str(faces[at % 3]) for at in range(len(owed.dice)))
        return [f"roll {owed.key} {thrown}"]
    return [f"answer {owed.key} {WORDS[(word + at) % len(WORDS)]}" for at in range(len(WORDS))]


def settle(session: Session, faces: tuple[int, ...]) -> None:
    """Answer everything owed, question after question."""
    for turn in range(200):
        if not session.battle.owed:
            return
        for order in answer(session.battle.owed[0], faces[turn % 3 :] + faces[: turn % 3], turn):
            if try_order(session, order):
                break
        else:
            raise AssertionError(f"{session.battle.owed[0]} cannot be answered")
    raise AssertionError(f"answers bring up questions without end: {session.battle.owed}")


def try_order(session: Session, order: str) -> bool:
    """Return whether an order was accepted."""
    try:
        session.enter(order)
    except OrderRefused:
        return False
    return True


def check(battle: Battle) -> None:
    """Check every invariant of a battle, now and at the start of its phase."""
    for each in (*battle.ships.values(), *battle.start.ships.values()):
        assert all(each.count(field) >= 0 for field in COUNTS), each
        assert each.count("speed_hits") + min(8, each.count("speed_lost")) <= 8
        assert (each.log["torpedo_reload"] is None) is (each.card["torpedo.reload"] is None)
        assert each.count("torpedo_reload") >= 0
        assert each.count("rof_heavy") <= int(str(each.card["rof.heavy"]))
        assert each.count("rof_light") <= int(str(each.card["rof.light"]))
        assert each.count("boat_guns") <= int(str(each.card["boat_guns"]))
        assert each.count("repair_points") <= int(str(each.card["repair"]))
    keys = [owed.key for owed in battle.owed]
    assert len(set(keys)) == len(keys)
    sunk = {each.id for each in battle.ships.values() if each.status == "sunk"}
    assert not sunk & {owed.ship for owed in battle.owed if not owed.order}, "a forced shot alone is let pass"


@given(PHASES_PLAYED, st.booleans())
def test_random_battles_keep_a_sound_log_and_read_back_unchanged(
    phases: list[tuple[list[Deed], tuple[int, int, int]]], strict: bool
) -> None:
    """Find no negative count, ninth box, ROF above the printed one, double key, or wreck that acts."""
    session, accepted = played(start(strict)), 0
    for deeds, faces in phases:
        for deed in deeds:
            acting, order = session.battle.ships[SHIPS[deed.one]], deed.order(session.battle.phase)
            if try_order(session, order):
                accepted += 1
                assert acting.status != "sunk" or order.startswith(("force", "leave")), order
            check(session.battle)
        settle(session, faces)
        session.enter("next")
        check(session.battle)
    event(f"turn {session.battle.turn}, {accepted // 10 * 10} orders and more")
    assert build_timeline(session.timeline.start, session.timeline.log).battle == session.timeline.battle
