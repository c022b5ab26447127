"""The quality of a ship's crew and shells, in whole steps that change values on her card.

A scenario gives the steps; `RuleSystem.crews` says how a step changes a card. The card keeps its steps, their
source and the values as built, so that each value can be explained and other steps can be tried.

Rule: AQF-CRW-1.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from attrs import frozen

from qf_tui.core.declarations import CREW_MOST, GUNNERY, SHELLS, CrewStep, Setup, format_scale
from qf_tui.core.ship_facts import ATTESTED, join_card_list, list_attested_fields
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, format_decimal, to_fraction
from qf_tui.core.values import Battle, Ship, replace

SOURCE = "crews_source"
"""The key of a scenario for the source of its steps."""
CREW_KEYS = (GUNNERY, SHELLS, SOURCE)
"""The keys of a crew in a scenario and, with a prefix, on a card."""
CREWS, BUILT, STATED = "crews", "as-built", "as-stated"
"""The key, in a scenario and its battle's table, that says whether stated steps count; its two values."""
_CREW_PREFIX, _BUILT_PREFIX = "crews:", "crews:built:"
"""The prefixes of the card's keys for its steps, and for its values as built."""
_STEPPED = {GUNNERY: "crew", SHELLS: "shells"}
"""The word for what is stepped, by the key of the step."""


@frozen
class Crew:
    """The quality of a ship's crew and shells, as steps above or below her card.

    Attributes:
        gunnery: Steps of gunnery from -3 to 3; 0 as built.
        shells: Steps of shells from -3 to 3; 0 as built.
        source: Source that states them, or "".
    """

    gunnery: int = 0
    shells: int = 0
    source: str = ""

    @property
    def steps(self) -> Mapping[str, int]:
        """The steps that are not 0, by key."""
        all_steps = {GUNNERY: self.gunnery, SHELLS: self.shells}
        return {key: steps for key, steps in all_steps.items() if steps}

    def add_steps(self, gunnery: int = 0, shells: int = 0) -> "Crew":
        """Add steps to this crew, limited to -3 and 3."""
        wanted = (self.gunnery + gunnery, self.shells + shells)
        gunnery, shells = (max(-CREW_MOST, min(CREW_MOST, steps)) for steps in wanted)
        return Crew(gunnery, shells, self.source)


AS_BUILT = Crew()
"""A crew without steps."""


def read_crew(keys: Mapping[str, object], outer: Crew = AS_BUILT) -> Crew:
    """Read the crew that a scenario gives a side, division or ship.

    Args:
        keys: Keys of the table of that side, division or ship, with their values.
        outer: Crew of the enclosing side or division, which gives the missing values.
    """
    gunnery, shells, source = (keys.get(key) for key in CREW_KEYS)
    return Crew(
        gunnery if isinstance(gunnery, int) else outer.gunnery,
        shells if isinstance(shells, int) else outer.shells,
        str(source or outer.source),
    )


def read_card_crew(card: Mapping[str, Scalar]) -> Crew:
    """Read the crew from a card; without steps it is `AS_BUILT`."""
    return read_crew({key: card.get(f"{_CREW_PREFIX}{key}") for key in CREW_KEYS})


def write_crew(crew: Crew) -> dict[str, int | str]:
    """Write a crew as the keys of a scenario; {} for a crew without steps."""
    return {**crew.steps, **({SOURCE: crew.source} if crew.source else {})} if crew.steps else {}


