"""The rules court: the text of a reading, and its branch, which has the same result."""

from itertools import islice
from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.revisions import list_value_changes
from qf_tui.core.timeline import State, build_timeline
from qf_tui.features.court.branch import make_branch
from qf_tui.features.court.court import (
    Baseline,
    Changed,
    Standing,
    Variant,
    Verdict,
    build_baseline,
    build_cell_variant,
    build_standing,
    find_cells,
    list_switch_values,
    list_switches,
    replay,
)
from qf_tui.features.court.document import format_short, format_verdict
from qf_tui.journal.saving import copy_save, write_save
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.corrections.scripts import build_two_a_side
from tests.features.report.battles import EACH_JUDGED, OPENING, load_golden
from tests.systems import find_our_systems, load_start

TOLD = Standing(State.STANDS, ("misses",))


@pytest.mark.parametrize(
    ("parked", "short"),
    [
        (2, "same end · 1 entry different · 2 orders refused"),
        (3, "unknown: 3 orders refused · same end · 1 entry different"),
    ],
)
def test_a_reading_is_uncertain_if_a_quarter_of_the_entries_is_refused(parked: int, short: str) -> None:
    timeline = build_timeline(build_two_a_side(), ())
    verdict = Verdict(
        Variant("refire_by", "ship"),
        changed=(Changed(8, TOLD, TOLD),),
        parked=tuple(range(1, parked + 1)),
        entries=11,
    )
    assert format_short(timeline, verdict) == short
    assert format_verdict(timeline, verdict).startswith("the end is unknown") is (parked == 3)


def save_golden(path: Path, name: str, orders: int | None = OPENING) -> Baseline:
    """Save a golden battle or its first orders, and build its baseline."""
    system, timeline = load_golden(name, orders)
    write_save(path, build_header(system, timeline.start), timeline.log)
    return build_baseline(system, timeline)


def make_reading_branch(save: Path, heard: Baseline, verdict: Verdict) -> Session:
    """Make the branch of a reading and read it."""
    to = save.with_name("branch.qfb")
    to.unlink(missing_ok=True)

    def copy() -> Path:
        copy_save(save, to)
        return to

    make_branch(heard.system, heard.timeline, verdict, copy)
    return Session.view(to, find_our_systems())


def check_branch(made: Session, heard: Baseline, verdict: Verdict) -> None:
    """Check that the branch has each entry as in the reading, up to where the reading stops."""
    order = heard.timeline.play_order[: verdict.entries]
    says = {one.entry: one.after for one in verdict.changed}
    for number in order:
        here = build_standing(made.timeline.rulings[number])
        if number in says:
            assert here == says[number], number
        elif number not in (*verdict.reworded, *verdict.overruled):
            assert here == build_standing(heard.timeline.rulings[number]), number
    if verdict.stopped_at is None:
        ships = list_value_changes(heard.system, heard.timeline.battle, made.battle)
        assert ships == verdict.ships
    else:
        owed = {owed.line for owed in made.battle.owed}
        assert {one.line for one in verdict.owed} <= owed


@EACH_JUDGED
@pytest.mark.parametrize("branches", [2, pytest.param(4, marks=pytest.mark.long)])
def test_the_branch_of_a_switch_has_the_result_of_its_reading(
    name: str, orders: int | None, branches: int, tmp_path: Path
) -> None:
    save = tmp_path / "battle.qfb"
    heard = save_golden(save, name, orders)
    before = save.read_bytes()
    readings = (replay(heard, variant) for variant in reversed(list_switches(heard)))
    changed = list(islice((one for one in readings if one.changed), branches))
    assert changed
    for verdict in changed:
        check_branch(make_reading_branch(save, heard, verdict), heard, verdict)
    assert save.read_bytes() == before


def test_a_branch_replaces_the_battle_s_own_setting_of_a_switch(tmp_path: Path) -> None:
    """Guard against a branch that returns to the battle's own switch on the way."""
    system, start = load_start("yellow-sea-1904")
    save = tmp_path / "battle.qfb"
    session = Session.begin(system, start, save)
    for order in ("option shared_edge longer", "note in between"):
        session.enter(order)
    session.close()
    heard = build_baseline(session.system, session.timeline)
    (variant,) = list_switch_values(heard, "shared_edge", "shorter")
    made = make_reading_branch(save, heard, replay(heard, variant))
    assert made.battle.options["shared_edge"] == "shorter"
    first, own = made.timeline.play_order[:2]
    assert {made.timeline.versions[number].order.text("value") for number in (first, own)} == {"shorter"}


@pytest.mark.parametrize("orders", [OPENING, pytest.param(None, marks=pytest.mark.long)])
def test_the_branch_of_a_cell_has_the_result_of_its_reading(orders: int | None, tmp_path: Path) -> None:
    save = tmp_path / "battle.qfb"
    heard = save_golden(save, "yellow-sea-1904", orders)
    for cell in find_cells(heard).cells[:6]:
        for beside in cell.neighbours:
            verdict = replay(heard, build_cell_variant(heard, cell.place, beside.text))
            if verdict.changed:
                check_branch(make_reading_branch(save, heard, verdict), heard, verdict)


def test_a_branch_never_overwrites_a_file(tmp_path: Path) -> None:
    save = tmp_path / "battle.qfb"
    heard = save_golden(save, "gq2-fourth-flotilla-1916")
    (variant,) = list_switch_values(heard, "spread", "die-each")
    with pytest.raises(QfError, match="this file exists already"):
        make_branch(heard.system, heard.timeline, replay(heard, variant), lambda: _copy_onto_itself(save))


def _copy_onto_itself(save: Path) -> Path:
    copy_save(save, save)
    return save
