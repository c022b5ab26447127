"""Stick files: a measured range gives the band, and all faults are reported at once (GQ2-CHA-2)."""

from pathlib import Path

import pytest

from qf_tui.cli import main
from qf_tui.core.decisions import with_overlay
from qf_tui.core.errors import OrderRefused
from qf_tui.core.values import Battle
from qf_tui.document.acts import format_ruling
from qf_tui.library.charts import load_overlay
from qf_tui.library.faults import FileFaults
from qf_tui.rules.gq2 import SYSTEM
from qf_tui.rules.gq2.charts import SHAPES
from qf_tui.session import Session
from tests.rules.gq2.tables import battle, join_reasons, played, ship
from tests.rules.playing import enter, reasons, refusal

STICKS = """
ruleset = "gq2"
title = "my sticks"
[[table]]
name = "stick"
[[table.row]]
name = "12"
cells = ["3", "3", "3", "3", "3", "3", "3", "3", "3", "3"]
[[table.row]]
name = "6"
cells = ["2", "2", "2", "2", "2", "2", "2", "2", "2", "-"]
[[table.row]]
name = "3-4"
cells = ["1", "1.5", "1", "1", "1", "1", "1", "1", "1", "1"]
[[table.row]]
name = "light"
cells = { "12" = "2", "7" = "4", "3" = "4" }
[[table]]
name = "penetration"
[[table.row]]
name = "12"
cells = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"]
[[table.row]]
name = "3-4"
cells = ["2", "1", "-", "-", "-", "-", "-", "-", "-", "-"]
"""


@pytest.fixture
def sticks(tmp_path: Path) -> Path:
    """Write a stick file as an umpire does."""
    path = tmp_path / "sticks.toml"
    path.write_text(STICKS, encoding="utf-8")
    return path


def lay_sticks(path: Path, start: Battle | None = None) -> Session:
    """Begin a battle and lay the file over it by an order (entry 1)."""
    return played(start or battle(), f"chart {path}")


@pytest.mark.clause("GQ2-CHA-2")
@pytest.mark.parametrize(
    ("order", "band"),
    [
        ("fire ajax 12 rook straddle 0.5in", 9),
        ("fire ajax 12 rook straddle 3in", 9),
        ("fire ajax 12 rook straddle 3.1in", 8),
        ("fire ajax 12 rook straddle 30in", 0),
        ("fire ajax 6 rook straddle 17.5in", 1),
        ("fire kobold 4 ajax straddle 2½in", 8),
        ("fire kobold 4 ajax straddle 2.6in", 7),
    ],
)
def test_a_measured_range_gives_the_band(sticks: Path, order: str, band: int) -> None:
    """Use the stick of the right calibre."""
    assert read_band(lay_sticks(sticks), order) == band


def read_band(session: Session, order: str) -> int:
    """Return the number that the white die of an order has to reach."""
    said = reasons(session, f"force {order} 9 9 9")[0].text
    return int("".join(sign for sign in said.split(",")[0][-2:] if sign.isdigit()))


@pytest.mark.clause("GQ2-CHA-2")
def test_a_stick_of_one_calibre_wins_over_one_that_spans_it(tmp_path: Path) -> None:
    """Fire a 4″ gun by its own stick, not by that of 3″ to 4″."""
    path = tmp_path / "sticks.toml"
    own = '[[table.row]]\nname = "4"\ncells = ["2", "2", "2", "2", "2", "2", "2", "2", "2", "2"]\n\n'
    path.write_text(STICKS.replace('[[table.row]]\nname = "light"', f'{own}[[table.row]]\nname = "light"'))
    assert read_band(lay_sticks(path), "fire kobold 4 ajax straddle 2in") == 9


@pytest.mark.clause("GQ2-CHA-2")
def test_a_range_that_no_stick_has_is_refused(sticks: Path) -> None:
    """Refuse a shot beyond its stick, and a range without a stick; convert a metric table."""
    assert read_band(lay_sticks(sticks, battle(units="metric")), "fire ajax 12 rook straddle 62mm") == 7
    session = lay_sticks(sticks)
    assert refusal(session, "fire ajax 12 rook straddle 31in") == "GQ2-CHA-2"
    assert refusal(session, "fire ajax 6 rook straddle 19in") == "GQ2-CHA-2"
    with pytest.raises(OrderRefused, match="no stick file for 6″: give the band, `straddle N`"):
        played(battle(), "fire ajax 6 rook straddle 10in")
    with pytest.raises(OrderRefused, match="no stick file for standard torpedoes"):
        lay_sticks(sticks, battle(phase="torpedo")).enter("torpedo ajax rook stick 5in")


