"""The rules court: readings worked out by hand, entries that are skipped, and equal states."""

from collections.abc import Mapping
from functools import cache
from unittest.mock import patch

import pytest
from attrs import evolve, frozen
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.revisions import ValueChange
from qf_tui.core.timeline import State, build_timeline
from qf_tui.core.values import Act, Battle, Chart, ChartCell, ChartRow, Charts, Die, Mark, Owed, Provenance
from qf_tui.features.court.court import (
    Baseline,
    Toward,
    Variant,
    Verdict,
    build_baseline,
    build_cell_variant,
    find_cells,
    list_switch_values,
    list_switches,
    replay,
)
from qf_tui.features.court.document import format_baseline
from qf_tui.features.report.pricing import StateKeys
from qf_tui.features.report.throws import Place
from qf_tui.features.report.values import Cells
from qf_tui.session import Session
from tests.core.test_corrections import BURNING, MILDER
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import draw_corrected
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import EACH_JUDGED, OPENING, analyse_golden, load_golden
from tests.rules.playing import enter
from tests.systems import load_start

AQF, QF, CLONE, DOGGER, FLOTILLA = (
    *("yellow-sea-1904", "port-arthur-1904-evening", "yellow-sea-1904-clone"),
    *("gq2-dogger-bank-1915", "gq2-fourth-flotilla-1916"),
)
ON_THE_EDGE = (
    "move mikasa,asahi,fuji,shikishima,kasuga,nisshin 6",
    "move tsesarevich,retvizan,pobeda,peresvet,sevastopol,poltava 6",
    "next",
    "fire mikasa heavy tsesarevich 24in 3 5",
    "fire fuji heavy pobeda 41in 2 5",
)


@cache
def load_baseline(name: str, orders: int | None = OPENING) -> Baseline:
    """Build the baseline of a golden battle, by default of its first orders."""
    return build_baseline(*load_golden(name, orders))


def enter_orders(*orders: str) -> Session:
    return enter(Session.begin(*load_start(AQF)), *orders)


def build_session_baseline(session: Session) -> Baseline:
    return build_baseline(session.system, session.timeline)


def try_switch(baseline: Baseline, text: str) -> Verdict:
    (variant,) = list_switch_values(baseline, *text.split("="))
    return replay(baseline, variant)


def list_changed(verdict: Verdict) -> list[int]:
    return [one.entry for one in verdict.changed]


@frozen
class Known:
    """A switch that changes one entry, and the reasons of that entry before and after."""

    battle: str
    orders: int
    switch: str
    entry: int
    was: str
    then: str


KNOWN = (
    # Bow arc: gunnery 10 / 2 = 5 against 8 is the 50% line, where 6 misses; with ROF 4 / 2 = 2 the black 2
    # still fires, and the whole 10 against 8 is the 125% line, where 7 or less hits.
    Known(QF, 66, "end_arc=rof", 46, "white 6: no hit", "white 6: S"),
    # Shirakumo is small and moves fast: by the switch light fire cannot touch her either.
    Known(CLONE, 100, "small_fast_safe_from=light", 83, "white 5≤6, G", ""),
    # 5 + 2 = 7 is beyond band 6, 5 + 1 = 6 is in it.
    Known(DOGGER, 79, "fire_control=1", 78, "+2 fire control: 7>6, misses Seydlitz", "straddles Seydlitz"),
)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.battle)
def test_a_switch_changes_the_one_entry_that_depends_on_it(known: Known) -> None:
    verdict = try_switch(load_baseline(known.battle, known.orders), known.switch)
    (one,) = verdict.changed
    assert one.entry == known.entry
    assert any(known.was in text for text in one.before.because)
    if known.then:
        assert one.after.state is State.STANDS
        assert any(known.then in text for text in one.after.because)
    else:
        assert (verdict.parked, one.after.state) == ((known.entry,), State.PARKED)
    assert verdict.stopped_at is None


