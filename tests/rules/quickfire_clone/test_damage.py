"""Damage codes, blast, explosions and direction hits (QFC-GUN-10, QFC-BLA, QFC-RUL-2, 7, 9)."""

import pytest

from tests.rules.playing import allowed, changed, owed, reasons, refusal, result, values
from tests.rules.quickfire_clone.tables import battle, played, ship, to_turn


def shot(black: int, white: int, range: str, battery: str = "heavy", **options: str) -> tuple[str, ...]:
    """The blast of a shot that hits on any white die."""
    start = battle(ship("ajax", gunnery=(16, 16)), ship("rook", "red", armor=(0, 0)), **options)
    blast = result(played(start), f"fire ajax {battery} rook {range} {black} {white}")["blast"]
    assert isinstance(blast, tuple)
    return blast


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.parametrize(
    ("range", "codes"),
    [
        ("121cm", {2: (), 3: ("F",), 4: ("F",), 5: (), 6: (), 7: (), 12: ()}),
        ("240cm", {2: (), 3: ("F",), 4: ("F",), 5: (), 6: ()}),
        ("120cm", {2: ("F",), 3: ("R",), 4: ("B",), 5: ("E",), 6: (), 7: (), 12: ()}),
        ("0cm", {2: ("F",), 3: ("R",), 4: ("B",), 5: ("E",), 6: ()}),
    ],
)
def test_heavy_fire_that_does_damage_brings_blast_by_its_total_and_range(
    range: str, codes: dict[int, tuple[str, ...]]
) -> None:
    """Catches a range edge, a total read beside, and totals above five."""
    found = {total: shot(max(1, total - 6), min(6, total - 1), range) for total in codes}
    assert found == codes


@pytest.mark.clause("QFC-BLA-1")
def test_a_miss_brings_no_blast() -> None:
    """Catches blast without damage."""
    ajax, rook = ship("ajax", gunnery=(1, 1)), ship("rook", "red", armor=(3, 3))
    session = played(battle(ajax, rook))
    assert changed(session, "fire ajax heavy rook 100cm 1 2") == {}
    assert owed(session) == []


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.clause("QFC-RUL-2")
@pytest.mark.parametrize(("switch", "codes"), [("no", ()), ("yes", ("R",))])
def test_light_fire_brings_none(switch: str, codes: tuple[str, ...]) -> None:
    """Catches blast of the small guns, and the switch."""
    assert shot(1, 2, "100cm", "light", light_blast=switch) == codes


@pytest.mark.clause("QFC-RUL-2")
@pytest.mark.parametrize("switch", ["no", "yes"])
def test_torpedoes_bring_none(switch: str) -> None:
    """Catches blast from three dice."""
    session = played(battle(light_blast=switch), "torpedo ajax rook 20cm 1 1 1")
    assert owed(session) == ["speed-hits rook"]
    assert changed(session, "roll 1") == {"speed_hits": 1, "available_speed": 105}
    assert owed(session) == []


@pytest.mark.clause("QFC-BLA-1")
@pytest.mark.parametrize(
    ("code", "line"), [("E", "explosion rook"), ("B", "blast rook"), ("D", "direction rook")]
)
def test_e_b_and_d_owe_a_roll(code: str, line: str) -> None:
    """Catches a consequence that nobody rolls for."""
    assert owed(played(battle(), f"damage rook {code}")) == [line]


@pytest.mark.clause("QFC-BLA-2")
@pytest.mark.parametrize(
    ("dice", "change"),
    [
        ("1 1", {"rof_heavy": 5, "rof_light": 5}),
        ("6 1", {"rof_heavy": 5, "rof_light": 5}),
        ("6 2", {"speed_hits": 2, "available_speed": 90}),
        ("6 5", {"speed_hits": 2, "available_speed": 90}),
        ("6 6", {"fires": 1, "speed_hits": 4, "available_speed": 60, "rof_heavy": 5, "rof_light": 5}),
    ],
)
def test_an_explosion_by_two_dice(dice: str, change: dict[str, object]) -> None:
    """Catches an edge of the explosion line, and one of its codes."""
    assert changed(played(battle(), "damage rook E"), f"roll {dice}") == change


