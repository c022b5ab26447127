"""Orders that messages and help about sealed dice name are accepted."""

from pathlib import Path

from qf_tui.core import builtin_orders
from qf_tui.features.sealed_dice import dice
from tests.features.sealed_dice.club import begin_club
from tests.rules.test_advice import BY_A_CALL, Advice, Judge, find_templates, list_faults, list_help_orders


def test_advice_about_sealed_dice_is_accepted() -> None:
    said = set[str]()
    assert list_faults(begin_club(), ("next", "fire izumo heavy rurik 20in 3 8", "reveal"), said) == []
    patterns = find_templates(Path(str(each.__file__)) for each in (dice, builtin_orders))
    wanted = {name: pattern for name, pattern in patterns.items() if "dice" in name}
    assert len(wanted) > 1
    assert [name for name, pattern in wanted.items() if not any(map(pattern.search, said))] == []


def test_a_call_named_in_the_help_is_accepted() -> None:
    session = begin_club()
    for line in ("next", *["note a word"] * 10, "fire izumo heavy rurik 20in call 12"):
        session.enter(line)
    assert BY_A_CALL in list_help_orders()
    assert Judge(session).list_faults(Advice(f"`{BY_A_CALL[1]}`", session.battle)) == []
