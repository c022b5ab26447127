"""Functions for the screens before a battle: read a scenario, and ask the sides for what its dice need."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen
from textual.app import App

from qf_tui.core.crews import Crew
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.paths import read_toml
from qf_tui.registry import load_dice_maker
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.opening import Beginning


@frozen
class Scenario:
    """A scenario viewed before it begins.

    Attributes:
        battle: Battle before the first order.
        chart: Name of its chart overlay.
        rules: Rule system chosen for it, "" for the scenario's own.
        left_out: Parts of the scenario that do not hold under these rules.
        suits: Reason why each rule system suits it, by the system's name.
        crews: Choice whether the stated crews count, "" for the scenario's own.
        stated: Crews that the scenario states, by ship id.
    """

    path: Path
    system: RuleSystem
    battle: Battle
    chart: str
    rules: str = ""
    left_out: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(factory=dict)
    crews: str = ""
    stated: Mapping[str, Crew] = field(factory=dict)


def view_scenario(
    path: Path, systems: Mapping[str, RuleSystem], rules: str = "", crews: str = ""
) -> Scenario:
    """Read a scenario's battle before the first order; "" for rules or crews means the scenario's own.

    Raises:
        Faults: All that is wrong with the scenario's file.
    """
    from qf_tui.library.scenarios import read_scenario, require_battle

    reading = read_scenario(read_toml(path), path, systems, rules=rules, crews=crews)
    system, battle = require_battle(reading)
    return Scenario(
        path,
        system,
        battle,
        chart=reading.charts,
        rules=rules,
        left_out=reading.left_out,
        suits=reading.suits,
        crews=crews,
        stated=reading.crews,
    )


def ask_words(app: App[Any], beginning: Beginning, opened: Callable[[Session], object]) -> None:
    """Ask the sides for the secret words of a battle's dice, and begin it; do nothing if no words are needed.

    Args:
        opened: Takes the battle once it has begun.
    """

    def begin(dice: BattleDice | None) -> None:
        try:
            session = beginning.begin(dice)
        except QfError as fault:
            app.notify(str(fault), severity="error", timeout=60, markup=False)
        else:
            opened(session)

    if beginning.maker is not None:
        beginning.maker.ask(app, beginning.sides, begin)


def ask_and_begin(
    app: App[Any], dice: object, sides: Sequence[str], begin: Callable[[BattleDice | None], object]
) -> None:
    """Call `begin` with the dice that a feature makes for a battle, or with None for the dice of the base.

    A feature first asks each side for its part of the dice.

    Args:
        dice: The scenario's word for its dice.
    """
    maker = load_dice_maker(dice)
    if maker is None:
        begin(None)
    else:
        maker.ask(app, sides, begin)
