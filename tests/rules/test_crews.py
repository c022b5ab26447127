"""The effect of crew steps on a card and on the odds of a shot, under every rule system."""

import re
from fractions import Fraction
from types import ModuleType

import pytest
from attrs import evolve

from qf_tui.core.crews import (
    AS_BUILT,
    Crew,
    describe_rules,
    describe_steps,
    list_crewed_values,
    split_crew,
    with_crew,
    with_crews,
)
from qf_tui.core.ship_facts import list_attested_fields
from qf_tui.core.text import format_decimal, to_fraction
from qf_tui.core.values import Battle
from qf_tui.document.text import lay_out_document
from qf_tui.document.transcript import build_why_document
from qf_tui.session import Session
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import enter
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import OURS, find_our_systems, load_start

SYSTEMS = find_our_systems()
FIRED = {"auto_shot": True}
HEAVY, CLONE, GUN = "fire ajax heavy rook long", "fire ajax heavy rook 60cm", "fire ajax 6 rook straddle 5"


def share_of_36(*hits: int) -> Fraction:
    return Fraction(sum(hits), 36)


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1", "GQ2-CRW-1")
@pytest.mark.parametrize(
    ("name", "tables", "order", "crew", "chance"),
    [
        # ROF 5 of 12, and 20 against 10: 1 to 11 hit on the line of 200.
        ("advanced-quickfire", advanced, HEAVY, AS_BUILT, (Fraction(5, 12), Fraction(11, 12))),
        ("advanced-quickfire", advanced, HEAVY, Crew(gunnery=-1), (Fraction(4, 12), Fraction(11, 12))),
        # Shells at four fifths: 16 against 10, 1 to 10 on the line of 150.
        ("advanced-quickfire", advanced, HEAVY, Crew(shells=-1), (Fraction(5, 12), Fraction(10, 12))),
        ("advanced-quickfire", advanced, HEAVY, Crew(2, 3), (Fraction(7, 12), Fraction(12, 12))),
        # ROF 3 of 6, and 20 against 10: two white dice up to 9 on the line of 200, to 8 on that of 150.
        ("quickfire", quickfire, HEAVY, AS_BUILT, (Fraction(3, 6), Fraction(30, 36))),
        ("quickfire", quickfire, HEAVY, Crew(-1, -1), (Fraction(2, 6), Fraction(26, 36))),
        # No crew is so bad that its guns fall silent.
        ("quickfire", quickfire, HEAVY, Crew(gunnery=-3), (Fraction(1, 6), Fraction(30, 36))),
        # ROF 4 of 6, and 10 against 8: up to 3; 6 against 8: up to 2.
        ("quickfire-clone", clone, CLONE, AS_BUILT, (Fraction(4, 6), Fraction(3, 6))),
        ("quickfire-clone", clone, CLONE, Crew(-1, -2), (Fraction(3, 6), Fraction(2, 6))),
        ("quickfire-clone", clone, CLONE, Crew(gunnery=3), (Fraction(6, 6), Fraction(3, 6))),
        # White 0 to 5 of ten, and AF 4 against 4: half a box of the ten rows fivefold.
        ("gq2", gq2, GUN, AS_BUILT, (Fraction(6, 10), Fraction(5, 20))),
        ("gq2", gq2, GUN, Crew(gunnery=1), (Fraction(7, 10), Fraction(5, 20))),
        # AF 2.5 against 4 is 1:2, half a box in one row of ten.
        ("gq2", gq2, GUN, Crew(-1, -2), (Fraction(5, 10), Fraction(1, 20))),
    ],
)
def test_the_odds_of_a_shot_follow_the_crew(
    name: str, tables: ModuleType, order: str, crew: Crew, chance: tuple[Fraction, Fraction]
) -> None:
    """Compare with odds worked out by hand from the charts."""
    rofs = {"advanced-quickfire": (5, 5), "quickfire": (3, 3), "quickfire-clone": (4, 4)}
    given = {"rof": rofs[name]} if name in rofs else {}
    ajax = tables.ship("ajax", **given)
    log = ajax.log | {key: value for key, value in FIRED.items() if key in ajax.log}
    card = ajax.card | ({"gunnery": None} if name == "gq2" else {})
    battle: Battle = tables.battle(evolve(ajax, card=card, log=log), tables.ship("rook", "red"))
    battle = with_crews(SYSTEMS[name], battle, lambda ship: crew if ship.id == "ajax" else AS_BUILT)
    told = {each.label: each.value for each in tables.played(battle).preview_order(order).chances}
    fires, hits = chance
    expected = (
        {"straddles": fires, "guns": fires * hits}
        if name == "gq2"
        else {"fires": fires, "hits": fires * hits}
    )
    assert {label: told[label] for label in expected} == expected