@pytest.mark.clause("GQ2-CHA-2")
@pytest.mark.parametrize(("distance", "number"), [("2in", 12), ("6in", 7), ("6.1in", 3)])
def test_torpedoes_have_their_own_sticks(sticks: Path, distance: str, number: int) -> None:
    session = lay_sticks(sticks, battle(phase="torpedo"))
    said = join_reasons(session, f"torpedo kobold ajax stick {distance} 9")
    assert f"≤{number}," in said or f">{number}," in said
    assert refusal(session, "torpedo kobold ajax stick 11in") == "GQ2-CHA-2"


@pytest.mark.clause("GQ2-CHA-2")
def test_a_band_that_a_stick_lacks_is_never_read(sticks: Path) -> None:
    """Read no band of zero length for a ship alongside."""
    sticks.write_text(STICKS.replace('["3", "3", "3",', '["-", "0", "3",', 1), encoding="utf-8")
    assert read_band(lay_sticks(sticks), "fire ajax 12 rook straddle 0in") == 7


@pytest.mark.clause("GQ2-GUN-10")
@pytest.mark.parametrize(
    ("df", "order", "through"),
    [
        (12, "fire ajax 12 rook straddle 3in", True),
        (12, "fire ajax 12 rook straddle 4in", False),
        (12, "fire ajax 12 rook straddle 9", True),
        (12, "fire ajax 12 rook straddle 5 penetrates", True),
        (9, "fire ajax 12 rook straddle 3in he", True),
        (9.5, "fire ajax 12 rook straddle 3in he", False),
        (1, "fire ajax 6 rook straddle 3in", False),
    ],
)
def test_penetration_is_read_from_a_file_that_states_it(
    sticks: Path, df: float, order: str, through: bool
) -> None:
    """Check the edge of each band, HE, and the umpire's own word."""
    session = lay_sticks(
        sticks,
        battle(ship("ajax", battery=(("12 inch", 12, 99), ("6 inch", 6, 99))), ship("rook", "red", df=df)),
    )
    session.enter(f"force {order} 0 9 {2 if '0in' in order else 1}")
    asked = [owed for owed in session.battle.owed if owed.line == "critical"]
    assert asked[0].has("penetrated") is through


@pytest.mark.clause("GQ2-GUN-7")
@pytest.mark.parametrize(
    ("level", "df", "through"), [("df", 9, True), ("df", 10, False), ("band", 9, True), ("band", 9.1, False)]
)
def test_a_level_of_penetration_is_a_df_point_or_by_a_switch_a_band(
    sticks: Path, level: str, df: float, through: bool
) -> None:
    start = battle(
        ship("ajax", battery=(("main", 12, 99),)), ship("rook", "red", df=df), penetration_level=level
    )
    session = lay_sticks(sticks, start)
    assert session.preview_order("fire ajax main rook straddle 3in he").reminders == (), "the stick tells"
    session.enter("fire ajax main rook straddle 3in he 0 9 1")
    assert session.battle.owed[0].has("penetrated") is through


@pytest.mark.clause("GQ2-GUN-9")
@pytest.mark.parametrize(("inches", "through"), [(3, True), (2.5, False)])
def test_guns_below_three_inches_use_the_small_stick_a_step_worse(
    sticks: Path, inches: float, through: bool
) -> None:
    start = battle(ship("ajax", battery=(("small", inches, 9),)), ship("rook", "red", df=2))
    session = lay_sticks(sticks, start)
    session.enter("fire ajax small rook straddle 1in 0 9 1")
    assert session.battle.owed[0].has("penetrated") is through


@pytest.mark.clause("GQ2-CHA-2")
def test_a_correction_lays_another_stick(sticks: Path) -> None:
    session = lay_sticks(sticks)
    session.enter("fire ajax 12 rook straddle 4in 8 9 9")
    other = sticks.with_name("other.toml")
    other.write_text(STICKS.replace('cells = ["3", "3"', 'cells = ["1", "1"', 1), encoding="utf-8")
    told = session.enter(f"amend 1 chart {other}").consequences
    assert [(reread.entry, format_ruling(reread.now)) for reread in told.reread] == [
        (2, "white 8>7, misses Rook")
    ]


def test_the_rules_have_no_sticks_and_a_scenario_may_name_a_file(sticks: Path) -> None:
    assert not {"stick", "penetration"} & set(battle().charts)
    overlay = load_overlay(sticks, SYSTEM)
    assert set(overlay) <= set(SHAPES)
    assert with_overlay(battle().charts, overlay)["stick"].rows["12"].cells["9"].text == "3"