def test_on_a_shared_edge_the_longer_range_brings_no_blast() -> None:
    """Fire at 24 inches, between medium and long; 3 and 5 make 8: F at medium, nothing at long."""
    session = enter_orders(*ON_THE_EDGE)
    verdict = try_switch(build_session_baseline(session), "shared_edge=longer")
    (one,) = verdict.changed
    assert one.entry == 4
    assert "blast 8: F" in one.before.because
    assert "blast 8: nothing" in one.after.because
    assert {(change.ship, change.field, change.before, change.after) for change in verdict.ships} >= {
        ("tsesarevich", "fires", 1, 0)
    }
    assert {change.ship for change in verdict.ships} == {"tsesarevich"}


def test_a_reading_stops_at_dice_that_were_not_thrown() -> None:
    """Need one die for each torpedo of a spread, of which one was thrown."""
    verdict = try_switch(load_baseline(FLOTILLA), "spread=die-each")
    assert verdict.stopped_at == 34
    assert [(one.line, one.dice) for one in verdict.owed] == [("torpedo", "1d10")]
    assert list_changed(verdict)[-1] == 34


def test_a_reading_stops_before_the_first_entry_if_the_start_needs_dice() -> None:
    verdict = try_switch(load_baseline(AQF), "initiative=once")
    assert (verdict.stopped_at, verdict.entries, verdict.changed) == (0, 0, ())
    assert [one.dice for one in verdict.owed] == ["2d12"]


def test_a_refused_entry_is_skipped_and_its_answers_are_idle() -> None:
    """Refuse three orders, as no battery of a ship may fire once another has."""
    verdict = try_switch(load_baseline(AQF, None), "refire_by=ship")
    assert verdict.parked == (225, 238, 274)
    assert verdict.idle == (282, 285, 360)
    assert {*verdict.parked, *verdict.idle} < set(list_changed(verdict))
    assert {change.ship for change in verdict.ships} == {"nisshin", "tsesarevich"}


def test_a_tried_switch_overrules_the_battle_s_own_setting() -> None:
    session = enter_orders(*ON_THE_EDGE[:3], "option shared_edge longer", ON_THE_EDGE[3])
    heard = build_session_baseline(session)
    assert {one.value for one in list_switches(heard) if one.option == "shared_edge"} == {"shorter", "longer"}
    shorter, longer = try_switch(heard, "shared_edge=shorter"), try_switch(heard, "shared_edge=longer")
    assert (list_changed(shorter), shorter.overruled) == ([5], (4,))
    assert (longer.changes_nothing, longer.overruled) == (True, (4,))


def test_a_switch_is_overruled_even_if_the_start_lacks_it() -> None:
    """Guard against an entry that is skipped because the battle before it has no such switch."""
    system, start = load_start(AQF)
    session = Session.begin(system, evolve(start, options={}))
    for order in (*ON_THE_EDGE[:3], "option shared_edge longer", ON_THE_EDGE[3]):
        session.enter(order)
    assert try_switch(build_session_baseline(session), "shared_edge=longer").overruled == (4,)


def test_a_reading_changes_nothing_only_if_entries_rolls_and_ships_are_equal() -> None:
    assert Verdict(Variant("refire_by", "ship"), reworded=(4,)).changes_nothing
    assert not Verdict(Variant(), ships=(ValueChange("rook", "fires", 0, 1),)).changes_nothing


def test_a_switch_is_known_by_its_name_and_values() -> None:
    heard = load_baseline(AQF)
    assert [one.value for one in list_switch_values(heard, "explosion_g")] == ["goes-on", "both"]
    for text, said in (("edge", "no switch “edge”"), ("shared_edge=far", "“far” is not one of")):
        with pytest.raises(QfError, match=said):
            list_switch_values(heard, *text.split("="))