def remove_crew(card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """Return a card without the keys of its crew, and with its values as built."""
    return {
        key: card.get(f"{_BUILT_PREFIX}{key}", value)
        for key, value in card.items()
        if not key.startswith(_CREW_PREFIX)
    }


def split_crew(system: RuleSystem, card: Mapping[str, Scalar]) -> tuple[Mapping[str, Scalar], Crew]:
    """Split a card into the card as built and its crew.

    If the values that steps changed were set by hand afterwards, the card keeps its values and has no crew.
    """
    built_card, crew = remove_crew(card), read_card_crew(card)
    if with_crew(system, built_card, crew) == card:
        return built_card, crew
    return {key: value for key, value in card.items() if not key.startswith(_CREW_PREFIX)}, AS_BUILT


@lru_cache(maxsize=4096)
def _drop_numbers(key: str) -> str:
    """Remove the numbers from a key: `battery.2.gunnery` becomes `battery.gunnery`."""
    return ".".join(part for part in key.split(".") if not part.isdecimal())


def with_crew(system: RuleSystem, card: Mapping[str, Scalar], crew: Crew) -> Mapping[str, Scalar]:
    """Replace the crew of a card: its steps of quality and the values that they change.

    A changed value no longer counts as attested. Under rules without crews the card stays as built.
    """
    card = remove_crew(card)
    if not system.crews or not crew.steps:
        return card
    steps = crew.steps
    stepped = {
        key: step.worked(value, steps[step.of])
        for step in system.crews
        if step.of in steps
        for key, value in card.items()
        if step.key == _drop_numbers(key)
    }
    changed_values = {key: worked for key, worked in stepped.items() if worked != card[key]}
    attested = list_attested_fields(card)
    if not changed_values.keys().isdisjoint(attested):
        changed_values[ATTESTED] = join_card_list(name for name in attested if name not in changed_values)
    # The card also keeps the steps, and each value that they change as it was built.
    crew_keys = {f"{_CREW_PREFIX}{key}": value for key, value in write_crew(crew).items()}
    return {
        **card,
        **changed_values,
        **crew_keys,
        **{f"{_BUILT_PREFIX}{key}": card[key] for key in changed_values},
    }


def describe_steps(crews: Iterable[CrewStep], card: Mapping[str, Scalar], key: str) -> str:
    """Format how a crew changed a value of a card, as `7 as built, crew +1`.

    Returns:
        The text, or "" for a value that no step changed or that was set by hand afterwards.

    Rule: AQF-CRW-1.
    """
    if f"{_BUILT_PREFIX}{key}" not in card:
        return ""
    built_value, steps = card[f"{_BUILT_PREFIX}{key}"], read_card_crew(card).steps
    step = next((step for step in crews if step.key == _drop_numbers(key) and step.of in steps), None)
    if step is None or step.worked(built_value, steps[step.of]) != card[key]:
        return ""
    return f"{format_decimal(to_fraction(built_value))} as built, {_STEPPED[step.of]} {steps[step.of]:+}"


def list_crewed_values(system: RuleSystem, card: Mapping[str, Scalar]) -> Iterator[tuple[str, str]]:
    """Yield the key of each card value that a crew or shells changed, and the text of `describe_steps`.

    Keys that are no field of the system are left out.
    """
    for key in card:
        text = describe_steps(system.crews, card, key)
        if text and find_field(system, key) is not None:
            yield key, text


def describe_rules(system: RuleSystem, battle: Battle) -> str:
    """Format the rules of a battle: title, a note if crews count as stated, scale and units."""
    ships = (*battle.ships.values(), *battle.reserve.values())
    step_keys = [f"{_CREW_PREFIX}{key}" for key in (GUNNERY, SHELLS)]
    stated = ", crews as stated" if any(key in ship.card for ship in ships for key in step_keys) else ""
    return f"{system.title}{stated} · {format_scale(battle.table)}"


def with_crews(system: RuleSystem, start: Battle, crew_for: Callable[[Ship], Crew]) -> Battle:
    """Give new crews to the ships of a starting battle and of its reserve.

    A log field that starts as a value of the card starts as the value of the new card. A log field that
    already differs from that start, because of earlier damage for example, stays as it is.

    Args:
        crew_for: Function that gives the crew of each ship.
    """
    table = start.table
    setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), start.options)

    def apply_to_ship(ship: Ship) -> Ship:
        card = with_crew(system, ship.card, crew_for(ship))
        before, after = system.muster(ship.card, setup), system.muster(card, setup)
        following_values = {
            key: value for key, value in after.items() if ship.log.get(key) == before.get(key)
        }
        return replace(ship, card=card, log={**ship.log, **following_values})

    ships = {id: apply_to_ship(ship) for id, ship in start.ships.items()}
    reserve = {id: apply_to_ship(ship) for id, ship in start.reserve.items()}
    begun = replace(start, ships=ships, reserve=reserve, began=None)
    return begun if start.began is None else replace(begun, began=begun)