@pytest.mark.clause("QFC-BLA-3")
@pytest.mark.parametrize(
    ("dice", "change", "then"),
    [
        ("1 1", {"repair_points": 4}, []),
        ("6 1", {"repair_points": 4}, []),
        ("6 2", {"torpedo": 1}, []),
        ("6 5", {"torpedo": 1}, []),
        ("6 6", {}, ["direction rook"]),
    ],
)
def test_a_blast_hit_by_two_dice(dice: str, change: dict[str, object], then: list[str]) -> None:
    """Catches an edge of the blast line, and a direction hit without its die."""
    session = played(battle(), "damage rook B")
    assert changed(session, f"roll {dice}") == change
    assert owed(session) == then


@pytest.mark.clause("QFC-BLA-4")
@pytest.mark.parametrize(
    ("die", "course"),
    [
        (1, "full turn left"),
        (2, "full turn left"),
        (3, "straight ahead"),
        (4, "straight ahead"),
        (5, "full turn right"),
        (6, "full turn right"),
    ],
)
def test_a_direction_hit_steers_by_one_die(die: int, course: str) -> None:
    """Catches left and right exchanged, and the edges."""
    assert changed(played(battle(), "damage rook D"), f"roll {die}") == {"course": [course]}


@pytest.mark.clause("QFC-BLA-4")
def test_a_direction_hit_lasts_until_it_is_repaired() -> None:
    """Catches a course that lapses with its turn."""
    session = to_turn(played(battle(), "damage rook D", "roll 6"), 3, "repair")
    assert values(session, "rook")["course"] == ["full turn right"]
    assert changed(session, "repair rook 1 1") == {"course": [], "repair_points": 4}


@pytest.mark.clause("QFC-RUL-9")
@pytest.mark.parametrize(
    ("switch", "asked", "course"),
    [("once", [], ["full turn right"]), ("each-turn", ["direction rook"], ["full turn left"])],
)
def test_the_die_of_a_direction_hit_is_thrown_once(switch: str, asked: list[str], course: list[str]) -> None:
    """Catches a course that changes by itself, and the switch by which it is thrown anew each turn."""
    session = played(battle(direction_die=switch), "damage rook D", "roll 6", "next", "next")
    assert session.battle.phase == "move"
    assert owed(session) == asked
    if asked:
        session.enter("roll 1")
    assert values(session, "rook")["course"] == course


@pytest.mark.clause("QFC-BLA-5")
@pytest.mark.parametrize(
    ("code", "change"), [("T", {"torpedo": 1}), ("R", {"repair_points": 4}), ("F", {"fires": 1})]
)
def test_t_r_and_f_take_what_they_say(code: str, change: dict[str, object]) -> None:
    """Catches a code that marks the wrong thing."""
    assert changed(played(battle()), f"damage rook {code}") == change


@pytest.mark.clause("QFC-BLA-5")
@pytest.mark.parametrize(("switch", "change"), [("nothing", {}), ("fire", {"fires": 1})])
def test_with_nothing_left_t_and_r_do_nothing(switch: str, change: dict[str, object]) -> None:
    """Catches counts below nothing, and the switch by which R lights a fire."""
    rook = ship("rook", "red", torpedo=0, repair=0)
    session = played(battle(ship("ajax"), rook, r_without_points=switch))
    assert changed(session, "damage rook T") == {}
    assert changed(session, "damage rook R") == change


@pytest.mark.clause("QFC-RUL-7")
@pytest.mark.parametrize(
    ("battery", "rof", "switches", "after"),
    [
        ("heavy", (4, 4), {}, (3, 4)),
        ("light", (4, 4), {}, (4, 3)),
        ("heavy", (0, 4), {}, (0, 3)),
        ("light", (4, 0), {}, (3, 0)),
        ("light", (0, 0), {}, (0, 0)),
        ("light", (4, 4), {"g_falls_on": "heavy"}, (3, 4)),
        ("light", (0, 4), {"g_falls_on": "heavy"}, (0, 3)),
        ("heavy", (0, 4), {"g_at_zero": "nothing"}, (0, 4)),
        ("light", (4, 0), {"g_at_zero": "nothing"}, (4, 0)),
        ("light", (4, 4), {"g_at_zero": "nothing"}, (4, 3)),
    ],
)
def test_g_falls_on_the_kind_of_battery_that_fired(
    battery: str, rof: tuple[int, int], switches: dict[str, str], after: tuple[int, int]
) -> None:
    """Catches the wrong battery, a ROF below nothing, and both switches."""
    session = played(battle(ship("ajax"), ship("rook", "red", rof=rof), **switches))
    session.enter(f"fire ajax {battery} rook 100cm 6 3")
    assert (values(session, "rook")["rof_heavy"], values(session, "rook")["rof_light"]) == after


