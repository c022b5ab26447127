"""The briefing of a side: what it says, and that it says nothing that only the other side knows."""

import pytest
from attrs import evolve

from qf_tui.core.timeline import build_timeline
from qf_tui.core.values import Battle, Condition, Due, Owed, Plan, Points, Side
from qf_tui.features.sheets.briefing import build_briefing
from qf_tui.features.sheets.sheets import SheetChoice, build_sheets, render_page
from qf_tui.library.paths import find_own_folder, list_files
from qf_tui.session import Session
from tests.cli.calling import Caller
from tests.console.playing import HOSTILE, Size, Table, with_console
from tests.systems import load_start

JAPAN, RUSSIA = "japan", "russia"
WEATHER = "Clear and calm, a light wind from the south. Dusk falls on turn 12."
HIGHER = "(the higher sum wins if some Russian battleships get away, but not three)"
SECRET = "only-the-enemy-knows"


def print_briefing(battle: Battle, side: str, name: str = "yellow-sea-1904") -> str:
    """Return the whole page for a side, its briefing and its logs."""
    system, _ = load_start(name)
    return render_page(build_sheets(system, build_timeline(battle, ()), SheetChoice(side, briefing=True)))


def test_a_briefing_says_what_a_side_knows() -> None:
    system, battle = load_start("yellow-sea-1904")
    japan, russia = (build_briefing(system, battle, side) for side in (JAPAN, RUSSIA))
    assert (japan.side, japan.others, japan.date) == ("Japan", ("Russia",), "1904-08-10")
    assert japan.conditions == (WEATHER,)
    assert japan.arrivals == ("turn 4: fifth and sixth arrive from the north-east edge",)
    assert russia.arrivals == ()
    assert japan.victory == (f"points: 1 for each battleship of Russia sunk {HIGHER}",)
    assert russia.victory == (
        "3 battleships off the south-east edge (those with six speed boxes or more)",
        f"points: 1 for each battleship of Japan sunk {HIGHER}",
    )
    first, *_, sixth = japan.divisions
    assert (first.division.player, first.state, sixth.state) == ("Anna", "", "arrives on turn 4")
    assert first.ships == (
        ("battleship", ("Mikasa", "Asahi", "Fuji", "Shikishima")),
        ("armored cruiser", ("Kasuga", "Nisshin")),
    )
    assert japan.orders.startswith("The Russian squadron wants to reach Vladivostok")


def test_conditions_and_formations_of_general_quarters_are_named() -> None:
    system, start = load_start("yellow-sea-1904", "gq2")
    table = {**start.table, "light": "dusk", "visibility": 1, "formation.@third": "abreast"}
    briefing = build_briefing(system, evolve(start, table=table), JAPAN)
    assert briefing.conditions == (WEATHER, "light dusk", "visibility 1")
    assert [one.state for one in briefing.divisions if one.division.name == "third"] == ["formation abreast"]


def test_a_briefing_in_battle_has_only_arrivals_to_come_and_names_losses() -> None:
    system, start = load_start("yellow-sea-1904")
    session = Session.begin(system, start)
    session.enter("join japan hashidate chin-yen matsushima asama")
    session.enter("leave mikasa sunk")
    briefing = build_briefing(system, session.battle, JAPAN)
    assert briefing.arrivals == ("turn 4: sixth arrives from the north-east edge",)
    assert "Mikasa (sunk)" in briefing.divisions[0].ships[0][1]


def test_changed_switches_are_on_the_page_and_unchanged_ones_are_not() -> None:
    _, start = load_start("yellow-sea-1904")
    options = {**start.options, "sx_check": "12"} if start.options.get("sx_check") != "12" else start.options
    changed = print_briefing(evolve(start, options=options), JAPAN).partition("Your ships")[2]
    assert "<b>sx_check 12</b>" in changed.partition("</section>")[0]
    plain = print_briefing(start, JAPAN).partition('<section class="leaf several">')[0]
    assert "Switches" not in plain


def test_without_orders_there_is_room_to_write_them() -> None:
    _, start = load_start("yellow-sea-1904")
    table = {key: value for key, value in start.table.items() if key != f"notes.{JAPAN}"}
    assert 'class="writing"' in print_briefing(evolve(start, table=table), JAPAN)
    assert 'class="writing"' not in print_briefing(start, JAPAN)


