"""Opens a battle by what people name: a save to go on with, or a scenario, its dice sealed first or not."""

from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from qf_tui.core.sealed_dice import SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.journal.reading import is_save
from qf_tui.library.paths import SAVE
from qf_tui.session.dice import is_sealed
from qf_tui.session.session import Session, begin_on_shelf

TAKE_DOWN = "Every player notes this seal: a photo of the code, or the eight words."
PLEDGE = (
    "Then each side says a word of its own aloud. All the words enter every throw, so nobody can pick a seed."
)


@frozen
class Beginning:
    """A scenario's battle that `begin` begins, with its dice where they are sealed.

    `sides` are those that give words for sealed dice, by name; none where it has others. `left_out` says
    what does not hold under its rules.
    """

    sides: tuple[str, ...]
    begin: Callable[[SealedDice | None], Session]
    left_out: str


def new_battle(
    target: str | Path,
    save: Path | None,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    crews: str = "",
) -> Beginning:
    """Read the battle of a scenario, by its name or path, for a save or for one on the shelf.

    It is played by its own `rules` or others; `crews` says whether stated crews count, "" as it says itself.
    """
    from qf_tui.library.other_rules import left_out_text
    from qf_tui.library.scenarios import battle_of, find_scenario, read_named

    reading = read_named(target, systems, rules, crews)
    system, start = battle_of(reading)

    def begin(sealed: SealedDice | None) -> Session:
        if save is not None:
            return Session.begin(system, start, save, sealed=sealed)
        return begin_on_shelf(system, start, find_scenario(target).stem, sealed)

    sides = tuple(side.name for side in start.sides) if is_sealed(start) else ()
    return Beginning(sides, begin, left_out_text(system, reading.left_out))


def open_target(
    target: str | Path,
    save: Path | None,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    crews: str = "",
) -> tuple[Session | Beginning, str]:
    """The battle of a scenario's name or path, or of a save, and what is left out under its rules, in words.

    A battle with sealed dice waits for the words of its sides. QfError in plain words if there is none.
    """
    path = Path(target)
    if path.is_file() and (is_save(path) or path.suffix == SAVE):
        return Session.resume(path, systems), ""
    waits = new_battle(target, save, systems, rules, crews)
    return waits if waits.sides else waits.begin(None), waits.left_out