def test_changes_by_newer_rules_do_not_count_for_a_reading() -> None:
    """Set fires with two blazes under the old rules, and none under today's."""
    heard = build_baseline(MILDER, BURNING)
    assert heard.changed_today == (3, 5)
    assert replay(heard, Variant("blaze", "4-6")).changes_nothing
    several, one = format_baseline(heard), format_baseline(evolve(heard, differs=frozenset((3,))))
    assert "entries in force change by today's rules alone: 3, 5. They stay as recorded and do not" in several
    assert "entries in force changes by today's rules alone: 3. It stays as recorded and does not" in one


def test_figures_equal_those_of_the_report() -> None:
    for name in (CLONE, FLOTILLA):
        heard = load_baseline(name)
        found = analyse_golden(name, OPENING)
        sides = replay(heard, list_switches(heard)[0]).sides
        assert {one.side: one.results for one in sides} == {one.side: one.results for one in found.damage}
        assert {one.side: one.worth for one in sides} == found.phases[-1].worth


READ: Mapping[str, Mapping[int, set[Place]]] = {
    AQF: {
        4: {("battery", "200", "10"), ("blast", "long", "13+")},
        7: set(),  # ROF 8 > 7 does not fire
        15: {("damage", "repair", "1")},
        17: {("damage", "repair-p", "4")},
    },
    QF: {
        10: {("battery", "150", "total")},
        12: {("battery", "150", "total"), ("hits", "hits", "4"), ("blast", "long", "6")},
        17: {("damage", "repair", "6")},
    },
    CLONE: {
        6: {("gunnery", "8", "10")},  # blast 6 is beyond the table: nothing, and no cell
        8: {("gunnery", "8", "10"), ("blast", "long", "3")},
        13: {("gunnery", "8", "10")},
        20: {("repair", "fire-check", "8-11")},
    },
    DOGGER: {9: {("gunnery", "6+", "2:1"), ("gunnery", "3", "2:1")}, 15: {("critical", "hit", "5")}},
    FLOTILLA: {
        30: set(),  # a targeting roll hands the shot on: its own dice are still to come
        35: {("torpedo", "5", "9-10")},
        40: {("critical", "hit", "3")},
    },
}


@pytest.mark.parametrize("name", READ)
def test_the_cells_that_decide_an_entry_are_those_its_dice_fall_on(name: str) -> None:
    heard = load_baseline(name)
    order = heard.timeline.play_order
    for number, places in READ[name].items():
        assert heard.lookups[order.index(number)].decided == places, number


@EACH_JUDGED
def test_only_entries_that_rest_on_a_cell_say_so(name: str, orders: int | None) -> None:
    """Compare the status of the cells looked up with that of the reasons, entry by entry."""
    heard = load_baseline(name, orders)
    for at, number in enumerate(heard.timeline.play_order):
        charts = heard.battles[at].charts
        decided = {
            charts[table].rows[row].cells[column].status for table, row, column in heard.lookups[at].decided
        }
        reasons = heard.timeline.rulings[number].decision.reasons
        assert {status.value for status in decided} == {one.chart for one in reasons if one.chart}, number


@EACH_JUDGED
def test_the_report_counts_the_same_cells(name: str, orders: int | None) -> None:
    cells = find_cells(load_baseline(name, orders))
    assert analyse_golden(name, orders).cells == Cells(cells.read, cells.reconstructed)


@EACH_JUDGED
def test_all_readings_rest_on_ours_if_all_cells_are_ours(name: str, orders: int | None) -> None:
    """Replace attested cells, as the charts of two systems are fully attested."""
    system, timeline = load_golden(name, orders)
    ours = evolve(timeline.start, charts=_make_all_ours(timeline.start.charts), began=None)
    heard = build_baseline(system, build_timeline(evolve(ours, began=ours), timeline.log))
    cells = find_cells(heard)
    assert cells.read == cells.reconstructed == sum(len(one.decided) for one in heard.lookups)
    assert 0 < cells.changed <= cells.read
    cell = next(one for one in cells.cells if one.changed)
    beside = next(one for one in cell.neighbours if one.changed)
    verdict = replay(heard, build_cell_variant(heard, cell.place, beside.text))
    assert verdict.changed[0].entry == beside.changed[0]