@pytest.mark.clause("GQ2-CRW-1")
def test_an_af_that_is_listed_by_armament_boxes_is_stepped_as_a_whole() -> None:
    """Never raise the worth of shells when a box is lost."""
    ajax = gq2.ship("ajax", battery=(("12 inch", 12, (8, 6.5, 5, 4, 2.5, 1)),))
    card = with_crew(SYSTEMS["gq2"], ajax.card, Crew(shells=-1))
    # Four fifths, to the nearest half: 6.4, 5.2, 4, 3.2, 2 and 0.8.
    assert [card[f"battery.1.af.{left}"] for left in range(1, 7)] == [6.5, 5, 4, 3, 2, 1]
    assert card["battery.1.af"] == 6.5


def test_steps_go_three_up_and_three_down() -> None:
    assert Crew(-2, 1, "a book").add_steps(gunnery=-4, shells=1) == Crew(-3, 2, "a book")
    assert Crew(2, 3).add_steps(gunnery=-2, shells=3) == Crew(0, 3)


@pytest.mark.parametrize("name", OURS)
def test_steps_change_the_card_as_built_and_come_off_again(name: str) -> None:
    """Do not add steps up, and bring the values back."""
    system, battle = load_start("yellow-sea-1904", name)
    for ship in battle.ships.values():
        worse = with_crew(system, ship.card, Crew(-2, -1, "here"))
        assert with_crew(system, worse, Crew(1, 0, "there")) == with_crew(
            system, ship.card, Crew(1, 0, "there")
        )
        assert with_crew(system, worse, AS_BUILT) == ship.card
        changed = list(list_crewed_values(system, worse))
        for key, how in changed:
            assert how.startswith(f"{format_decimal(to_fraction(ship.card.get(key)))} as built, ")
        assert not set(list_attested_fields(worse)) & {key for key, *_ in changed}
        assert split_crew(system, worse) == (ship.card, Crew(-2, -1, "here"))
    crewed = with_crews(system, battle, lambda ship: Crew(-2, -1) if ship.side == "japan" else AS_BUILT)
    assert crewed != battle
    assert with_crews(system, crewed, lambda ship: AS_BUILT) == battle


@pytest.mark.parametrize(
    ("name", "key", "by"), [("advanced-quickfire", "rof.heavy", 2), ("gq2", "gunnery", -1)]
)
def test_a_value_set_by_hand_wins_over_steps_and_is_carried(name: str, key: str, by: int) -> None:
    """Mark the value after the battle has begun."""
    system, battle = load_start("yellow-sea-1904", name)
    battle = with_crews(system, battle, lambda ship: Crew(-1, -1, "a book"))
    session = enter(Session.begin(system, battle), f"mark mikasa {key} {by:+}")
    before, card = battle.ships["mikasa"].card, session.battle.ships["mikasa"].card
    assert to_fraction(card[key]) == to_fraction(before[key]) + by
    assert key in {each for each, *_ in list_crewed_values(system, before)}
    assert key not in {each for each, *_ in list_crewed_values(system, card)}
    carried, crew = split_crew(system, card)
    assert (crew, carried[key]) == (AS_BUILT, card[key])
    assert not any(name.startswith("crews") for name in carried)


def enter_shot(name: str, tables: ModuleType, order: str, crew: Crew) -> tuple[Session, str]:
    """Give ajax a crew, enter a shot that hits, and return its text."""
    ajax = tables.ship("ajax")
    fired = {key: value for key, value in FIRED.items() if key in ajax.log}
    card = ajax.card | ({"gunnery": None} if name == "gq2" else {})
    ajax = evolve(ajax, card=card, log=ajax.log | fired)
    battle: Battle = tables.battle(ajax, tables.ship("rook", "red"))
    battle = with_crews(SYSTEMS[name], battle, lambda ship: crew if ship.id == "ajax" else AS_BUILT)
    session: Session = tables.played(battle)
    ruling = session.enter(order).ruling
    assert ruling is not None
    return session, " · ".join(reason.text for reason in ruling.decision.reasons)


