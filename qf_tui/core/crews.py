"""How well crews shoot and what their shells are worth: whole steps on the cards of their ships.

A scenario gives the steps; what one does to a card its rule system says (`RuleSystem.crews`). A card keeps
its steps, where they come from and its values as built: so each value can be explained, and other steps be
tried.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from attrs import frozen

from qf_tui.core.declarations import CREW_MOST, GUNNERY, SHELLS, CrewStep, Setup, scale_text
from qf_tui.core.ship_facts import ATTESTED, as_listed, attested_of
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, decimal, exact
from qf_tui.core.values import Battle, Ship, replace

SOURCE = "crews_source"
"""The key of a scenario for where the steps come from."""
CREW_KEYS = (GUNNERY, SHELLS, SOURCE)
CREWS, BUILT, STATED = "crews", "as-built", "as-stated"
"""The key of a scenario, and of the table of its battle, that says whether its steps count; its values."""
_ON_CARD, _BUILT = "crews:", "crews:built:"
_STEPPED = {GUNNERY: "crew", SHELLS: "shells"}
"""What is said of a value to have been stepped."""


@frozen
class Crew:
    """Steps of gunnery and of shells, each from -3 to 3, 0 as built; and where they come from."""

    gunnery: int = 0
    shells: int = 0
    source: str = ""

    @property
    def steps(self) -> Mapping[str, int]:
        """The steps that are not 0."""
        every = {GUNNERY: self.gunnery, SHELLS: self.shells}
        return {of: steps for of, steps in every.items() if steps}

    def stepped(self, gunnery: int = 0, shells: int = 0) -> "Crew":
        """So many steps more, as far as steps go."""
        wanted = (self.gunnery + gunnery, self.shells + shells)
        gunnery, shells = (max(-CREW_MOST, min(CREW_MOST, steps)) for steps in wanted)
        return Crew(gunnery, shells, self.source)


AS_BUILT = Crew()


def crew_in(said: Mapping[str, object], outer: Crew = AS_BUILT) -> Crew:
    """What a side, a division or a ship says of its crews; what it leaves out is as in the `outer` one."""
    gunnery, shells, source = (said.get(key) for key in CREW_KEYS)
    return Crew(
        gunnery if isinstance(gunnery, int) else outer.gunnery,
        shells if isinstance(shells, int) else outer.shells,
        str(source or outer.source),
    )


def crew_of(card: Mapping[str, Scalar]) -> Crew:
    """The crew that a card has; one as built where it says nothing."""
    return crew_in({key: card.get(f"{_ON_CARD}{key}") for key in CREW_KEYS})


def said_of(crew: Crew) -> dict[str, int | str]:
    """A crew as a file says it; nothing of one as built."""
    return {**crew.steps, **({SOURCE: crew.source} if crew.source else {})} if crew.steps else {}


def as_built(card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """A card without steps: the values that they changed as they were."""
    return {
        key: card.get(f"{_BUILT}{key}", value) for key, value in card.items() if not key.startswith(_ON_CARD)
    }


def split_crew(system: RuleSystem, card: Mapping[str, Scalar]) -> tuple[Mapping[str, Scalar], Crew]:
    """Split a card into the card as built and its crew.

    A card whose crewed values were set by hand since stays as it is, without a crew.
    """
    built, crew = as_built(card), crew_of(card)
    if with_crew(system, built, crew) == card:
        return built, crew
    return {key: value for key, value in card.items() if not key.startswith(_ON_CARD)}, AS_BUILT


@lru_cache(maxsize=4096)
def _unnumbered(key: str) -> str:
    """The key of a value of which there may be several, `battery.gunnery` of `battery.2.gunnery`."""
    return ".".join(part for part in key.split(".") if not part.isdecimal())


def with_crew(system: RuleSystem, card: Mapping[str, Scalar], crew: Crew) -> Mapping[str, Scalar]:
    """A card with these steps in the place of any that it has; what they change is attested no longer.

    It is as built where the rules know no steps.
    """
    card = as_built(card)
    if not system.crews or not crew.steps:
        return card
    steps = crew.steps
    every = {
        key: step.worked(value, steps[step.of])
        for step in system.crews
        if step.of in steps
        for key, value in card.items()
        if step.key == _unnumbered(key)
    }
    changed = {key: worked for key, worked in every.items() if worked != card[key]}
    attested = attested_of(card)
    if not changed.keys().isdisjoint(attested):
        changed[ATTESTED] = as_listed(name for name in attested if name not in changed)
    said = {f"{_ON_CARD}{key}": value for key, value in said_of(crew).items()}
    return {**card, **changed, **said, **{f"{_BUILT}{key}": card[key] for key in changed}}


def describe_steps(crews: Iterable[CrewStep], card: Mapping[str, Scalar], key: str) -> str:
    """Return what a crew made of a value of a card, as `7 as built, crew +1`.

    It is "" for a value that no step changed, or that was set by hand since.

    Rule: AQF-CRW-1.
    """
    if f"{_BUILT}{key}" not in card:
        return ""
    built, steps = card[f"{_BUILT}{key}"], crew_of(card).steps
    step = next((step for step in crews if step.key == _unnumbered(key) and step.of in steps), None)
    if step is None or step.worked(built, steps[step.of]) != card[key]:
        return ""
    return f"{decimal(exact(built))} as built, {_STEPPED[step.of]} {steps[step.of]:+}"


def crewed_values(system: RuleSystem, card: Mapping[str, Scalar]) -> Iterator[tuple[str, str]]:
    """Yield each value that a card's steps changed, but for those set by hand since: its key, and how."""
    for key in card:
        how = describe_steps(system.crews, card, key)
        if how and find_field(system, key) is not None:
            yield key, how


def describe_rules(system: RuleSystem, battle: Battle) -> str:
    """Return the rules of a battle in words: their title, that crews count as stated, scale and units."""
    every = (*battle.ships.values(), *battle.reserve.values())
    steps = [f"{_ON_CARD}{of}" for of in (GUNNERY, SHELLS)]
    stated = ", crews as stated" if any(step in ship.card for ship in every for step in steps) else ""
    return f"{system.title}{stated} · {scale_text(battle.table)}"


def with_crews(system: RuleSystem, start: Battle, crew_for: Callable[[Ship], Crew]) -> Battle:
    """A battle at its start with other crews, in the ships that are there and in those to come.

    What their logs have as their cards did follows these; what is less already stays as it is.
    """
    table = start.table
    setup = Setup(str(table.get("scale", "")), str(table.get("units", "")), start.options)

    def crewed(ship: Ship) -> Ship:
        card = with_crew(system, ship.card, crew_for(ship))
        before, after = system.muster(ship.card, setup), system.muster(card, setup)
        followed = {key: value for key, value in after.items() if ship.log.get(key) == before.get(key)}
        return replace(ship, card=card, log={**ship.log, **followed})

    ships, reserve = (
        {id: crewed(ship) for id, ship in some.items()} for some in (start.ships, start.reserve)
    )
    made = replace(start, ships=ships, reserve=reserve, began=None)
    return made if start.began is None else replace(made, began=made)
