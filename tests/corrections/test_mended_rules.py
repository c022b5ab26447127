"""Battles whose rules have been mended since they were played: what differs by the rules is told apart."""

import pytest
from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder, with_overlay
from qf_tui.core.system import PreparedOrder
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle, Chart, ChartCell, ChartRow, Charts, Order, Owed, Provenance
from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire
from tests.corrections.scripts import Follows, corrected, follows, played, two_a_side


def _one_cell(table: str, row: str, column: str, text: str) -> Charts:
    return {table: Chart(table, table, {row: ChartRow(row, {column: ChartCell(text, Provenance.OWN)})})}


class OtherCharts(AdvancedQuickfire):
    """The rules as mended: a white 3 at 200% misses, and a 5 puts a fire out."""

    mended = with_overlay(
        _one_cell("battery", "200", "3", "-"),
        _one_cell("damage", "fire-check", "5", "out"),
    )

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return super().prepare(self._on(battle), order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return super().prepare_roll(self._on(battle), owed)

    def _on(self, battle: Battle) -> Battle:
        return evolve(battle, charts=with_overlay(battle.charts, self.mended))


class Talkative(AdvancedQuickfire):
    """The rules as mended: ending a phase also says how many ships are afloat."""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        super().enter(battle, builder)
        builder.because(f"{sum(ship.afloat for ship in battle.ships.values())} ships afloat")


OLD = played(
    """
    1 fire ajax heavy rook long 3 3
    2 fire boyne heavy rival long 1 1
    3 roll 6
    4 fire rook heavy ajax long 4 4
    5 next
    6 next
    7 roll 5
    8 note the fire is at the after funnel
    """
)
"""Rook lost a gun to a 3; Rival burns, and the fire check of 5 left the fire alight."""
MENDED = OtherCharts()


def test_the_mended_rules_give_other_results_to_a_battle_played_anew() -> None:
    anew = opened(two_a_side(), ())
    anew = corrected(anew, "fire ajax heavy rook long 3 3", system=MENDED).after
    assert anew.battle.ships["rook"].count("rof_heavy") == 12
    assert OLD.battle.ships["rook"].count("rof_heavy") == 11


def test_what_only_the_rules_change_is_named_and_keeps_its_record() -> None:
    """An untouched battle decided again from its start: 1 and 7 would differ now, and stand as they were."""
    revision = corrected(OLD, "insert 0 note set up", system=MENDED)
    assert revision.consequences.rules_differ == (1, 7)
    assert follows(revision) == Follows(kept=8)
    assert revision.after.battle == OLD.battle


def test_what_the_correction_changes_is_told_apart_from_what_the_rules_change() -> None:
    """Rook had fewer guns: her shot is re-read, the two others keep the results of their day."""
    lower = corrected(OLD, "insert 0 mark rook rof_heavy 3", system=MENDED)
    assert follows(lower).reread == {4: "heavy ROF 4>3: misses · named after other dice of this phase"}
    assert lower.consequences.rules_differ == (1, 7)
    assert lower.after.rulings[7] == OLD.rulings[7]


def test_what_the_correction_itself_touches_is_decided_by_the_rules_of_today() -> None:
    """An amended shot misses as a 3 does now; a fire lit anew by another roll goes out on the 5."""
    amended = corrected(OLD, "amend 1 5 3", system=MENDED)
    assert amended.after.battle.ships["rook"].count("rof_heavy") == 12
    assert amended.consequences.rules_differ == (7,)
    struck = corrected(OLD, "strike 3", system=MENDED)
    assert (follows(struck).spare, struck.consequences.rules_differ) == ((7,), ())
    lit_anew = corrected(struck.after, "roll 6", system=MENDED)
    assert follows(lit_anew).reread == {7: "fire check 5 on Rival: out"}
    assert lit_anew.after.battle.ships["rook"].count("rof_heavy") == 11


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("strike 1", "undo"),
        ("strike 3", "restore 3"),
        ("undo 4", "redo 4"),
        ("amend 2 12 12", "strike 9"),
        ("insert 0 leave rival sunk", "undo"),
        ("shift 1 after 4", "undo"),
    ],
)
def test_a_correction_taken_back_brings_back_the_records_of_old(there: str, back: str) -> None:
    away = corrected(OLD, there, system=MENDED).after
    returned = corrected(away, back, system=MENDED).after
    assert returned.battle == OLD.battle
    assert {number: returned.rulings[number] for number in OLD.play_order} == OLD.rulings


def test_other_words_of_the_rules_are_told_apart_too() -> None:
    """A reason that the rules of today word otherwise changes no log and no record."""
    revision = corrected(OLD, "insert 0 note set up", system=Talkative())
    assert revision.consequences.rules_differ == (5, 6)
    assert revision.after.battle == OLD.battle
