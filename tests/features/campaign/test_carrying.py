"""Ships carried from battle to battle: nothing is lost twice, nothing is mended twice."""

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from qf_tui.core.crews import AS_BUILT, Crew, read_card_crew, with_crews
from qf_tui.core.decisions import with_overlay
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import SIMULATED, Battle, Mark, Plan, replace
from qf_tui.features.campaign.carrying import EndedBattle, Passage, add_days, carry
from qf_tui.features.campaign.folder import carry_on, open_saved, read_campaign
from qf_tui.features.campaign.state import (
    find_misfits,
    find_origin,
    find_undamaged_state,
    list_parents,
    read_state,
)
from qf_tui.features.campaign.yards import load_yard
from qf_tui.features.editor.writers import check_documents, write_composed
from qf_tui.library.charts import load_overlay
from qf_tui.library.check import check_file
from qf_tui.library.faults import Faults
from qf_tui.library.paths import HOME_VARIABLE
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.systems import OURS, find_our_systems, load_start


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


def load_battle(name: str) -> tuple[RuleSystem, Battle]:
    return load_start("channel-1898" if name == "quickfire" else "yellow-sea-1904", name)


def carry_battle(
    system: RuleSystem, battle: Battle, days: int, yard: str = "harbour", number: int = 1
) -> Passage:
    ended = EndedBattle(f"battle-{number}.qfb", ("", str(number)), battle)
    return carry(system, [ended], load_yard(system, yard), days)


def load_next(passage: Passage) -> Battle:
    return check_documents(passage.composed, find_our_systems())[1]


@st.composite
def draw_damaged(draw: st.DrawFn, system: RuleSystem, battle: Battle) -> Battle:
    """Draw a battle after which some ships are damaged in lasting fields, and some are lost."""
    for ship in list(battle.ships.values())[:3]:
        log, marks = dict(ship.log), list(ship.marks)
        for name, value in read_state(system, ship).items():
            if isinstance(value, tuple):
                declared = next(field for field in system.fields if field.name == name)
                texts = st.sampled_from(declared.words or ("",))
                marks += (
                    Mark(f"7.{len(marks) + 1}", name, text) for text in draw(st.lists(texts, max_size=2))
                )
            elif type(value) is int:
                whole = find_undamaged_state(system, battle, ship)[name]
                assert isinstance(whole, int)
                field = next((field for field in system.fields if field.name == name), None)
                most = min(value + 3, field.most * field.denominator if field else value + 3)
                more = st.integers(value, most) if whole == 0 else st.integers(0, value)
                log[name] = draw(more)
        status = draw(st.sampled_from(("afloat", "afloat", "withdrawn", "sunk")))
        battle = battle.with_ship(evolve(ship, log=log, marks=tuple(marks), status=status))
    return battle


