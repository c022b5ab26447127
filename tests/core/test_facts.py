"""Named facts: how they are read, and what does not fit their declaration."""

from collections.abc import Mapping

import pytest

from qf_tui.core.facts import Fact, FactField, facts_fault, no_positions
from qf_tui.core.values import Act

FIELDS = (
    FactField("target"),
    FactField("dice", "int"),
    FactField("faces", "ints", optional=True),
    FactField("words", "texts", optional=True),
    FactField("fired", "bool", optional=True),
    FactField("declared.turn", "int", group="declared"),
    FactField("firer.*", "scalar", group="declared"),
)
FITTING: dict[str, Fact] = {"target": "ant", "dice": 0}


def test_facts_are_read_by_name_and_type() -> None:
    act = Act(
        1, "shoot", "shot", "ant", {**FITTING, "faces": (5, 8), "words": ("a",), "fired": True, "a.x": None}
    )
    assert (act.text("target"), act.number("dice"), act.has("fired")) == ("ant", 0, True)
    assert (act.numbers("faces"), act.texts("words"), act.scalars("a.")) == ((5, 8), ("a",), {"x": None})
    assert (act.text("dice"), act.number("target"), act.number("fired"), act.has("dice")) == ("", 0, 0, False)
    assert (act.text("x"), act.number("x"), act.has("x"), act.numbers("x"), act.texts("x")) == (
        "",
        0,
        False,
        (),
        (),
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, ""),
        ({"faces": (), "words": (), "fired": False}, ""),
        ({"declared.turn": 2}, ""),
        ({"declared.turn": 2, "firer.moved": None, "firer.distance": "27/4"}, ""),
        ({"firer.moved": None}, "fact “declared.turn” is missing"),
        ({"target": 5}, "fact “target”: a text was expected"),
        ({"dice": True}, "fact “dice”: a whole number was expected"),
        ({"dice": 1.0}, "fact “dice”: a whole number was expected"),
        ({"faces": (5, "8")}, "fact “faces”: a list of whole numbers was expected"),
        ({"faces": 5}, "fact “faces”: a list of whole numbers was expected"),
        ({"words": (5,)}, "fact “words”: a list of texts was expected"),
        ({"fired": 1}, "fact “fired”: true or false was expected"),
        ({"declared.turn": 2, "firer.x": ()}, "fact “firer.x”: a text or a number was expected"),
        ({"firer": 1}, "unknown fact “firer”"),
        ({"range": "long"}, "unknown fact “range”"),
    ],
)
def test_what_does_not_fit_a_declaration_is_named(changes: Mapping[str, Fact], fault: str) -> None:
    assert facts_fault(FIELDS, {**FITTING, **changes}) == fault


@pytest.mark.parametrize("name", ["target", "dice"])
def test_a_fact_that_lacks_is_named(name: str) -> None:
    facts = {key: fact for key, fact in FITTING.items() if key != name}
    assert facts_fault(FIELDS, facts) == f"fact “{name}” is missing"


def test_a_system_that_kept_nothing_by_position_has_no_names_for_it() -> None:
    assert no_positions("act", "shot", []) == {}
    with pytest.raises(ValueError, match="shot"):
        no_positions("act", "shot", [5])
