"""Distances as they are shown, typed back, and stated in other measures (AQF-MV-1, AQF-SCA-4)."""

from fractions import Fraction

import pytest

from qf_tui.core.errors import OrderRefused
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.rules.quickfire_family.game import in_unit
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship, to_phase
from tests.rules.playing import allowed, drawn, reasons, refusal, values, written


def sailing(*orders: str, speed: float = 6.75, scale: str = "medium", units: str = "in") -> Session:
    """Ajax in the movement phase."""
    start = battle(ship("ajax", speed=speed), ship("rook", "red"), phase="movement", scale=scale, units=units)
    return played(start, *orders)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("unit", "distance", "down", "up"),
    [
        ("in", "5.90625", "5⅞″", "6″"),
        ("in", "0.84375", "¾″", "⅞″"),
        ("in", "0", "0″", "0″"),
        ("in", "4.5", "4½″", "4½″"),
        ("in", "0.05", "0″", "⅛″"),
        ("mm", "152.3", "152 mm", "153 mm"),
        ("cm", "23.08", "23 cm", "23.1 cm"),
    ],
)
def test_distances_are_shown_rounded_down_and_least_ones_up(
    unit: str, distance: str, down: str, up: str
) -> None:
    """Catches a figure that is more than the ship can make, or a least one that is less than it must."""
    assert in_unit(unit, Fraction(distance)) == down
    assert in_unit(unit, Fraction(distance), up=True) == up


@pytest.mark.clause("AQF-MV-1")
def test_the_card_rounds_as_the_grid_does_and_says_the_exact_figure_behind_it() -> None:
    """Catches a card that leads with a figure that no stick has, as 5.90625″, or hides it."""
    session = sailing("damage ajax S", "move ajax 7")
    assert drawn(session, "ajax", "speed") == "5⅞″"
    sheet = dict(SYSTEM.sheet(session.battle, session.battle.ships["ajax"]))
    assert "5⅞″of 6¾″, exactly 5.90625″" in written(sheet["speed"])
    assert written(sheet["moved"]) == "7 boxes, 5⅞″"


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("scale", "units"), [("medium", "in"), ("small", "in"), ("medium", "metric"), ("jumbo", "metric")]
)
@pytest.mark.parametrize("boxes", range(9))
def test_what_is_shown_of_any_number_of_boxes_means_that_number_when_it_is_typed(
    boxes: int, scale: str, units: str
) -> None:
    """Catches a figure of the console that is refused, or counts a box more."""
    shown = reasons(sailing(f"damage ajax{' S' * (8 - boxes)}" if boxes < 8 else "note full", scale=scale,
                            units=units), f"move ajax {boxes}")[0].text  # fmt: skip
    figure = shown.removeprefix("Ajax: ").split(",")[0].replace(" ", "")
    again = sailing(*[f"damage ajax{' S' * (8 - boxes)}"] * (boxes < 8), scale=scale, units=units)
    assert reasons(again, f"move ajax {figure}")[0].text == shown
    assert values(again, "ajax")["moved"] == boxes
    exactly = sailing(f"move ajax {boxes}", scale=scale, units=units).battle.ships["ajax"].log["distance"]
    assert again.battle.ships["ajax"].log["distance"] == exactly


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("typed", "boxes"),
    [("0.94in", 2), ("0.9in", 1), ("0.91in", 2), ("5.91in", 7), ("5.96in", 7), ("5.97in", 8), ("6.8in", 8)],
)
def test_a_sixteenth_above_whole_boxes_counts_as_those_boxes(typed: str, boxes: int) -> None:
    """Catches a tolerance that is too narrow, or too wide, at boxes of 0.84375″ (a sixteenth is 0.0625″)."""
    assert values(sailing(f"move ajax {typed}"), "ajax")["moved"] == boxes


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("units", "typed", "fine"),
    [
        ("in", "5.96in", True),
        ("in", "5.97in", False),
        ("metric", "150mm", True),
        ("metric", "150.4mm", True),
        ("metric", "150.6mm", False),
    ],
)
def test_a_limit_is_kept_within_the_tolerance(units: str, typed: str, fine: bool) -> None:
    """Catches the limit as it is shown refused, and one that gives away more than the tolerance."""
    session = sailing("damage ajax S", units=units)
    assert allowed(session, f"move ajax {typed}") is fine
    if fine:
        session.enter(f"move ajax {typed}")
        available = values(session, "ajax")["available_speed"]
        assert isinstance(available, float)
        went = Fraction(str(session.battle.ships["ajax"].log["distance"]))
        assert float(went) == pytest.approx(available, abs=1e-4)
    else:
        assert refusal(session, f"move ajax {typed}") == "AQF-MV-1"


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.clause("AQF-MV-4")
def test_the_limits_of_a_change_of_speed_can_be_typed_as_they_are_said() -> None:
    """Catches a least distance that is said rounded down, and refused when it is typed."""
    session = to_phase(sailing("move ajax 6"), "movement")
    with pytest.raises(OrderRefused) as refused:
        session.enter("move ajax 1")
    text = str(refused.value)
    assert "from last turn's 5″ it may go 2⅝″ to 6¾″, not ¾″" in text
    assert allowed(session, "move ajax 2⅝")
    session.enter("move ajax 2⅝")
    assert values(session, "ajax")["moved"] == 3


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(("typed", "said"), [("8", "6¾″"), ("5.97in", "5.97″")])
def test_a_distance_too_far_is_said_as_it_is_shown(typed: str, said: str) -> None:
    """Catches boxes said to a thousandth of an inch, and a distance that looks like its limit."""
    with pytest.raises(OrderRefused) as refused:
        sailing("damage ajax S").enter(f"move ajax {typed}")
    assert f"Ajax: {said} is more than the 5⅞″ available" in str(refused.value)


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.clause("AQF-GUN-13")
@pytest.mark.parametrize("move", ["4", "5⅞in", "5.88in"])
def test_half_of_a_speed_as_it_is_shown_may_be_fired_at(move: str) -> None:
    """Catches a small vessel that is fast only by the rounding of what was shown."""
    start = battle(ship("ajax"), craft("rook", speed=11.75), phase="movement")
    session = to_phase(played(start, f"move rook {move}"), "first-gunnery")
    assert allowed(session, "fire ajax heavy rook medium 12 12")


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.clause("AQF-GUN-13")
def test_a_refusal_says_which_movement_it_assumes() -> None:
    """Catches a vessel too fast to be hit by a movement that nobody entered and nobody is told of."""
    start = battle(ship("ajax"), craft("rook"), phase="movement")
    assumed, told = to_phase(played(start), "first-gunnery"), played(start, "move rook 8", "next")
    for session, words in ((assumed, ": assumed to have moved 8 boxes (8″)"), (told, "")):
        with pytest.raises(OrderRefused) as refused:
            session.enter("fire ajax heavy rook medium 5 12")
        assert str(refused.value) == f"Rook is too small and fast for heavy guns{words}"