def _make_all_ours(charts: Charts) -> Charts:
    return {
        name: evolve(
            chart,
            rows={
                row.name: ChartRow(
                    row.name, {column: ChartCell(cell.text) for column, cell in row.cells.items()}
                )
                for row in chart.rows.values()
            },
        )
        for name, chart in charts.items()
    }


def test_the_neighbours_of_a_cell_are_one_step_away_in_print() -> None:
    """Fire two shots at long: a white 10 on the 200% line, and the blast of 5 + 2."""
    heard = build_session_baseline(
        enter_orders(*ON_THE_EDGE[:3], "fire mikasa heavy tsesarevich 41in 3 10", ON_THE_EDGE[4])
    )
    found = {cell.place: cell for cell in find_cells(heard).cells}
    line = found["battery", "200", "10"]
    assert (line.text, line.entries) == ("3", (4,))
    assert [(one.text, one.steps, one.changed) for one in line.neighbours] == [
        ("2", (Toward.ABOVE, Toward.LEFT), (4,))
    ]
    blast = found["blast", "long", "7"]
    assert [(one.text, one.steps) for one in blast.neighbours] == [("F", (Toward.BELOW,))]
    verdict = replay(heard, build_cell_variant(heard, blast.place, "F"))
    assert list_changed(verdict) == [5]
    assert any("blast 7: F" in text for text in verdict.changed[0].after.because)


def test_rows_of_tables_printed_together_are_no_neighbours() -> None:
    heard = build_session_baseline(
        enter_orders(*ON_THE_EDGE[:3], "damage fuji S", "next", "next", "next", "repair fuji speed 5")
    )
    charts = heard.battles[0].charts
    assert "repair" in charts["damage"].rows
    ours = evolve(heard.timeline.start, charts=_make_all_ours(charts), began=None)
    cells = find_cells(
        build_baseline(heard.system, build_timeline(evolve(ours, began=ours), heard.timeline.log))
    ).cells
    for cell in cells:
        assert cell.place[0] == "damage"
        assert all({*one.steps} <= {Toward.LEFT, Toward.RIGHT} for one in cell.neighbours)


def test_an_umpire_s_own_cell_is_not_doubted_and_stays() -> None:
    system, timeline = load_golden(AQF, OPENING)
    own = Chart("battery", "", {"200": ChartRow("200", {"10": ChartCell("3", Provenance.OWN)})})
    heard = build_baseline(system, timeline)
    place = ("battery", "200", "10")
    assert place in {cell.place for cell in find_cells(heard).cells}
    charts = {**timeline.start.charts, "battery": _overlay_chart(timeline.start.charts["battery"], own)}
    start = evolve(timeline.start, charts=charts, began=None)
    owned = build_baseline(system, build_timeline(evolve(start, began=start), timeline.log))
    assert place not in {cell.place for cell in find_cells(owned).cells}
    assert replay(owned, build_cell_variant(heard, place, "1")).changes_nothing
    over = evolve(own, rows={"200": ChartRow("200", {"10": ChartCell("1", Provenance.OWN)})})
    assert not replay(owned, Variant(cells={"battery": over})).changes_nothing


def _overlay_chart(chart: Chart, over: Chart) -> Chart:
    rows = {
        name: ChartRow(name, {**row.cells, **(over.rows[name].cells if name in over.rows else {})})
        for name, row in chart.rows.items()
    }
    return evolve(chart, rows=rows)


def test_a_cell_that_the_umpire_must_read_out_decides_nothing() -> None:
    ground = GROUNDS["advanced-quickfire"]
    start = ground.start(True)
    session = Session.begin(ground.system, start)
    blue, red = ground.blue[0], ground.red[0]
    session.enter("roll 9 3")
    session.enter("next")
    session.enter(f"fire {blue} heavy {red} long 1 5")
    asked = [owed.cell for owed in session.battle.owed if owed.cell]
    assert asked
    heard = build_session_baseline(session)
    assert not {tuple(cell) for cell in asked} & heard.lookups[-1].decided


EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
SOME = settings(max_examples=settings().max_examples // 2)


def replay_every_entry(baseline: Baseline, variant: Variant) -> Verdict:
    """Replay a reading that decides every entry, whatever the entry looks up."""
    with patch.object(Variant, "is_relevant", lambda self, lookups: True):
        return replay(baseline, variant)


@EACH_JUDGED
@pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.long)])
def test_an_entry_that_looks_up_nothing_changed_is_rightly_skipped(
    name: str, orders: int | None, each: int
) -> None:
    """Try every third switch; the long profile tries all."""
    system, timeline = load_golden(name, orders)
    baseline = build_baseline(system, timeline)
    for variant in list_switches(baseline)[::each]:
        assert replay(baseline, variant) == replay_every_entry(baseline, variant)


@EACH
@SOME
@given(data=st.data())
def test_a_replay_without_a_change_gives_the_same_battle_and_skips_rightly(
    ground: Ground, data: st.DataObject
) -> None:
    timeline = data.draw(draw_corrected(ground)).timeline
    baseline = build_baseline(ground.system, timeline)
    assert not baseline.differs
    assert baseline.battles[-1] == timeline.battle
    variant = data.draw(st.sampled_from(list_switches(baseline)))
    found = replay(baseline, variant)
    event(f"changes: {bool(found.changed)}, forks: {bool(found.owed)}")
    assert found == replay_every_entry(baseline, variant)
    for cell in find_cells(baseline).cells[:3]:
        for beside in cell.neighbours:
            tried = build_cell_variant(baseline, cell.place, beside.text)
            by_cell = replay(baseline, tried)
            assert by_cell == replay_every_entry(baseline, tried)
            event(f"a cell changes: {bool(by_cell.changed)}")


FIRE = Mark("4/fires/1", "fires", "F", turn=1)
ROLL = Owed("4/explosion/rook/1", "explosion", "rook", "explosion of Rook", (Die(12),))
DONE = Act(1, "gunnery", "fired", "rook")


def build_battle(*marks: Mark, owed: tuple[Owed, ...] = (ROLL,), done: tuple[Act, ...] = (DONE,)) -> Battle:
    start = build_two_a_side()
    ships = {**start.ships, "rook": evolve(start.ships["rook"], marks=marks)}
    return evolve(start, ships=ships, owed=owed, acts=done)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (build_battle(evolve(FIRE, id="9/fires/1")), True),
        (build_battle(evolve(FIRE, turn=3)), True),
        (build_battle(FIRE, evolve(FIRE, id="2/fires/1", lifted=True)), True),
        (build_battle(FIRE, owed=(evolve(ROLL, key="9/explosion/rook/1"),)), True),
        (build_battle(FIRE, done=(DONE, evolve(DONE, ship="crow"))), True),
        (build_battle(), False),
        (build_battle(evolve(FIRE, until=7)), False),
        (build_battle(evolve(FIRE, text="heavy")), False),
        (build_battle(FIRE, owed=(evolve(ROLL, late=True),)), False),
        (build_battle(FIRE, owed=(evolve(ROLL, faces=(3,)),)), False),
        (build_battle(FIRE, owed=(evolve(ROLL, facts={"hits": 2}),)), False),
        (build_battle(FIRE, done=()), False),
        (build_battle(FIRE, done=(DONE, evolve(DONE, ship=""))), False),
    ],
)
def test_states_that_rolls_cannot_distinguish_have_one_key(other: Battle, same: bool) -> None:
    before = evolve(build_battle(), acts=())
    kept = build_battle(FIRE).ships["rook"].card
    like, another = (
        StateKeys(before, ("rook",)).build_key(
            evolve(one, ships={**one.ships, "rook": evolve(one.ships["rook"], card=kept)})
        )
        for one in (build_battle(FIRE), other)
    )
    assert (like == another) is same