@pytest.mark.clause("QFC-RUL-7")
@pytest.mark.parametrize(
    ("rof", "switches", "after"),
    [
        ((4, 4), {}, (3, 3)),
        ((0, 4), {}, (0, 2)),
        ((4, 0), {}, (2, 0)),
        ((1, 1), {}, (0, 0)),
        ((0, 0), {}, (0, 0)),
        ((4, 4), {"explosion_g": "heavy"}, (2, 4)),
        ((1, 4), {"explosion_g": "heavy"}, (0, 3)),
        ((0, 4), {"g_at_zero": "nothing"}, (0, 3)),
        ((4, 4), {"g_falls_on": "heavy"}, (3, 3)),
    ],
)
def test_an_explosion_s_two_g_fall_on_heavy_then_light(
    rof: tuple[int, int], switches: dict[str, str], after: tuple[int, int]
) -> None:
    """Catches both on one battery, one lost at zero, and the switches."""
    start = battle(ship("ajax"), ship("rook", "red", rof=rof), **switches)
    session = played(start, "damage rook E", "roll 1 1")
    assert (values(session, "rook")["rof_heavy"], values(session, "rook")["rof_light"]) == after


@pytest.mark.clause("QFC-RUL-7")
def test_a_battery_that_never_was_loses_nothing() -> None:
    """Catches G on the ROF of guns that are not aboard."""
    start = battle(ship("ajax"), ship("rook", "red", gunnery=(0, 8), rof=(3, 5)))
    assert changed(played(start), "fire ajax heavy rook 100cm 6 3") == {"rof_light": 4}


@pytest.mark.clause("QFC-GUN-10")
@pytest.mark.clause("QFC-BLA-5")
def test_damage_by_the_umpire_s_word_goes_through_the_same_cascade() -> None:
    """Catches codes that are passed over, and codes of other games."""
    session = played(battle())
    assert changed(session, "damage rook g s s") == {
        "rof_heavy": 5, "speed_hits": 2, "available_speed": 90,
    }  # fmt: skip
    told = reasons(played(battle()), "damage rook g s s t e")
    said = [(each.text, each.clause) for each in told if "umpire's word" in each.text]
    assert said == [
        ("Rook: G, by the umpire's word", "QFC-GUN-10"),
        ("Rook: S S, by the umpire's word", "QFC-GUN-9"),
        ("Rook: T, by the umpire's word", "QFC-BLA-5"),
        ("Rook: E, by the umpire's word", "QFC-BLA-2"),
    ]
    assert refusal(session, "force damage rook SX") == ""
    assert refusal(session, "damage rook") == ""
    session.enter("leave rook sunk")
    assert refusal(session, "damage rook G") == "QFC-SNK-2"


def test_s_beyond_the_eighth_stand_in_the_margin() -> None:
    """Catches a ninth box."""
    session = played(battle(phase="repair"), "damage rook S S S S S S S S S S")
    assert values(session, "rook")["speed_hits"] == 10
    assert values(session, "rook")["available_speed"] == 0


def test_what_becomes_of_a_hit_is_said_where_it_goes_another_way() -> None:
    """Catches a G that vanishes without a word."""
    rook = ship("rook", "red", rof=(0, 0))
    texts = [reason.text for reason in reasons(played(battle(ship("ajax"), rook)), "damage rook G T")]
    assert "Rook: G, and no ROF left: nothing" in texts
    assert allowed(played(battle(ship("ajax"), rook)), "damage rook B D E F G R S T")
