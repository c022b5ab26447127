"""Scenarios looked at and begun, by a name or a set-up."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from textual.app import App

from qf_tui.core.crews import Crew
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.paths import read_toml
from qf_tui.registry import find_dice
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.opening import Beginning, read_new_battle

if TYPE_CHECKING:  # a save waits for nothing that a scenario is read by
    from qf_tui.library.drafts import Draft


@frozen
class Scenario:
    """A scenario viewed before it begins: its battle, and the name of its chart overlay.

    `rules` is the rule system chosen for it, "" its own; `left_out` is what does not hold under that, and
    `suits` has the systems that suit it, each with why. `crews` says whether the `stated` crews of its ships
    count, "" as the scenario has it.
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


def look_at(path: Path, systems: Mapping[str, RuleSystem], rules: str = "", crews: str = "") -> Scenario:
    """Read a scenario's battle before the first order, by its rules or others; Faults has what is wrong."""
    from qf_tui.library.scenarios import battle_of, read_scenario

    read = read_scenario(read_toml(path), path, systems, rules=rules, crews=crews)
    system, battle = battle_of(read)
    return Scenario(path, system, battle, read.charts, rules, read.left_out, read.suits, crews, read.crews)


def begin_draft(draft: "Draft", systems: Mapping[str, RuleSystem], dice: BattleDice | None = None) -> Session:
    """Keeps a set-up as a user's scenario and begins it; Faults lists all that is wrong and keeps nothing."""
    # Most battles are begun or continued; they do not wait for what writes a scenario.
    from qf_tui.library.writers import discard, write

    scenario = write(draft, systems)
    try:
        return read_new_battle(scenario, None, systems).begin(dice)
    except QfError:
        # Where there is no room for the save, each try would leave a scenario more.
        discard(scenario)
        raise


def ask_words(app: App[Any], beginning: Beginning, opened: Callable[[Session], object]) -> None:
    """Ask for what the dice of a battle wait for, and begin."""

    def begin(dice: BattleDice | None) -> None:
        try:
            session = beginning.begin(dice)
        except QfError as fault:
            app.notify(str(fault), severity="error", timeout=60, markup=False)
        else:
            opened(session)

    if beginning.maker is not None:
        beginning.maker.ask(app, beginning.sides, begin)


def begin_asked(
    app: App[Any], dice: object, sides: Sequence[str], begin: Callable[[BattleDice | None], object]
) -> None:
    """Begin a battle at once, or where a feature has its `dice` after it has asked the sides."""
    maker = find_dice(dice)
    if maker is None:
        begin(None)
    else:
        maker.ask(app, sides, begin)