@pytest.mark.clause("AQF-MV-1")
def test_an_opening_speed_is_assumed_before_anything_is_recorded() -> None:
    """Catches full speed where the scenario told another, and a first turn that is bound by it."""
    session = played(battle(ship("ajax", log={"opening": 3}), craft("rook"), phase="movement"))
    assert drawn(session, "ajax", "moved") == "3"
    assert allowed(session, "move ajax 8")
    to_phase(session, "movement")
    assert refusal(session, "move ajax 7") == "AQF-MV-4"
    assert allowed(session, "move ajax 6")


@pytest.mark.clause("AQF-MV-1")
@pytest.mark.parametrize(
    ("printed_for", "scale", "units", "full"),
    [
        ("small", "small", "in", "4½″"),
        ("small", "medium", "in", "5¾″"),
        ("large", "large", "metric", "11.2 cm"),
        ("medium", "small", "in", "3⅜″"),
    ],
)
def test_a_card_names_the_scale_that_its_speed_is_printed_for(
    printed_for: str, scale: str, units: str, full: str
) -> None:
    """Catches a log printed for another scale that has to be converted by hand: 4½″."""
    start = battle(ship("ajax", speed=4.5, speed_scale=printed_for), scale=scale, units=units)
    assert drawn(played(start), "ajax", "speed") == full


@pytest.mark.clause("AQF-SCA-4")
@pytest.mark.parametrize(
    ("scale", "units", "typed", "kept"),
    [
        ("medium", "in", "2cbl", "2.5in"),
        ("medium", "in", "2 cables", "2.5in"),
        ("medium", "in", "2000yd", "13in"),
        ("medium", "in", "2000yards", "13in"),
        ("medium", "in", "1nm", "13in"),
        ("medium", "in", "1.5km", "10.5in"),
        ("medium", "in", "1½km", "10.5in"),
        ("medium", "metric", "2000 yd", "326mm"),
        ("large", "metric", "2cbl", "10cm"),
        ("tiny", "in", "123yd", "0.39975in"),
    ],
)
def test_distances_in_the_measures_of_the_sea(scale: str, units: str, typed: str, kept: str) -> None:
    """Catches a measure of another scale, and one that the log keeps in no unit of the table."""
    session = played(battle(scale=scale, units=units))
    session.enter(f"fire ajax heavy rook {typed} 12 12")
    assert session.timeline.versions[1].order.resolved == f"fire ajax heavy rook {kept}"


@pytest.mark.clause("AQF-SCA-4")
def test_moves_and_torpedoes_take_the_measures_of_the_sea_too() -> None:
    """Catches a distance that only guns understand, and a die read as a range."""
    session = sailing("move ajax 2cbl")
    assert values(session, "ajax")["moved"] == 3
    torpedo = played(battle(phase="second-gunnery"))
    assert allowed(torpedo, "torpedo ajax rook 2cbl 12")
    assert refusal(torpedo, "torpedo ajax rook 1nm 12") == "AQF-TOR-1"


@pytest.mark.clause("AQF-SCA-4")
def test_every_scale_gives_its_line() -> None:
    """Catches a figure of the printed table that nobody can look up."""
    lines = {(scale.name, scale.unit): scale.figures for scale in SYSTEM.scales}
    assert lines["medium", "in"] == {
        "point blank": "0-4",
        "medium": "4-24",
        "long": "24-48",
        "torpedo": "1-4",
        "nm": "13",
        "cbl": "1¼",
        "1000yd": "6½",
        "km": "7",
    }
    assert lines["jumbo", "cm"]["cbl"] == "6.5"
    assert lines["small", "in"]["torpedo"] == "¾-3"