CLAUSES = {
    "advanced-quickfire": "AQF-CRW-1",
    "quickfire": "QF-CRW-1",
    "quickfire-clone": "QFC-CRW-1",
    "gq2": "GQ2-CRW-1",
}
SHOTS = [
    # ROF 12 and gunnery 20 at four fifths: 16.
    (
        "advanced-quickfire",
        advanced,
        HEAVY,
        "2 2",
        "heavy ROF (12 as built, crew -1) 2≤11",
        "gunnery 16 (20",
    ),
    ("quickfire", quickfire, HEAVY, "2 1 1", "heavy ROF (6 as built, crew -1) 2≤5", "gunnery 16 (20"),
    ("quickfire-clone", clone, CLONE, "2 1", "heavy ROF (6 as built, crew -1) 2≤5", "gunnery 8 (10"),
    ("gq2", gq2, GUN, "0 5 5", "+1 gunners (0 as built, crew -1)", "AF 3 (4"),
]


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1", "GQ2-CRW-1")
@pytest.mark.parametrize(("name", "tables", "order", "dice", "crew", "shells"), SHOTS)
def test_a_shot_reports_the_steps_of_crew_and_shells(
    name: str, tables: ModuleType, order: str, dice: str, crew: str, shells: str
) -> None:
    """Show no stepped value as the rules' own."""
    _, said = enter_shot(name, tables, f"{order} {dice}", Crew(-1, -1))
    assert crew in said
    assert f"{shells} as built, shells -1)" in said
    assert "as built" not in enter_shot(name, tables, f"{order} {dice}", AS_BUILT)[1]


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1", "GQ2-CRW-1")
@pytest.mark.parametrize(("name", "tables", "order", "dice", "crew", "shells"), SHOTS)
def test_the_odds_report_the_steps_too(
    name: str, tables: ModuleType, order: str, dice: str, crew: str, shells: str
) -> None:
    session, _ = enter_shot(name, tables, "next", Crew(-1, -1))
    seen = session.preview_order(f"force {order}")
    said = " · ".join((*seen.reminders, *map(str, seen.needs)))
    assert "as built, crew -1)" in said
    assert f"{shells} as built, shells -1)" in said
    assert set(re.findall(r"\w+-CRW-\d+", said)) == {CLAUSES[name]}
    assert SYSTEMS[name].crews_by == CLAUSES[name]


@pytest.mark.clause("AQF-CRW-1")
def test_a_value_set_by_hand_is_no_longer_reported_as_stepped() -> None:
    session, _ = enter_shot("advanced-quickfire", advanced, f"{HEAVY} 2 2", Crew(1, 1))
    enter(session, "next", "mark ajax gunnery.heavy 30")
    system, card = SYSTEMS["advanced-quickfire"], session.battle.ships["ajax"].card
    assert describe_steps(system.crews, card, "gunnery.heavy") == ""
    assert describe_steps(system.crews, card, "rof.heavy") == ""
    assert describe_steps(system.crews, card, "gunnery.light") == "20 as built, shells +1"


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1")
@pytest.mark.parametrize(
    ("name", "tables", "built"),
    [("advanced-quickfire", advanced, 12), ("quickfire", quickfire, 6), ("quickfire-clone", clone, 6)],
)
def test_the_card_prints_values_as_built_and_cells_explain_steps(
    name: str, tables: ModuleType, built: int
) -> None:
    system = SYSTEMS[name]
    battle = with_crews(
        system, tables.battle(tables.ship("ajax"), tables.ship("rook", "red")), lambda ship: Crew(-2, 0)
    )
    session = Session.begin(system, battle)
    ship = session.battle.ships["ajax"]
    sheet = dict(system.sheet(session.battle, ship))
    rof = "".join(span.text for span in sheet["ROF"])
    assert f"printed {built}-" in rof
    column = next(column for column in system.columns if column.name == "rof")
    lines = list(lay_out_document(build_why_document(system, session.timeline, ship, column), 100))
    assert any(f"printed heavy ROF {built} as built, crew -2: {built - 2}" in line for line in lines)
    assert any(system.crews_by in line for line in lines)
    armor = next(column for column in system.columns if column.name == "armor")
    assert not any(
        "crew" in line
        for line in lay_out_document(build_why_document(system, session.timeline, ship, armor), 100)
    )
    assert describe_rules(system, session.battle).startswith(f"{system.title}, crews as stated · ")
    assert "as stated" not in describe_rules(system, tables.battle())


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1", "GQ2-CRW-1")
@pytest.mark.parametrize("crew", [Crew(1, 0), Crew(0, -1), Crew(-2, 3)])
@pytest.mark.parametrize("name", OURS)
def test_the_first_line_of_a_battle_mentions_crews_and_shells(name: str, crew: Crew) -> None:
    system, battle = load_start("yellow-sea-1904", name)
    crewed = with_crews(system, battle, lambda ship: crew if ship.side == "russia" else AS_BUILT)
    assert describe_rules(system, crewed).startswith(f"{system.title}, crews as stated · ")


@pytest.mark.clause("AQF-CRW-1", "QF-CRW-1", "QFC-CRW-1")
@pytest.mark.parametrize(
    ("name", "most"), [("advanced-quickfire", 12), ("quickfire", 6), ("quickfire-clone", 6)]
)
def test_a_crew_reaches_no_rof_that_its_die_does_not_show(name: str, most: int) -> None:
    for rof, steps, stepped in ((most - 1, 3, most), (most, 1, most), (most - 3, 2, most - 1), (2, -3, 1)):
        card = with_crew(SYSTEMS[name], {"rof.heavy": rof, "rof.light": 0}, Crew(gunnery=steps))
        assert (card["rof.heavy"], card["rof.light"]) == (stepped, 0)
