"""A scenario begun under another rule system than its own: by `--rules`, or by a former name of it."""

import pytest

from qf_tui.cli.opening import scenario_rules
from qf_tui.core.errors import QfError
from tests.cli.calling import Caller


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (("yellow-sea-1904",), "Advanced Quickfire · medium, in"),
        (("yellow-sea-1904", "--rules", "gq2"), "General Quarters 2 · standard, in"),
        (("yellow-sea-1904", "--rules", "quickfire"), "Quickfire · medium, in"),
        (("yellow-sea-1904-clone",), "Quickfire-Clone · medium, metric"),
        (("yellow-sea-1904-clone", "--rules", "gq2"), "General Quarters 2 · standard, in"),
    ],
)
def test_a_scenario_is_run_under_the_rules_that_are_named(
    call: Caller, arguments: tuple[str, ...], title: str
) -> None:
    """Catches rules that are heard and not followed, and a former name that has lost its own."""
    called = call("run", *arguments, "--orders", call.orders("next\n"))
    assert (called.status, called.err) == (0, "")
    assert f"Yellow Sea, 10 August 1904 · {title}" in called.out


def test_odds_are_those_of_the_rules_that_are_named(call: Caller) -> None:
    shot = "fire mikasa heavy tsesarevich 188cm guess 186"
    assert call("odds", "yellow-sea-1904", "--rules", "quickfire-clone", shot).out.startswith("fire mikasa")
    assert call("odds", "yellow-sea-1904", shot).status == 3


def test_rules_that_cannot_be_chosen_are_refused_in_words(call: Caller) -> None:
    save = call.save("next\n")
    with pytest.raises(QfError, match="a saved battle goes on by its own rules"):
        scenario_rules(str(save), "gq2")
    with pytest.raises(QfError, match="no rule system “gq3”; installed: "):
        scenario_rules("yellow-sea-1904", "gq3")
    with pytest.raises(QfError, match="--rules is for a scenario"):
        scenario_rules(None, "gq2")
    assert scenario_rules(None, None) == ""
    assert scenario_rules(str(save), None) == ""
    assert scenario_rules("yellow-sea-1904-clone", None) == "quickfire-clone"


def test_a_fleet_of_one_rule_system_is_told_where_another_is_chosen(call: Caller) -> None:
    called = call("run", "rulebook-examples", "--rules", "gq2", "--orders", call.orders("next\n"))
    assert called.status == 2
    assert "rulebook-examples.toml: ruleset: expected “gq2”, found “advanced-quickfire”" in called.err
