"""Rules that the three Quickfire games share: phases, switches, own charts, measures."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.library.charts import load_overlay
from qf_tui.library.faults import FileFaults
from qf_tui.session import Session
from tests.rules import playing
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.playing import (
    Family,
    changed,
    draw_cell,
    format_cell,
    is_allowed,
    lay_cells,
    refusal,
    values,
    write_chart,
)
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone

AQF, QF, QFC = advanced.TABLES, quickfire.TABLES, clone.TABLES
EACH = pytest.mark.parametrize("family", [AQF, QF, QFC], ids=lambda family: family.system.name)


def played(family: Family, *orders: str, phase: str = "", **given: str) -> Session:
    """Play ajax and rook by the rules of one of the games."""
    return playing.played(family.system, family.battle(phase=phase, **given), *orders)


PHASES: Mapping[str, tuple[str, ...]] = {
    AQF.system.name: ("movement", "first-gunnery", "second-gunnery", "recurring", "repair", "sinking"),
    QF.system.name: ("movement", "gunnery", "recurring", "repair", "sinking"),
    QFC.system.name: ("move", "gunnery", "repair"),
}


@EACH
@pytest.mark.clause("AQF-PH-1", "QF-PH-1", "QFC-PH-1")
def test_a_turn_has_its_phases_in_their_order(family: Family) -> None:
    phases = PHASES[family.system.name]
    session, seen = played(family, phase=phases[0]), []
    for _ in range(len(phases) + 1):
        seen.append((session.battle.turn, session.battle.phase))
        session.enter("next")
    assert seen == [*((1, name) for name in phases), (2, phases[0])]


@pytest.mark.clause("AQF-PH-1", "AQF-REP-1", "QF-PH-1", "QFC-PH-1")
@pytest.mark.parametrize(
    ("family", "order", "phases"),
    [
        (AQF, "move ajax 4", ["movement"]),
        (AQF, "fire ajax heavy rook medium 1 1", ["first-gunnery", "second-gunnery"]),
        (AQF, "repair rook speed 5", ["repair"]),
        (QF, "move ajax 4", ["movement"]),
        (QF, "fire ajax heavy rook short 1 2 2", ["gunnery"]),
        (QF, "torpedo ajax rook in 2 2", ["gunnery"]),
        (QF, "boats ajax skiff 5", ["gunnery"]),
        (QF, "repair rook speed 3 3", ["repair"]),
        (QF, "repair rook torpedo 1 1", ["repair"]),
        (QFC, "move ajax 60mm", ["move"]),
        (QFC, "collide ajax rook 6 6", ["move"]),
        (QFC, "fire ajax heavy rook 100cm 1 6", ["gunnery"]),
        (QFC, "repair rook 4 4", ["repair"]),
    ],
)
def test_each_order_has_its_phase(family: Family, order: str, phases: list[str]) -> None:
    switches = {"advanced-quickfire": {"untried_refire": "yes"}, "quickfire": {"torpedo_regained": "yes"}}
    rook = family.ship("rook", "red", log={"speed_hits": 1, **({"torpedo": 1} if family is QF else {})})
    ships = (family.ship("ajax"), rook, *([family.craft("skiff")] if family.destroyer else []))
    for phase in PHASES[family.system.name]:
        session = playing.played(
            family.system, family.battle(*ships, phase=phase, **switches.get(family.system.name, {}))
        )
        assert is_allowed(session, order) is (phase in phases)
        if phase not in phases:
            assert refusal(session, order) == f"{next(iter(family.system.clauses)).partition('-')[0]}-PH-1"


@pytest.mark.clause("AQF-PH-2", "AQF-LOG-4", "QF-PH-2", "QFC-PH-2")
@pytest.mark.parametrize(
    ("family", "orders", "columns"),
    [
        (AQF, ["fire ajax heavy rook medium 12 11"], {"rof": "12(//)-12 10-12"}),
        (AQF, ["fire ajax heavy rook medium 12 11"], {"boxes": "(/)□□□□□□□ [x]□□□□□□□"}),
        (QF, ["fire ajax heavy rook short 5 2 2"], {"boxes": "(/)□□□□□□□ [x]□□□□□□□"}),
        (
            QFC,
            ["damage rook G S T F", "fire rook light ajax 100cm 6 6"],
            {
                "rof": "6(/)-6 5-6",
                "boxes": "(/)□□□□□□□ [x]□□□□□□□",
                "torpedo": "2(/) 1",
                "blast": "(F) F",
                "auto": "(x) [x]",
            },
        ),
    ],
)
def test_hits_are_slashes_until_their_phase_ends_and_crosses_afterwards(
    family: Family, orders: list[str], columns: dict[str, str]
) -> None:
    session = played(family, *orders)
    slashes = {name: draw_cell(session, "rook", name) for name in columns}
    session.enter("next")
    assert {name: f"{slashes[name]} {draw_cell(session, 'rook', name)}" for name in columns} == columns


SWITCHES = {
    AQF.system.name: {
        "shared_edge": ("AQF-SCA-2", "shorter", "longer"),
        "estimated_ranges": ("AQF-SCA-2", "yes", "no"),
        "untried_refire": ("AQF-PH-3", "no", "yes"),
        "refire_by": ("AQF-PH-3", "battery", "ship"),
        "aground": ("AQF-PH-8", "fights", "silent"),
        "initiative": ("AQF-PH-5", "simultaneous", "once", "each-turn"),
        "declare_first": ("AQF-GUN-1", "no", "yes"),
        "miss_by": ("AQF-GUN-3", "battery", "ship"),
        "below_lowest": ("AQF-GUN-5", "nothing", "raised"),
        "speed_by": ("AQF-MV-7", "used", "moved"),
        "speed_change": ("AQF-MV-4", "3", "2"),
        "zero_armor": ("AQF-GUN-6", "top-line", "as-half"),
        "one_roll": ("AQF-GUN-9", "no", "yes"),
        "light_armor_g": ("AQF-GUN-12", "heavy-next", "chain"),
        "small_fast_by": ("AQF-GUN-13", "printed", "available"),
        "overflow_first": ("AQF-DAM-12", "heavy", "light"),
        "light_s_overflow": ("AQF-GUN-14", "fire", "sx"),
        "explosion_s_overflow": ("AQF-GUN-14", "sx", "fire"),
        "boat_guns_in": ("AQF-BG-2", "one-phase", "each-phase"),
        "parallel": ("AQF-TOR-3", "apart", "converging"),
        "t_without_torpedoes": ("AQF-DAM-6", "nothing", "chain"),
        "chain_stops": ("AQF-DAM-9", "no", "yes"),
        "b_chain": ("AQF-DAM-13", "letter", "chain"),
        "explosion_dice": ("AQF-DAM-14", "1d12", "2d6"),
        "explosion_g": ("AQF-DAM-3", "in-turn", "goes-on", "both"),
        "sinking_at": ("AQF-SNK-1", "two-sx", "all-boxes"),
        "sx_check": ("AQF-REC-2", "11-12", "12"),
    },
    QF.system.name: {
        "aground": ("AQF-PH-8", "fights", "silent"),
        "gunnery_phases": ("QF-OPT-1", "1", "2", "3", "4"),
        "turning": ("QF-MV-2", "pivots", "templates"),
        "speed_change": ("QF-MV-1", "2", "3"),
        "speed_by": ("QF-MV-2", "used", "moved"),
        "shared_edge": ("QF-SCA-1", "shorter", "longer"),
        "estimated_ranges": ("QF-SCA-1", "yes", "no"),
        "zero_armor": ("QF-GUN-2", "top-line", "as-half"),
        "end_arc": ("QF-GUN-5", "gunnery", "rof"),
        "auto_shot": ("QF-GUN-6", "no", "yes"),
        "batteries": ("QF-GUN-7", "both", "one"),
        "one_roll": ("QF-GUN-7", "no", "yes"),
        "long_range": ("QF-GUN-8", "heavy", "both"),
        "small_fast_by": ("QF-GUN-9", "printed", "available", "never"),
        "blast_without_hit": ("QF-BLA-3", "no", "yes"),
        "overflow_first": ("QF-PH-2", "heavy", "light"),
        "light_g": ("QF-DAM-3", "boat_guns", "heavy"),
        "torpedo_least": ("QF-TOR-5", "none", "scale"),
        "direction_by": ("QF-DAM-2", "degrees", "full-turn"),
        "repair_spent": ("QF-REP-2", "always", "on-success"),
        "speed_added": ("QF-OPT-2", "0", "50", "60", "70", "80", "90", "100"),
        "range_guessing": ("QF-OPT-3", "no", "yes"),
        "even_rof": ("QF-OPT-4", "no", "yes"),
        "torpedo_regained": ("QF-OPT-5", "no", "yes"),
    },
    QFC.system.name: {
        "aground": ("AQF-PH-8", "fights", "silent"),
        "missed_estimate_spends": ("QFC-GUN-4", "no", "yes"),
        "collision_blast": ("QFC-COL-2", "no", "yes"),
        "fire_checks": ("QFC-REP-1", "each-fire", "each-ship"),
        "r_without_points": ("QFC-BLA-5", "nothing", "fire"),
        "small_fast_safe_from": ("QFC-RUL-1", "heavy", "light", "both"),
        "light_blast": ("QFC-RUL-2", "no", "yes"),
        "half_rounds": ("QFC-RUL-3", "down", "up"),
        "beyond_chart": ("QFC-RUL-4", "edge", "in-proportion"),
        "auto_shot_at_rof_0": ("QFC-RUL-5", "no", "yes"),
        "course_repaired_on": ("QFC-RUL-6", "2-7", "2-11"),
        "g_falls_on": ("QFC-RUL-7", "as-fired", "heavy"),
        "g_at_zero": ("QFC-RUL-7", "other", "nothing"),
        "explosion_g": ("QFC-RUL-7", "in-turn", "heavy"),
        "repair_point": ("QFC-RUL-8", "each-roll", "success"),
        "launches": ("QFC-RUL-9", "one", "one-a-target"),
        "torpedoes_beside_guns": ("QFC-RUL-9", "yes", "no"),
        "direction_die": ("QFC-RUL-9", "once", "each-turn"),
        "speed_loss_fire": ("QFC-RUL-9", "burns-on", "goes-out"),
        "below_size_1": ("QFC-RUL-10", "row-of-1", "no-roll"),
        "estimated_ranges": ("QFC-GUN-6", "yes", "no"),
        "armor_between": ("QFC-RUL-10", "lower", "higher"),
        "size_between": ("QFC-RUL-11", "lower", "higher"),
    },
}
"""Clause, default and other values by name. Tests of the clause show the effect of each value."""


@EACH
def test_the_switches_are_these_with_these_defaults(family: Family) -> None:
    options = family.system.options
    assert {option.name: (option.clause, *option.values) for option in options} == SWITCHES[
        family.system.name
    ]
    assert all(option.default == option.values[0] for option in options)


@EACH
def test_a_switch_takes_its_values_and_no_other(family: Family) -> None:
    session = played(family)
    for name, (_, *texts) in SWITCHES[family.system.name].items():
        for text in texts:
            session.enter(f"option {name} {text}")
            assert session.battle.options[name] == text
        assert refusal(session, f"option {name} perhaps") == ""


NAMED = [
    (AQF, {}, "second-gunnery", (), "fire ajax heavy rook medium 5 5", "untried_refire"),
    (
        AQF,
        {"refire_by": "ship"},
        "first-gunnery",
        ("fire ajax light rook medium 5 5", "next"),
        "fire ajax heavy rook medium 5 5",
        "refire_by",
    ),
    (AQF, {}, "first-gunnery", ("boats ajax skiff 3", "next"), "boats ajax skiff 3", "boat_guns_in"),
    (AQF, {"initiative": "once"}, "movement", ("roll 9 3",), "move rook 4", "initiative"),
    (AQF, {"initiative": "once"}, "movement", ("roll 9 3", "force move rook 4"), "move ajax 4", "initiative"),
    (AQF, {}, "first-gunnery", (), "fire ajax heavy skiff medium 5 5", "small_fast_by"),
    (AQF, {}, "first-gunnery", (), "fire ajax light rook long 5 5", ""),
    (AQF, {}, "second-gunnery", (), "torpedo ajax rook 0.5in 1 1", ""),
    (QF, {}, "gunnery", (), "fire ajax light rook long 5 2 2", "long_range"),
    (QF, {}, "gunnery", (), "fire ajax heavy skiff short 5 2 2", "small_fast_by"),
    (QF, {"torpedo_least": "scale"}, "gunnery", (), "torpedo ajax rook 0.5in 1 1", "torpedo_least"),
    (QF, {"torpedo_least": "scale"}, "gunnery", (), "torpedo ajax rook 5in 1 1", ""),
    (
        QF,
        {"batteries": "one"},
        "gunnery",
        ("fire ajax light rook short 5 2 2",),
        "fire ajax heavy rook short 5 2 2",
        "batteries",
    ),
]


@pytest.mark.parametrize(("family", "switches", "phase", "before", "order", "switch"), NAMED)
def test_a_refusal_names_the_switch_that_would_allow_the_order(
    family: Family,
    switches: Mapping[str, str],
    phase: str,
    before: tuple[str, ...],
    order: str,
    switch: str,
) -> None:
    ships = (family.ship("ajax"), family.ship("rook", "red"), family.craft("skiff"))
    session = playing.played(family.system, family.battle(*ships, phase=phase, **switches), *before)
    (finding,) = session.preview_order(order).findings
    assert ("(switch" in finding.text) is bool(switch)
    assert not switch or f"(switch {switch})" in finding.text


def test_every_ruling_of_quickfire_clone_is_a_switch() -> None:
    rulings = {clause for clause in QFC.system.clauses if clause.startswith("QFC-RUL-")}
    assert rulings <= {clause for clause, *_ in SWITCHES[QFC.system.name].values()}
    assert len(rulings) == 11


@pytest.mark.clause("AQF-CHA-2", "QF-CHA-2")
@pytest.mark.parametrize(
    ("family", "table", "row", "column", "text"),
    [
        (AQF, "battery", "200", "1", "4"),
        (AQF, "battery", "two", "1", "1"),
        (AQF, "blast", "long", "5", "Q"),
        (AQF, "blast", "long", "5", "fix"),
        (AQF, "blast", "long", "25", "F"),
        (AQF, "blast", "far", "5", "F"),
        (AQF, "damage", "explosion", "13", "F"),
        (AQF, "damage", "explosion", "1", "H"),
        (AQF, "damage", "implosion", "1", "F"),
        (AQF, "sinking", "sinks-on", "2", "13"),
        (QF, "battery", "125", "total", "13"),
        (QF, "battery", "often", "total", "7"),
        (QF, "hits", "hits", "4", "9"),
        (QF, "blast", "long", "3", "SX"),
        (QF, "blast", "long", "3", "out"),
        (QF, "blast", "medium", "3", "F"),
        (QF, "blast", "long", "99", "F"),
        (QF, "damage", "explosion", "2", "B"),
        (QF, "torpedo", "moving", "4", "G"),
        (QF, "boat-guns", "boat-guns", "7", "G"),
        (QF, "sinking", "sinks-on", "11+", "x"),
        (QFC, "gunnery", "8", "10", "7"),
        (QFC, "gunnery", "-1", "10", "4"),
        (QFC, "gunnery", "8", "ten", "4"),
        (QFC, "blast", "far", "3", "F"),
        (QFC, "blast", "long", "3", "SX"),
        (QFC, "blast", "long", "13", "F"),
        (QFC, "damage", "explosion", "2-13", "G"),
        (QFC, "damage", "explosion", "7-2", "G"),
        (QFC, "damage", "explosion", "2-", "G"),
        (QFC, "direction", "course", "1-2", "left about"),
        (QFC, "torpedo", "moving", "1", "19"),
        (QFC, "repair", "repair", "2-7", "G or T"),
        (QFC, "sinking", "sinks-on", "1", "13"),
    ],
)
def test_a_chart_with_faults_is_refused_on_loading(
    tmp_path: Path, family: Family, table: str, row: str, column: str, text: str
) -> None:
    path = write_chart(family.system, tmp_path, format_cell(table, row, column, text))
    with pytest.raises(FileFaults):
        load_overlay(path, family.system)


@pytest.mark.clause("QF-CHA-2", "QF-SNK-1")
@pytest.mark.parametrize("family", [QF, QFC], ids=lambda family: family.system.name)
def test_no_ship_sinks_if_the_umpires_chart_drops_the_sinking_row(family: Family) -> None:
    lost = family.ship("rook", "red", log={"speed_hits": 8})
    start = lay_cells(family.battle(family.ship("ajax"), lost, phase="repair"), "sinking", "sinks-on", {})
    assert playing.result(playing.played(family.system, start, "next"), "roll 1 1") == {"sunk": False}


@pytest.mark.clause("AQF-MV-1", "QF-MV-1")
@pytest.mark.parametrize(
    ("family", "units", "typed", "fine"),
    [
        (AQF, "in", "5.96in", True),
        (AQF, "in", "5.97in", False),
        (AQF, "metric", "150mm", True),
        (AQF, "metric", "150.4mm", True),
        (AQF, "metric", "150.6mm", False),
        (QF, "in", "5⅞in", True),
        (QF, "in", "5.91in", True),
        (QF, "in", "5.97in", False),
    ],
)
def test_a_limit_is_kept_within_the_tolerance(family: Family, units: str, typed: str, fine: bool) -> None:
    ajax = family.ship("ajax", speed=6.75, log={"speed_hits": 1})
    start = family.battle(ajax, family.ship("rook", "red"), phase="movement", units=units)
    session = playing.played(family.system, start)
    assert is_allowed(session, f"move ajax {typed}") is fine
    if fine:
        assert changed(session, f"move ajax {typed}", "ajax") == {"moved": 7}
        available = values(session, "ajax")["available_speed"]
        assert isinstance(available, float)
        went = Fraction(str(session.battle.ships["ajax"].log["distance"]))
        assert float(went) == pytest.approx(available, abs=1e-4)
    else:
        assert refusal(session, f"move ajax {typed}") in {"AQF-MV-1", "QF-MV-1"}


@pytest.mark.clause("AQF-SCA-4", "QF-SCA-1")
@pytest.mark.parametrize(
    ("family", "scale", "units", "typed", "kept"),
    [
        (AQF, "medium", "in", "2cbl", "2.5in"),
        (AQF, "medium", "in", "2 cables", "2.5in"),
        (AQF, "medium", "in", "2000yd", "13in"),
        (AQF, "medium", "in", "2000yards", "13in"),
        (AQF, "medium", "in", "1nm", "13in"),
        (AQF, "medium", "in", "1.5km", "10.5in"),
        (AQF, "medium", "in", "1½km", "10.5in"),
        (AQF, "medium", "metric", "2000 yd", "326mm"),
        (AQF, "large", "metric", "2cbl", "10cm"),
        (AQF, "tiny", "in", "123yd", "0.39975in"),
        (QF, "old-small", "in", "1nm", "13in"),
        (QF, "old-large", "in", "1nm", "26in"),
    ],
)
def test_distances_in_the_measures_of_the_sea(
    family: Family, scale: str, units: str, typed: str, kept: str
) -> None:
    session = played(family, f"fire ajax heavy rook {typed}", scale=scale, units=units)
    assert session.timeline.versions[1].order.resolved == f"fire ajax heavy rook {kept}"


@pytest.mark.clause("AQF-SCA-4", "QF-SCA-1")
def test_every_scale_gives_its_line() -> None:
    lines = {(scale.name, scale.unit): scale.figures for scale in AQF.system.scales}
    assert list(lines["medium", "in"].values()) == ["0-4", "4-24", "24-48", "1-4", "13", "1¼", "6½", "7"]
    assert lines["jumbo", "cm"]["cbl"] == "6.5"
    assert lines["small", "in"]["torpedo"] == "¾-3"
    figures = {(one.name, one.unit): one.figures for one in QF.system.scales}
    assert figures["old-small", "in"]["short"] == "4-24"


@pytest.mark.clause("AQF-PH-2", "QFC-PH-2")
@pytest.mark.parametrize(
    ("family", "rof", "first", "answer", "gone"),
    [
        (AQF, (1, 12), "fire rook heavy ajax medium 12 1", "fire ajax heavy rook medium 1 1", "AQF-GUN-2"),
        (QFC, (1, 6), "fire rook heavy ajax 130cm 4 3", "fire ajax heavy rook 130cm 1 3", "QFC-RUL-5"),
    ],
)
def test_a_battery_knocked_out_in_this_phase_still_fires_in_it(
    family: Family, rof: tuple[int, int], first: str, answer: str, gone: str
) -> None:
    log = {"auto_shot": True} if family is QFC else {}
    start = family.battle(family.ship("ajax", rof=rof, log=log), family.ship("rook", "red"))
    session = playing.played(family.system, start, first)
    assert values(session, "ajax")["rof_heavy"] == 0
    assert is_allowed(session, answer)
    while session.battle.owed or "gunnery" not in session.battle.phase or session.battle.opened < 2:
        session.enter("roll 4 4" if session.battle.owed else "next")
    assert gone in playing.list_clauses(session, answer)


@pytest.mark.clause("AQF-PH-2", "QFC-PH-2")
@pytest.mark.parametrize(
    ("family", "mark", "shot", "clause", "column", "cell"),
    [
        (AQF, "boat_guns -1", "fire ajax heavy rook medium 1 1", "AQF-GUN-2", "boats", "2"),
        (QFC, "auto_shot yes", "fire ajax heavy rook 100cm 1 6", "QFC-RUL-5", "auto", "[x]"),
    ],
)
def test_a_hand_entry_counts_at_once(
    family: Family, mark: str, shot: str, clause: str, column: str, cell: str
) -> None:
    session = played(family, "mark ajax rof_heavy 0", f"mark ajax {mark}")
    assert refusal(session, shot) == clause
    assert draw_cell(session, "ajax", "rof").startswith("0-")
    assert draw_cell(session, "ajax", column) == cell


@pytest.mark.clause("AQF-BG-1", "AQF-GUN-9", "AQF-TOR-1", "QF-GUN-7")
@pytest.mark.parametrize(
    ("family", "phase", "attack", "dice", "what", "after"),
    [
        (AQF, "first-gunnery", "fire ajax heavy rook long", "12 12", "heavy battery is", "has fired in this"),
        (
            AQF,
            "first-gunnery",
            "boats ajax skiff dice 1",
            "4",
            "boat guns at Skiff are",
            "have fired at Skiff in this",
        ),
        (
            AQF,
            "second-gunnery",
            "torpedo ajax rook in",
            "12",
            "torpedo attack is",
            "has launched at a target",
        ),
        (QF, "gunnery", "fire ajax heavy rook short", "1 6 6", "heavy battery is", "has fired in this"),
    ],
)
def test_a_declared_attack_is_reported_as_declared_not_as_made(
    family: Family, phase: str, attack: str, dice: str, what: str, after: str
) -> None:
    ships = family.ship("ajax"), family.ship("rook", "red"), family.craft("skiff")
    session = playing.played(family.system, family.battle(*ships, phase=phase), attack)
    declared = session.preview_order(attack).findings[0].text
    assert declared == f"Ajax's {what} declared already: roll the dice, or amend entry 1"
    session.enter(f"roll {dice}")
    assert after in session.preview_order(attack).findings[0].text


STRIKES = pytest.mark.parametrize(
    ("family", "launch", "strike", "miss"),
    [(QF, "torpedo ajax rook in", "1 1", "6 6"), (QFC, "torpedo ajax rook 20cm", "1 1 1", "6 6 6")],
    ids=["quickfire", "quickfire-clone"],
)


@pytest.mark.clause("QF-TOR-1", "QFC-TOR-1", "QFC-TOR-2")
@STRIKES
def test_the_outcome_of_an_attack_has_neither_points_nor_sx(
    family: Family, launch: str, strike: str, miss: str
) -> None:
    for dice, struck in ((strike, True), (miss, False)):
        told = playing.result(played(family), f"{launch} {dice}")
        assert told == {"struck": struck, "points": None, "sx": None}
    session = played(family, launch)
    assert playing.owed(session) == ["torpedo ajax"]
    assert refusal(session, "roll 1") == ""
    session.enter(f"roll {strike}")
    assert playing.owed(session) == ["speed-hits rook"]


@pytest.mark.clause("QF-TOR-3", "QFC-TOR-3")
@pytest.mark.parametrize("die", [1, 4, 6])
@STRIKES
def test_a_strike_costs_as_many_s_as_a_die_shows(
    family: Family, launch: str, strike: str, miss: str, die: int
) -> None:
    session = played(family, f"{launch} {strike}")
    assert playing.question(session, "speed-hits").prompt == "S hits of a torpedo on Rook"
    box = {"quickfire": 1, "quickfire-clone": 15}[family.system.name]
    assert changed(session, f"roll {die}") == {"speed_hits": die, "available_speed": (8 - die) * box}


@pytest.mark.clause("QF-PH-2", "QF-OPT-1", "QFC-PH-2")
@pytest.mark.parametrize(
    ("family", "switch", "shot", "dice"),
    [
        (QF, {"gunnery_phases": "2"}, "fire ajax heavy rook short", "4 6 6"),
        (QFC, {}, "fire ajax heavy rook 130cm", "4 6"),
    ],
)
def test_a_shot_carried_over_has_the_rof_of_its_own_phase(
    family: Family, switch: Mapping[str, str], shot: str, dice: str
) -> None:
    ajax = family.ship("ajax", rof=(4, 4), log={"auto_shot": True} if family is QFC else {})
    start = family.battle(ajax, family.ship("rook", "red"), **switch)
    session = playing.played(family.system, start, shot, "damage ajax G", "force next")
    assert values(session, "ajax")["rof_heavy"] == 3
    assert playing.result(session, f"roll {dice}")["fired"] is True
    if switch:
        assert playing.result(session, f"{shot} 4")["fired"] is False


@pytest.mark.clause("QF-TOR-1", "QF-TOR-2", "QFC-PH-2", "QFC-TOR-2")
@pytest.mark.parametrize(
    ("family", "rating", "moves", "launch", "dice", "told"),
    [
        (QF, 4, ("1", "3"), "torpedo ajax rook in", "3 3", "torpedo rating 4, static target: 6≤6, a strike"),
        (
            QFC,
            2,
            ("20mm", "40mm"),
            "torpedo ajax rook 20cm",
            "1 2 2",
            "torpedo rating 2, static target: 5≤5, a strike",
        ),
    ],
)
def test_a_torpedo_carried_over_has_the_rating_and_motion_of_its_phase(
    family: Family, rating: int, moves: tuple[str, str], launch: str, dice: str, told: str
) -> None:
    ajax = family.ship("ajax", torpedo=rating)
    start = family.battle(ajax, family.ship("rook", "red"), phase=PHASES[family.system.name][0])
    session = playing.played(family.system, start, f"move rook {moves[0]}", "next", launch, "damage ajax T")
    while session.battle.turn == 1:
        session.enter("force next")
    session.enter(f"move rook {moves[1]}")
    assert playing.reasons(session, f"roll {dice}")[0].text == told
    assert playing.owed(session) == ["speed-hits rook"]
