"""Opens a battle by what people name: a save to go on with, or a scenario, which may wait for its dice."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.journal.reading import is_save
from qf_tui.library.paths import SAVE
from qf_tui.registry import find_dice
from qf_tui.session.dice import BattleDice
from qf_tui.session.session import Session, begin_on_shelf

if TYPE_CHECKING:
    from qf_tui.hooks import DiceMaker


@frozen
class Beginning:
    """A scenario's battle that waits for its dice.

    Attributes:
        maker: What asks for its dice; None where it waits for none.
        sides: Its sides by name.
        begin: Begins it with its dice.
        left_out: What does not hold under its rules.
    """

    maker: "DiceMaker | None"
    sides: tuple[str, ...]
    begin: Callable[[BattleDice | None], Session]
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

    def begin(dice: BattleDice | None) -> Session:
        if save is not None:
            return Session.begin(system, start, save, dice=dice)
        return begin_on_shelf(system, start, find_scenario(target).stem, dice)

    sides = tuple(side.name for side in start.sides)
    return Beginning(
        find_dice(start.table.get("dice")), sides, begin, left_out_text(system, reading.left_out)
    )


def open_target(
    target: str | Path,
    save: Path | None,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    crews: str = "",
) -> tuple[Session | Beginning, str]:
    """The battle of a scenario's name or path, or of a save, and what is left out under its rules, in words.

    It waits where its sides are asked for its dice. QfError in plain words if there is none.
    """
    path = Path(target)
    if path.is_file() and (is_save(path) or path.suffix == SAVE):
        return Session.resume(path, systems), ""
    waits = new_battle(target, save, systems, rules, crews)
    return waits if waits.maker else waits.begin(None), waits.left_out
