"""The strict converter: values it reads, faults it reports with their place, parts it leaves out."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import pytest
from attrs import field, frozen
from cattrs import override

from qf_tui.core.text import Scalar
from qf_tui.journal.converting import StrictConverter
from qf_tui.journal.lines import Misread, encode_json


class Rig(StrEnum):
    """An enum of texts."""

    SHIP = "ship"
    BRIG = "brig"


@frozen
class Gun:
    """A part in a list."""

    pounds: int
    name: str = ""


@frozen
class Hull:
    """A part whose keys are among the keys of the whole."""

    length: float = 0
    sunk: bool = False


@frozen
class Frigate:
    """A value with fields of every kind."""

    id: str
    hull: Hull = Hull()
    rig: Rig = Rig.SHIP
    guns: tuple[Gun, ...] = ()
    place: tuple[int, str] | None = None
    card: Mapping[str, Scalar] = field(factory=dict)
    refits: Mapping[int, str] = field(factory=dict)


CONVERTER = StrictConverter({Frigate: {"hull": override(rename=""), "card": override(rename="on_card")}})
WHOLE: dict[str, Any] = {
    "id": "java",
    "length": 46.5,
    "sunk": True,
    "rig": "brig",
    "guns": [{"pounds": 18}, {"pounds": 9, "name": "chaser"}],
    "place": [4, "east"],
    "on_card": {"speed": 6.75, "crew": None},
    "refits": {"1811": "Brest"},
}
JAVA = Frigate(
    "java",
    Hull(46.5, True),
    Rig.BRIG,
    (Gun(18), Gun(9, "chaser")),
    (4, "east"),
    {"speed": 6.75, "crew": None},
    {1811: "Brest"},
)


def test_a_value_is_read_and_written_in_the_order_of_its_fields() -> None:
    assert CONVERTER.read(WHOLE, Frigate) == JAVA
    assert encode_json(CONVERTER.unstructure(JAVA)) == encode_json(WHOLE)
    assert CONVERTER.unstructure(Frigate("java")) == {"id": "java"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"length": True}, "“True” is not a number @ $.length"),
        ({"length": "46"}, "“46” is not a number @ $.length"),
        ({"length": float("inf")}, "“inf” is not a number @ $.length"),
        ({"sunk": 1}, "“1” is not true or false @ $.sunk"),
        ({"id": 5}, "“5” is not a text @ $.id"),
        ({"rig": "sloop"}, "“sloop” is not a rig @ $.rig"),
        ({"rig": 1}, "“1” is not a rig @ $.rig"),
        ({"guns": "18"}, "“18” is not a list @ $.guns"),
        ({"guns": [{"pounds": 18}, {"pounds": 3.0}]}, "“3.0” is not a whole number @ $.guns[1].pounds"),
        ({"guns": [{}]}, "pounds is missing @ $.guns[0]"),
        ({"guns": [7]}, "“7” is not an object @ $.guns[0]"),
        ({"place": [4]}, "1 parts, not 2 @ $.place"),
        ({"place": None}, "nothing is not a list @ $.place"),
        ({"on_card": {"speed": [1]}}, "a list is not a text or a number @ $.on_card['speed']"),
        ({"refits": {"01": "Brest"}}, "“01” is not the number of an entry @ $.refits"),
        ({"refits": {"1811": 7}}, "“7” is not a text @ $.refits[1811]"),
        ({"card": {}}, "unknown key “card” @ $"),
        ({"hull": {}}, "unknown key “hull” @ $"),
        ({"": {}}, "unknown key “” @ $"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused_with_its_place(changes: Mapping[str, object], told: str) -> None:
    """Convert no value to another type, and ignore no key."""
    with pytest.raises(Misread) as fault:
        CONVERTER.read({**WHOLE, **changes}, Frigate)
    assert str(fault.value) == told


def test_faults_are_reported_together_below_a_place() -> None:
    wrong = {"sunk": "no", "rig": "sloop", "guns": 1, "place": 2}
    with pytest.raises(Misread) as fault:
        CONVERTER.read(wrong, Frigate, ".fleet[0]")
    told = str(fault.value).split("; ")
    assert len(told) == 3
    assert "id is missing @ $.fleet[0]" in told
    assert "“no” is not true or false @ $.fleet[0].sunk" in told


@pytest.mark.parametrize("part", [{"guns": [7] * 3}, {"on_card": {name: [] for name in "abc"}}])
def test_only_the_first_fault_of_a_list_or_object_is_reported(part: dict[str, Any]) -> None:
    """Use little memory for a line of megabytes in which everything is wrong."""
    with pytest.raises(Misread) as fault:
        CONVERTER.read({"id": "java", **part}, Frigate)
    assert ";" not in str(fault.value)
