"""A log whose rules have been mended since: its records stand until a correction itself touches them."""

import pytest

from qf_tui.core.system import PreparedOrder
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle, Owed
from tests.core.playing import revise, shooting
from tests.tiny import D6, Tiny


class Milder(Tiny):
    """Tiny as mended: no blaze sets a ship on fire any more."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line != "blaze":
            return super().prepare_roll(battle, owed)
        return PreparedOrder(dice=(D6,), missing=lambda faces: () if faces else (D6,))


MILDER = Milder()
BURNING = shooting("shoot ant cat 1 6", "roll 5", "shoot bee dog 1 6", "roll 5", "note x")


def fires(battle: Battle) -> dict[str, int]:
    """Fires by ship, where there are any."""
    return {id: len(ship.live("fires")) for id, ship in battle.ships.items() if ship.live("fires")}


def test_a_log_is_read_with_the_results_that_it_recorded() -> None:
    assert fires(opened(BURNING.start, BURNING.log).battle) == {"cat": 1, "dog": 1}


def test_what_only_the_rules_change_keeps_its_record_and_is_named() -> None:
    revision = revise(BURNING, "insert 1 note remembered", system=MILDER)
    assert revision.consequences.rules_differ == (3, 5)
    assert revision.consequences.reread == ()
    assert fires(revision.after.battle) == {"cat": 1, "dog": 1}


def test_what_the_correction_itself_changes_is_decided_by_the_rules_of_today() -> None:
    missed = revise(BURNING, "amend 2 6", system=MILDER)
    assert missed.consequences.spare == (3,)
    assert missed.consequences.rules_differ == (5,)
    hit = revise(missed.after, "amend 2 1 6", system=MILDER)
    assert fires(hit.after.battle) == {"dog": 1}


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("amend 2 6", "undo"),
        ("amend 2 6", "strike 7"),
        ("strike 2", "restore 2"),
        ("strike 3", "redo"),
        ("shift 4 after 1", "undo"),
        ("undo 4", "redo 4"),
    ],
)
def test_a_correction_taken_back_brings_the_records_back(there: str, back: str) -> None:
    corrected = revise(BURNING, there, system=MILDER).after
    assert fires(revise(corrected, back, system=MILDER).after.battle) == {"cat": 1, "dog": 1}
