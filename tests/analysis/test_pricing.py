"""What is owed is priced ship by ship, states that are alike as one: that is all faces of all dice."""

import pytest

from qf_tui.analysis import pricing
from qf_tui.analysis.pricing import Pricer, is_consequence, price
from qf_tui.core.declarations import Worth, WorthPart
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Ship
from tests.analysis.battles import EACH_OPENING, golden, worths_of
from tests.analysis.by_chance import Chance
from tests.analysis.by_force import ByForce, TooManyThrows
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.long import Share

EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
FEW, MANY = 1, 200


def owing(timeline: Timeline) -> list[Battle]:
    """The battles between the entries of a timeline in which something is owed that is priced."""
    between = map(timeline.battle_at, range(len(timeline.play_order) + 1))
    return [battle for battle in between if any(map(is_consequence, battle.owed))]


def _is_all_faces(ground: Ground, timeline: Timeline) -> int:
    """How many battles of a timeline were compared with all that is owed rolled on the whole battle."""
    worth, compared = worths_of(ground.system)["everything"], 0
    for battle in owing(timeline)[:6]:
        try:
            expected = ByForce(ground.system, worth, 400).values(battle)
        except TooManyThrows:
            continue
        assert tuple(price(ground.system, worth, battle).values()) == pytest.approx(expected, abs=1e-9)
        compared += 1
    return compared


@EACH
@pytest.mark.parametrize("battles", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_price_is_the_mean_over_all_faces_of_all_that_is_owed(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    """Catches ships priced apart whose rolls reach each other, states taken for alike, and what follows."""
    compared = 0
    for battle in share.of(range(seed, seed + battles)):
        played = Chance(ground, battle)
        timeline = played.battle(40, strict=battle % 5 == 4, rare=battle % 2 == 1)
        compared += _is_all_faces(ground, timeline)
        compared += _is_all_faces(ground, played.corrected(25, 4))
    assert compared > battle - seed


@EACH_OPENING
def test_what_was_found_before_changes_no_price(name: str, orders: int | None) -> None:
    system, timeline = golden(name, orders)
    pricer = Pricer(system, system.worth)
    for battle in owing(timeline)[:40]:
        assert pricer.values(battle) == tuple(price(system, system.worth, battle).values())


@pytest.mark.parametrize(("most", "again"), [(pricing.KNOWN_MOST, False), (0, True)])
def test_states_are_forgotten_before_they_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, most: int, again: bool
) -> None:
    """Catches a ship with twenty fires, by hand, whose states took sixteen gigabytes."""
    monkeypatch.setattr(pricing, "KNOWN_MOST", most)
    system, timeline = golden("yellow-sea-1904")
    worked_out = 0

    def counted(ship: Ship) -> float:
        nonlocal worked_out
        worked_out += 1
        return 0.0

    battle = owing(timeline)[0]
    pricer = Pricer(system, Worth((WorthPart("count", "each", 1, counted),)))
    pricer.values(battle)
    first, worked_out = worked_out, 0
    pricer.values(battle)
    assert (worked_out == first) is again


def test_nothing_owed_is_the_worth_as_it_stands() -> None:
    system, timeline = golden("yellow-sea-1904")
    battle = timeline.start
    sides = {side.id: system.worth.of_side(battle, side.id) for side in battle.sides}
    assert price(system, system.worth, battle) == pytest.approx(sides)
