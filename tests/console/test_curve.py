"""The curve in block letters: its width, its zero, and the turning point under its phase."""

import pytest

from qf_tui.document.text import MARGIN, tall_curve
from qf_tui.document.values import Curve, CurvePoint


def curve(*values: float, turning: int | None = None, phases: int = 2) -> Curve:
    points = tuple(
        CurvePoint(at // phases + 1, f"phase {at % phases}", (1.0, 1.0), value, value / 2, 0.0)
        for at, value in enumerate(values)
    )
    return Curve(("Blue", "Red"), points, turning, "Blue gains", "Red gains", "points")


def drawn(given: Curve, width: int = 60, high: int = 4) -> list[str]:
    return [line.text for line in tall_curve(given, width, high)]


@pytest.mark.parametrize("width", [20, 60, 200])
@pytest.mark.parametrize("count", [1, 7, 60, 1000])
def test_it_keeps_to_its_width_and_height(width: int, count: int) -> None:
    lines = drawn(curve(*((-1) ** at * at for at in range(count)), turning=count // 2), width)
    charts = [line for line in lines if line[MARGIN:].strip("▁▂▃▄▅▆▇█▔▀ ") == "" and line[MARGIN:].strip()]
    assert max((len(line) for line in charts), default=0) <= width
    assert len(charts) <= 2 * 4
    assert sum("▲" in line for line in lines) == 1


def test_what_is_good_for_the_first_side_stands_above_the_line() -> None:
    lines = drawn(curve(4.0, 2.0, 0.0, -4.0), high=2)
    zero = next(at for at, line in enumerate(lines) if "───" in line)
    above, below = lines[zero - 1], lines[zero + 1]
    assert above[MARGIN:] == "███▄▄▄      "
    assert below[MARGIN:].rstrip() == "         ███"
    assert above.strip().startswith("+4.0")
    assert below.strip().startswith("-4.0")
    assert lines[zero].endswith(" -4.0")


def test_a_side_of_zero_that_is_empty_takes_no_line() -> None:
    lines = drawn(curve(1.0, 2.0, 3.0), high=3)
    assert not [line for line in lines if "▔" in line or "▀" in line]


@pytest.mark.parametrize("at", [0, 3, 7])
def test_the_turning_point_is_marked_under_its_phase(at: int) -> None:
    values = [0.1] * 8
    values[at] = 9.0
    lines = drawn(curve(*values, turning=at), high=2)
    mark = next(line for line in lines if "▲" in line)
    peak = next(line for line in lines if "█" in line)
    assert mark.index("▲") == peak.index("█", MARGIN)
    assert f"turn {at // 2 + 1}, phase {at % 2}" in mark


def test_turns_are_numbered_below_their_first_phase_where_there_is_room() -> None:
    lines = drawn(curve(*range(8)))
    assert lines[-1].split() == ["turn", "1", "2", "3", "4"]
    close = drawn(curve(*range(400), phases=1), width=30)[-1].split()[1:]
    assert close == sorted(close, key=int)
    assert len(close) < 10


def test_a_battle_in_which_nothing_was_gained_is_a_line() -> None:
    assert sum("───" in line for line in drawn(curve(0.0, 0.0, 0.0))) == 2