@pytest.mark.parametrize("name", OURS)
@settings(
    max_examples=6,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_in_a_chain_of_battles_each_point_is_lost_once_and_mended_once(
    name: str, data: st.DataObject
) -> None:
    """Begin each ship with her state at the end and her repairs, never more than whole."""
    system, battle = load_battle(name)
    for number in range(1, 4):
        ended = data.draw(draw_damaged(system, battle))
        gone = {id for id, ship in ended.ships.items() if ship.status == "sunk"}
        days = data.draw(st.integers(0, 20))
        passage = carry_battle(
            system, ended, days, data.draw(st.sampled_from(("at-sea", "dockyard"))), number
        )
        begins = load_next(passage)
        assert not gone & begins.ships.keys()
        assert {ship.id for ship in passage.lost} == {
            id for id in gone if not ended.ships[id].is_land_battery
        }
        assert tuple(find_misfits(system, begins, 0, ended)) == ()
        for one in passage.ships:
            id, ship = one.ship.id, begins.ships[one.ship.id]
            origin = find_origin(begins, id)
            assert origin is not None
            assert read_state(system, ship) == one.start_state
            for field, value in read_state(system, one.ship).items():
                moved, now, whole = one.mended.get(field, 0), one.start_state[field], one.undamaged.get(field)
                if isinstance(value, tuple):
                    assert isinstance(now, tuple)
                    assert value[len(value) - len(now) :] == now
                    assert len(value) - len(now) == -moved
                elif type(value) is int:
                    assert isinstance(now, int)
                    assert isinstance(whole, int)
                    assert now == value + moved
                    assert min(value, whole) <= now <= max(value, whole)
            # Without days, only a yard that mends at once mends anything.
            if days == 0:
                assert all(not passage.yard.days[field] for field in one.mended)
        assert carry_battle(system, ended, days, passage.yard.name, number) == passage
        battle = begins


def test_a_yard_mends_by_its_table(home: Path) -> None:
    system, battle = load_battle("advanced-quickfire")
    log = {**battle.ships["mikasa"].log, "rof_heavy": 2, "speed_hits": 3}
    hit = battle.with_ship(evolve(battle.ships["mikasa"], log=log))
    table = 'ruleset = "advanced-quickfire"\n[[yard]]\nname = "sasebo"\n'
    table += "days = { rof_heavy = 2.5, speed_hits = 0 }\n"
    path = home / "yards.toml"
    path.write_text(table, encoding="utf-8")
    ended = [EndedBattle("a.qfb", ("1",), hit)]
    yard = load_yard(system, "sasebo", path)
    (mikasa,) = (one for one in carry(system, ended, yard, 6).ships if one.ship.id == "mikasa")
    assert mikasa.mended == {"rof_heavy": 2, "speed_hits": -3}
    with pytest.raises(QfError, match="no yard “sasebu”; did you mean sasebo"):
        load_yard(system, "sasebu", path)
    path.write_text(table.replace("rof_heavy", "rof_heavi"), encoding="utf-8")
    with pytest.raises(Faults, match="did you mean rof_heavy"):
        load_yard(system, "sasebo", path)
    checked = check_file(path, find_our_systems())
    assert (checked.kind, len(checked.faults)) == ("table of yards", 1)


@pytest.mark.parametrize("name", OURS)
def test_the_yards_that_come_with_the_rules_are_valid(name: str) -> None:
    system = find_our_systems()[name]
    for yard in ("at-sea", "harbour", "dockyard"):
        assert load_yard(system, yard).days.keys() <= set(system.lasting)


def test_rules_without_yards_require_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    system = find_our_systems()["gq2"]
    monkeypatch.setattr(type(system), "yards", ("", ""))
    with pytest.raises(QfError, match="name a file of yours with --yard"):
        load_yard(system, "harbour")


def test_the_later_of_two_connected_battles_counts() -> None:
    system, first = load_battle("advanced-quickfire")
    yard = load_yard(system, "at-sea")
    ended = EndedBattle("a.qfb", ("0", "1"), first)
    second = load_next(carry(system, [ended], yard, 3))
    sunk = second.with_ship(evolve(second.ships["mikasa"], status="sunk"))
    later = EndedBattle("b.qfb", ("2",), sunk)
    # The first battle has more entries since then.
    ended = evolve(ended, sums=("0", "1", "9"))
    both = carry(system, [ended, later], yard, 3)
    assert "mikasa" not in load_next(both).ships
    assert {parent.save for parent in list_parents(load_next(both))} == {"a.qfb", "b.qfb"}
    with pytest.raises(QfError, match="neither leads to the other"):
        carry(system, [ended, evolve(ended, sums=("0", "3"), save="c.qfb")], yard, 3)


CHARTS = {
    "advanced-quickfire": """[[table]]
name = "battery"
[[table.row]]
name = "100"
cells = { "3" = "2" }
[[table.row]]
name = "200"
drop = true
""",
    "gq2": """red = [4, 2]
[[table]]
name = "stick"
[[table.row]]
name = "12"
cells = { "5" = "3.5" }
""",
}


@pytest.mark.parametrize("name", CHARTS)
def test_your_own_chart_is_carried_as_it_was_at_the_end(home: Path, name: str) -> None:
    system, battle = load_battle(name)
    path = home / "mine.toml"
    path.write_text(f'ruleset = "{name}"\ntitle = "The club"\n{CHARTS[name]}', encoding="utf-8")
    laid = with_overlay(battle.charts, load_overlay(path, system))
    assert laid != battle.charts
    passage = carry_battle(system, evolve(battle, charts=laid), 3)
    assert load_next(passage).charts == laid
    written = write_composed(passage.composed, find_our_systems())
    _, loaded = load_scenario(written, find_our_systems())
    assert loaded.charts == laid
    assert check_file(written.with_suffix("") / "charts.toml", find_our_systems()).faults == ()
    assert carry_battle(system, battle, 3).composed.overlay == {}


def test_a_written_scenario_loads_as_composed_and_names_its_parent(home: Path) -> None:
    system, battle = load_battle("advanced-quickfire")
    passage = carry_battle(system, battle, 4)
    path = write_composed(passage.composed, find_our_systems())
    _, loaded = load_scenario(path, find_our_systems())
    assert loaded.ships == load_next(passage).ships
    assert loaded.table["date"] == "1904-08-14"
    text = (
        path.read_text(encoding="utf-8")
        .replace("of = 1", "of = 2")
        .replace("[carried.mikasa", "[carried.mikada")
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Faults, match="did you mean mikasa") as found:
        load_scenario(path, find_our_systems())
    assert "no [[parent]] 2" in str(found.value)


@pytest.mark.parametrize(
    ("date", "days", "later"),
    [
        ("1904-12-30", 5, "1905-01-04"),
        ("10 August 1904, dawn", 25, "4 September 1904, dawn"),
        ("late summer", 2, "late summer, 2 days later"),
        ("late summer, 2 days later", 3, "late summer, 5 days later"),
        ("1904-02-31", 1, "1904-02-31, 1 day later"),
        ("", 3, ""),
    ],
)
def test_days_are_added_to_a_date(date: str, days: int, later: str) -> None:
    assert add_days(date, days) == later


def test_later_changes_in_an_earlier_battle_are_named_ship_by_ship() -> None:
    system, battle = load_battle("advanced-quickfire")
    begins = load_next(carry_battle(system, battle, 0))
    log = {**battle.ships["mikasa"].log, "rof_heavy": 1}
    corrected = battle.with_ship(evolve(battle.ships["mikasa"], log=log))
    corrected = corrected.with_ship(evolve(battle.ships["fuji"], status="sunk"))
    found = {
        (misfit.ship, misfit.field, misfit.in_earlier)
        for misfit in find_misfits(system, begins, 0, corrected)
    }
    assert found == {("mikasa", "rof_heavy", 1), ("fuji", "", "sunk")}


def test_a_ship_keeps_points_beyond_her_card() -> None:
    system, battle = load_battle("advanced-quickfire")
    log = {**battle.ships["mikasa"].log, "repair_points": 99, "speed_hits": 2}
    more = battle.with_ship(evolve(battle.ships["mikasa"], log=log))
    (mikasa,) = (one for one in carry_battle(system, more, 90).ships if one.ship.id == "mikasa")
    assert mikasa.start_state["repair_points"] == 99
    assert mikasa.mended == {"speed_hits": -2}


def test_a_ship_keeps_stores_that_her_card_lacks() -> None:
    system, battle = load_battle("quickfire-clone")
    ship = battle.ships["mikasa"]
    found = evolve(ship, card={**ship.card, "torpedo": 0}, log={**ship.log, "torpedo": 2, "speed_hits": 2})
    (mikasa,) = (
        one for one in carry_battle(system, battle.with_ship(found), 90).ships if one.ship.id == "mikasa"
    )
    assert mikasa.undamaged["torpedo"] == 0
    assert (mikasa.start_state["torpedo"], mikasa.mended) == (2, {"speed_hits": -2})


def test_one_hull_does_not_sail_twice() -> None:
    """Find a captured ship under a new id and name."""
    system, battle = load_battle("advanced-quickfire")
    taken = replace(battle, ships={"tango": evolve(battle.ships["poltava"], id="tango", name="Tango")})
    ended = [EndedBattle("a.qfb", ("1",), battle), EndedBattle("b.qfb", ("2",), replace(taken, plan=Plan()))]
    with pytest.raises(QfError, match=r"Poltava of a.qfb and Tango of b.qfb are one hull"):
        carry(system, ended, load_yard(system, "at-sea"), 3)


def test_mended_marks_that_were_never_made_do_not_fit() -> None:
    system, battle = load_battle("advanced-quickfire")
    hit = battle.with_ship(evolve(battle.ships["mikasa"], marks=(Mark("3.1", "course", "45 left"),)))
    begins = load_next(carry_battle(system, hit, 9))
    assert tuple(find_misfits(system, begins, 0, hit)) == ()
    (misfit,) = find_misfits(system, begins, 0, battle)
    assert (misfit.ship, misfit.field, misfit.in_earlier) == ("mikasa", "course", ())


@pytest.mark.parametrize("name", OURS)
def test_a_crew_goes_with_its_ship_into_the_next_battle(name: str) -> None:
    """Guard against steps of a crew that are lost, or count twice, in a chain of battles."""
    system, battle = load_start("yellow-sea-1904", name)
    first = {"japan": Crew(1, 0, "a book"), "russia": Crew(-1, -2, "another")}
    battle = with_crews(system, battle, lambda ship: first[ship.side])
    battle = with_crews(
        system, battle, lambda ship: AS_BUILT if ship.id == "mikasa" else read_card_crew(ship.card)
    )
    for number in (1, 2):
        after = load_next(carry_battle(system, battle, 0, "at-sea", number))
        before = {**battle.reserve, **battle.ships}
        for id, ship in after.ships.items():
            assert read_card_crew(ship.card) == read_card_crew(before[id].card)
        assert tuple(find_misfits(system, after, 0, battle)) == ()
        battle = evolve(after, table={**after.table, "title": "Next"})


def test_a_simulated_battle_counts_only_if_another_continues_it(home: Path) -> None:
    system, start = load_battle("advanced-quickfire")
    path = home / "alone.qfb"
    Session.begin(system, evolve(start, table={**start.table, SIMULATED: True}), path).close()
    assert read_campaign(path.parent, find_our_systems()).battles == ()
    _, scenario = carry_on([open_saved(path, find_our_systems())], find_our_systems(), 10, "harbour")
    Session.begin(*load_scenario(scenario, find_our_systems()), path.with_name("next.qfb")).close()
    battles = read_campaign(path.parent, find_our_systems()).battles
    assert [battle.save for battle in battles] == ["alone.qfb", "next.qfb"]
