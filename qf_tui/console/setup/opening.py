"""From a name, a path or a set-up to an open battle: a new one, a save, or a copy of a sample."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen
from textual.app import App

from qf_tui.core.errors import QfError
from qf_tui.core.sealed_dice import SEALED, SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.reading import is_save
from qf_tui.library.paths import SAVE
from qf_tui.library.reading import read_toml
from qf_tui.session import Session
from qf_tui.session.dice import is_sealed
from qf_tui.session.new_save import begin_on_shelf, copy_on_shelf

TYPE_CHECKING = False  # a save waits for nothing that a scenario is read by
if TYPE_CHECKING:
    from qf_tui.library.scenarios import ScenarioRead
    from qf_tui.library.setup.drafts import Draft


@frozen
class Beginning:
    """A battle that waits for the words of its sides; `begin` begins it with its sealed dice."""

    sides: tuple[str, ...]
    begin: Callable[[SealedDice | None], Session]

    def ask(self, app: App[Any], opened: Callable[[Session], object]) -> None:
        """Shows the seal, takes the words, and begins."""
        from qf_tui.console.setup.seal import seal_first

        def begin(sealed: SealedDice | None) -> None:
            try:
                session = self.begin(sealed)
            except QfError as fault:
                app.notify(str(fault), severity="error", timeout=60, markup=False)
            else:
                opened(session)

        seal_first(app, SEALED, self.sides, begin)


@frozen
class Scenario:
    """A scenario viewed before it begins: its battle, and the name of its chart overlay.

    `rules` is the rule system chosen for it, "" its own; `left_out` is what does not hold under that, and
    `suits` has the systems that suit it, each with why.
    """

    path: Path
    system: RuleSystem
    battle: Battle
    chart: str
    rules: str = ""
    left_out: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(factory=dict)


def open_target(
    target: str | Path, save: Path | None, systems: Mapping[str, RuleSystem], rules: str = ""
) -> tuple[Session | Beginning, str]:
    """The battle of a scenario's name or path, or of a save, and what is left out under its rules, in words.

    A battle with sealed dice waits for the words of its sides. QfError in plain words if there is none.
    """
    path = Path(target)
    if path.is_file() and (is_save(path) or path.suffix == SAVE):
        return resume(path, systems), ""
    from qf_tui.library.rebased import left_out_text
    from qf_tui.library.scenarios import battle_of, read_named

    reading = read_named(target, systems, rules)
    system, start = battle_of(reading)
    left_out = left_out_text(system, reading.left_out)
    if is_sealed(start):
        sides = tuple(side.name for side in start.sides)
        return Beginning(sides, lambda sealed: _begun(reading, target, save, sealed)), left_out
    return _begun(reading, target, save), left_out


def look_at(path: Path, systems: Mapping[str, RuleSystem], rules: str = "") -> Scenario:
    """A scenario's battle before the first order, by its own rules or others; Faults has what is wrong."""
    from qf_tui.library.scenarios import battle_of, read_scenario

    reading = read_scenario(read_toml(path), path, systems, rules=rules)
    system, battle = battle_of(reading)
    return Scenario(path, system, battle, reading.charts, rules, reading.left_out, reading.suits)


def begin(
    target: str | Path,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    sealed: SealedDice | None = None,
) -> Session:
    """A scenario begun, by its own rules or others, with a new save on the shelf."""
    from qf_tui.library.scenarios import read_named

    return _begun(read_named(target, systems, rules), target, None, sealed)


def _begun(
    reading: "ScenarioRead", target: str | Path, save: Path | None, sealed: SealedDice | None = None
) -> Session:
    from qf_tui.library.scenarios import battle_of, find_scenario

    system, start = battle_of(reading)
    if save is not None:
        return Session.begin(system, start, save, sealed=sealed)
    return begin_on_shelf(system, start, find_scenario(target).stem, sealed)


def begin_draft(
    draft: "Draft", systems: Mapping[str, RuleSystem], sealed: SealedDice | None = None
) -> Session:
    """Keeps a set-up as a user's scenario and begins it; Faults lists all that is wrong and keeps nothing."""
    # Most battles are begun or continued; they do not wait for what writes a scenario.
    from qf_tui.library.setup.scenario_writer import discard, write

    scenario = write(draft, systems)
    try:
        return begin(scenario, systems, sealed=sealed)
    except QfError:
        # Where there is no room for the save, each try would leave a scenario more.
        discard(scenario)
        raise


def resume(path: Path, systems: Mapping[str, RuleSystem]) -> Session:
    """A save to go on with."""
    return Session.resume(path, systems)


def copied(path: Path, systems: Mapping[str, RuleSystem]) -> Session:
    """A copy of a save in the user's folder, to continue."""
    return Session.resume(copy_on_shelf(path), systems)
