"""Sloops: only the declarations of a rule system, with every kind of field of a fleet file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from attrs import field, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import (
    GUNNERY,
    SHELLS,
    ChartShape,
    CrewStep,
    FieldSpec,
    Option,
    Phase,
    Scale,
    Setup,
)
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import Field, RuleSystem
from qf_tui.core.text import Scalar, convert_fraction, to_fraction
from qf_tui.core.values import Battle, Charts

_PAIR = (FieldSpec("heavy", "int", "heavy"), FieldSpec("light", "int", "light"))
_ARMOR = (FieldSpec("heavy", "number", "heavy"), FieldSpec("light", "number", "light"))
_TUBES = (
    FieldSpec("size", "int", "inches", only=(14, 15, 18, 21), required=True),
    FieldSpec("reload", "int", "reload", most=99, required=True),
)
_BATTERY = (
    FieldSpec("name", "text", "battery", required=True),
    FieldSpec("calibre", "number", "inches", least=1, most=20, required=True),
    FieldSpec("arcs", "text", "arcs"),
)
_BOXES = tuple(FieldSpec(str(box), "number", "speed", most=40) for box in range(1, 4))


@frozen
class Sloops:
    """A substitute without the parts that play."""

    name: str = "sloops"
    title: str = "Sloops"
    data: Mapping[str, object] = field(factory=dict)
    phases: tuple[Phase, ...] = (Phase("sail", "Sail"), Phase("fire", "Fire"))
    card: tuple[FieldSpec, ...] = (
        FieldSpec("size", "number", "size points", least=0.25, required=True),
        FieldSpec("gunnery", "numbers", "gunnery", parts=_PAIR, required=True),
        FieldSpec("armor", "numbers", "armor", parts=_ARMOR, required=True, alias="armour"),
        FieldSpec("torpedo", "table", "torpedoes", parts=_TUBES),
        FieldSpec("battery", "tables", "batteries", parts=_BATTERY, most=4),
        FieldSpec("hull", "numbers", "hull boxes", parts=_BOXES),
        FieldSpec("boats", "int", "boats", default=0),
        FieldSpec("speed", "number", "inches", least=0.25, most=99, required=True),
        FieldSpec("protected", "bool", "+P"),
        FieldSpec("end_arc", "word", "end arcs", words=("halved", "full"), default="halved"),
    )
    scales: tuple[Scale, ...] = (
        Scale("small", "in", "in"),
        Scale("medium", "metric", "mm"),
        Scale("medium", "in", "in", usual=True),
    )
    options: tuple[Option, ...] = (
        Option("leak_check", "SL-1", ("11-12", "12"), "11-12", "what leaks"),
        Option("drift", "SL-2", ("no", "yes"), "no", "whether wrecks drift"),
    )
    at_start: tuple[FieldSpec, ...] = (FieldSpec("crew", "int", "crew as the battle begins", most=9),)
    conditions: tuple[FieldSpec, ...] = (
        FieldSpec("light", "word", "light", words=("day", "dusk", "night"), default="day"),
        FieldSpec("fog", "bool", "whether there is fog"),
    )
    crews: tuple[CrewStep, ...] = (
        CrewStep(GUNNERY, "gunnery.heavy", lambda heavy, steps: convert_fraction(to_fraction(heavy) + steps)),
        CrewStep(
            SHELLS,
            "battery.calibre",
            lambda inches, steps: convert_fraction(to_fraction(inches) * (10 + steps) / 10),
        ),
    )
    departure_statuses: tuple[str, ...] = ("withdrawn", "struck", "sunk")
    fields: tuple[Field, ...] = ()
    lasting: tuple[str, ...] = ()
    charts: tuple[str, str] = ("tests.library", "charts.toml")
    division_conditions: tuple[FieldSpec, ...] = (
        FieldSpec("course", "word", "its course", words=("north", "south")),
    )
    own_charts: Charts = field(factory=dict)
    chart_shapes: Mapping[str, ChartShape] = field(
        factory=lambda: {
            "shot": ChartShape(
                ("1", "2", "3", "4-5", "6+"),
                lambda text: None if text in ("hit", "miss") else "expected hit or miss",
                lambda name: None if name.isdecimal() else "expected a percentage",
                lambda name: None if name.isdecimal() else "expected a number",
            ),
            "leak": ChartShape(
                ("1", "2"), lambda text: None if text in ("leak", "dry") else "expected leak or dry"
            ),
        }
    )

    can_rate: bool = False

    def rate(self, ship: ShipFacts) -> None:
        """Make no card from facts."""

    def get_card_defaults(self, card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
        return {}

    def list_card_faults(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        if card["boats"] == 13:
            yield "boats", "thirteen boats are unlucky"

    def list_card_warnings(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        if card["boats"] == 12:
            yield "boats", "perhaps eleven"

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe nothing."""

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {
            "boats": card["boats"],
            **setup.at_start,
            "scale": f"{setup.scale} {setup.units}",
            "drift": setup.options["drift"],
        }


SYSTEM = cast(RuleSystem, Sloops())
SYSTEMS = {"sloops": SYSTEM}

FLEET = 'ruleset = "sloops"\ntitle = "Sloops of the line"\nvalues = "published"\n'


def format_sloop(id: str, name: str = "", more: str = "", gunnery: str = "[20, 13]") -> str:
    return (
        f'\n[[ship]]\nid = "{id}"\nname = "{name or id.title()}"\nkind = "sloop"\nsize = 2\n'
        f"gunnery = {gunnery}\narmor = [11, 0.5]\nspeed = 6.75\n{more}"
    )


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