@pytest.mark.clause("GQ2-CHA-2")
def test_a_stick_file_is_checked_with_all_faults_at_once(
    sticks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(sticks)]) == 0
    assert "no faults" in capsys.readouterr().out
    text = STICKS.replace('["3", "3",', '["3", "near",', 1).replace('name = "6"', 'name = "six"')
    text = text.replace('"12" = "2"', '"25" = "2"').replace('"penetration"', '"penetrates"')
    bad = sticks.with_name("bad.toml")
    bad.write_text(text.replace('["1", "1.5", "1",', '["1", "1.5",'), encoding="utf-8")
    assert main(["check", str(bad)]) == 1
    told = capsys.readouterr().out
    assert "5 faults" in told
    for part in (
        "row 1 (12), cells.8: “near”: expected the band's length in inches",
        "“six”: expected a calibre in inches, like `12`, or a range",
        "expected 10, one for each column, found 9",
        "“25”: expected a band's number",
        "no table “penetrates”",
    ):
        assert part in told
    with pytest.raises(FileFaults):
        load_overlay(bad, SYSTEM)


@pytest.mark.clause("GQ2-GUN-4")
@pytest.mark.parametrize(
    ("line", "of_row", "red", "blue"),
    [
        ("", "", (9, 7), (2, 0)),
        ("red = [9, 8]\nblue = [3, 0]\n", "", (9, 8), (3, 0)),
        ("", "red = [9, 6]\n", (9, 6), (2, 0)),
        ("red = [9, 8]\n", "red = [9, 6]\nblue = [1, 0]\n", (9, 6), (1, 0)),
    ],
)
def test_a_stick_file_may_state_its_own_red_and_blue_bands(
    tmp_path: Path, line: str, of_row: str, red: tuple[int, int], blue: tuple[int, int]
) -> None:
    """Play a red zone of 9 and 8 not as 9 to 7."""
    path = tmp_path / "sticks.toml"
    text = STICKS.replace('title = "my sticks"\n', f'title = "my sticks"\n{line}')
    path.write_text(
        text.replace('name = "12"\ncells = ["3"', f'name = "12"\n{of_row}cells = ["3"'), encoding="utf-8"
    )
    assert main(["check", str(path)]) == 0
    for band in range(10):
        session = lay_sticks(path)
        said = join_reasons(session, f"fire ajax 12 rook straddle {band} 0 3 3")
        assert ("red 3, row 2" in said) is (red[1] <= band <= red[0]), band
        assert ("blue 3, row 2" in said) is (blue[1] <= band <= blue[0]), band
    near = enter(lay_sticks(path), "option rapid_bands red")
    told = near.preview_order(f"fire ajax 12 rook straddle {red[1] - 1} rapid").findings
    assert f"{red[0]} to {red[1]}" in told[0].text
    assert near.preview_order(f"fire ajax 12 rook straddle {red[1]} rapid").fine
    assert read_band(lay_sticks(path), "fire ajax 12 rook straddle 5in") == 8, "the colours are no bands"


@pytest.mark.clause("GQ2-GUN-4")
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("red = [7, 9]", "the larger number first"),
        ("red = [9]", "red"),
        ("red = [9, 2.5]", "red"),
        ("red = [12, 9]", "red"),
    ],
)
def test_wrong_bands_are_reported_with_their_place(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "sticks.toml"
    path.write_text(STICKS.replace('title = "my sticks"', line), encoding="utf-8")
    with pytest.raises(FileFaults, match=fault):
        load_overlay(path, SYSTEM)
    path.write_text(f'ruleset = "gq2"\n{line}\n{STICKS[STICKS.rindex("[[table]]") :]}', encoding="utf-8")
    with pytest.raises(FileFaults, match="red"):
        load_overlay(path, SYSTEM)


@pytest.mark.clause("GQ2-CHA-2")
@pytest.mark.parametrize(
    ("order", "resolved"),
    [
        ("fire ajax 12 rook 4in he 0 3 3", "fire ajax 12-inch rook straddle 4in he"),
        ("fire ajax 12 rook he 4 in 0 3 3", "fire ajax 12-inch rook straddle 4in he"),
        ("fire ajax 12 rook low 1 3.5″", "fire ajax 12-inch rook straddle 3.5in low 1"),
    ],
)
def test_a_measured_range_needs_no_keyword(sticks: Path, order: str, resolved: str) -> None:
    """Type the range alone, as in every other system."""
    assert lay_sticks(sticks).preview_order(order).resolved == resolved