def add_enemy_secrets(battle: Battle, enemy: str) -> list[Battle]:
    """Return battles that differ from `battle` only in what the players of the other side may not know."""
    ships = {id: evolve(ship, log={**ship.log, "fires": 3}) for id, ship in battle.ships.items()}
    damaged = {id: ships[id] if ship.side == enemy else ship for id, ship in battle.ships.items()}
    late = next(ship for ship in battle.ships.values() if ship.side == enemy)
    reserve = {**battle.reserve, SECRET: evolve(late, id=SECRET, name=SECRET)}
    arrival = Due(3, (SECRET,), SECRET, {}, SECRET)
    aim = Condition(enemy, 2, enemy, ("sunk",), note=SECRET)
    secret = evolve(aim, points=Points(3, half=1, secret=True))
    plan = battle.plan
    sides = tuple(
        evolve(side, divisions=tuple(evolve(one, player=SECRET) for one in side.divisions))
        if side.id == enemy
        else side
        for side in battle.sides
    )
    return [
        evolve(battle, ships=damaged),
        evolve(battle, reserve=reserve, plan=evolve(plan, schedule=(*plan.schedule, arrival))),
        evolve(battle, plan=evolve(plan, victory=(*plan.victory, aim))),
        evolve(battle, plan=evolve(plan, victory=(*plan.victory, secret))),
        evolve(battle, plan=evolve(plan, schedule=(*plan.schedule, Due(5, note=SECRET)))),
        evolve(battle, sides=sides),
        evolve(battle, owed=(Owed("1/fire", "fire", late.id, SECRET),)),
        *(evolve(battle, table={**battle.table, key: SECRET}) for key in ("notes", f"notes.{enemy}")),
        evolve(battle, table={**battle.table, f"doctrine.{enemy}": SECRET}),
    ]


@pytest.mark.parametrize("name", ["yellow-sea-1904", "gq2-dogger-bank-1915", "santiago-1898", "lissa-1811"])
def test_what_only_the_other_side_knows_changes_no_byte(name: str) -> None:
    """Guard against a page for players that depends on the enemy's damage, plans, arrivals or notes."""
    _, start = load_start(name)
    for side, enemy in zip(start.sides, reversed(start.sides), strict=True):
        shown = print_briefing(start, side.id, name)
        assert SECRET not in shown
        for changed in add_enemy_secrets(start, enemy.id):
            assert changed != start or changed.reserve != start.reserve
            assert print_briefing(changed, side.id, name) == shown


def test_hostile_texts_are_escaped() -> None:
    system, start = load_start("rulebook-examples")
    evil = "<script>&[/]"
    ships = {id: evolve(ship, name=HOSTILE.get(id, evil)) for id, ship in start.ships.items()}
    sides = tuple(Side(side.id, evil, side.divisions) for side in start.sides)
    table = {**start.table, "weather": evil, **{f"notes.{side.id}": evil for side in sides}}
    plan = Plan((Due(3, ("mikasa",), evil),), ())
    battle = evolve(
        start,
        ships={id: ship for id, ship in ships.items() if id != "mikasa"},
        reserve={"mikasa": ships["mikasa"]},
        sides=sides,
        table=table,
        plan=plan,
    )
    page = render_page(
        build_sheets(system, build_timeline(battle, ()), SheetChoice(start.sides[0].id, briefing=True))
    )
    assert "<script" not in page
    assert page.count("&lt;script&gt;&amp;[/]") > 4


def test_the_command_writes_a_briefing_for_one_side(call: Caller) -> None:
    called = call("sheets", "ulsan-1904", "--briefing", "Russia", "--out", "russia.html")
    assert (called.status, called.out.split(",")[0]) == (0, "russia.html: 3 logs")
    text = (call.folder / "russia.html").read_text(encoding="utf-8")
    assert "2 armored cruisers off the north edge" in text
    assert "Naniwa" not in text
    assert "no side “spain”" in call("sheets", "ulsan-1904", "--briefing", "spain", "--out", "b.html").err
    assert "need a name" in call("sheets", "ulsan-1904", "--briefing", "", "--out", "b.html").err
    assert (
        call("sheets", "ulsan-1904", "--briefing", "russia", "--side", "japan", "--out", "b.html").status == 2
    )
    assert call("sheets", call.save("next\n"), "--briefing", "blue", "--out", "now.html").status == 0


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@with_console()
async def test_a_key_on_a_scenario_writes_the_briefings_of_all_sides(table: Table, size: Size) -> None:
    await table.type("ulsan enter")
    for number in ("", "-2"):
        await table.press("l")
        await table.app.workers.wait_for_complete()
        await table.pilot.pause()
        text = "".join(table.text().replace("│", "").split())
        assert f"ulsan-1904-japan{number}.html" in text
        await table.press("escape")
    pages = sorted(path.name for path in list_files(find_own_folder("saves"), ".html"))
    assert pages == [f"ulsan-1904-{side}{number}.html" for side in (JAPAN, RUSSIA) for number in ("-2", "")]
    assert "Briefings" not in table.text()
