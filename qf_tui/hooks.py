"""The hooks of features: a `Feature` has a function or a value for each part of the program that it adds to.

The base calls these functions and imports no feature. Each start of the program loads this module and the
`Feature` values, so this module imports only `argparse`. The functions import what they need when they run.
"""

import argparse

TYPE_CHECKING = False  # to import `typing` takes half as long as to print the help
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Protocol

    from qf_tui.console.battle.view import BattleView
    from qf_tui.console.reading.source import BattleSource
    from qf_tui.console.setup.start import Offer, StartScreen
    from qf_tui.console.widgets.actions import AnyApp, ConsolePart
    from qf_tui.console.widgets.text import TextPane
    from qf_tui.core.declarations import FieldSpec
    from qf_tui.core.revisions import Revision
    from qf_tui.core.system import Column, RuleSystem
    from qf_tui.core.timeline import LogAct, Timeline
    from qf_tui.core.values import Battle
    from qf_tui.document.values import Line
    from qf_tui.library.declared import ScenarioKeys
    from qf_tui.library.faults import Checker, Data
    from qf_tui.library.settings import Settings
    from qf_tui.session.dice import BattleDice
    from qf_tui.session.session import Session

    class Listener(Protocol):
        """The part of a feature that follows an open battle."""

        def record(self, act: LogAct) -> None:
            """Take note of an act that has been written to disk, and return at once."""

        def warn(self) -> str:
            """Return the current problem as a message, or ""."""
            ...

        def close(self) -> str:
            """Stop listening, and return a last message for the umpire, or ""."""
            ...

    class BattlePart(Protocol):
        """The part of a feature on a battle screen, in the umpire's console or in one that only watches."""

        def compose(self) -> Iterable[TextPane]:
            """Yield the panes of the feature above the order bar."""
            ...

        def look(self) -> None:
            """Read the changes that others made, such as proposals of players.

            The base calls it often, but not while it draws the battle.
            """

        def show(self) -> None:
            """Draw the panes of the feature again after a change of the battle."""

        def list_notes(self) -> Iterable[tuple[str, str]]:
            """List notes to show next to the battle, as on the wall display: pairs of label and text."""
            ...

        def warn(self) -> str:
            """Return the current problem as a message, or ""."""
            ...

        def hold_phase(self) -> str:
            """Return why the phase cannot end now, or "" if it can."""
            ...

        def close(self) -> None:
            """Release what the feature holds when the battle screen closes."""

    class StartPart(Protocol):
        """A feature's part of the first screen."""

        def list_offers(self) -> Iterable[Offer]:
            """List the offers of the feature, which the screen shows below all others."""
            ...

        def find_unfinished(self) -> str:
            """Return, as text, the unfinished work that would be lost if the program ended now, or ""."""
            ...

    class DiceMaker(Protocol):
        """The maker of one kind of dice."""

        def begin(self, sides: int) -> BattleDice:
            """Make the dice of a new battle without asking the sides for their part of them.

            Args:
                sides: Number of sides of the battle.
            """
            ...

        def resume(
            self, extra: Mapping[str, object], log: Sequence[LogAct], save: Path | None, seed: int | None
        ) -> BattleDice:
            """Restore the dice of a save.

            Args:
                extra: The parts of the save's header.
                log: The acts of the save.
                save: The path of the save; without a path the dice cannot be thrown.
                seed: The seed, if it is known.
            """
            ...

        def ask(self, app: AnyApp, sides: Sequence[str], begin: Callable[[BattleDice], object]) -> None:
            """Ask each side in the console for its part of the dice, then call `begin` with the dice."""

        def ask_in_lines(
            self, sides: Sequence[str], say: Callable[..., None], is_sure: Callable[[str], bool]
        ) -> BattleDice:
            """Ask each side for its part of the dice, line by line without a screen.

            Args:
                say: Prints a text.
                is_sure: Asks a question, and returns whether the answer is yes.
            """
            ...

        def choose(self, arguments: Namespace, start: Battle | None) -> BattleDice | None:
            """Make the dice with which `run` begins a battle.

            Args:
                start: Start of the battle, or None if `run` opens a save.

            Returns:
                The dice, or None if the battle has other dice or `run` opens a save.
            """
            ...


class DiceKind:
    """A kind of dice that a feature adds.

    Attributes:
        word: The word that chooses these dice in a scenario.
        text: The meaning of that word.
        part: The key of its data in the header of a save.
        load: Function that returns the maker of these dice.
    """

    def __init__(self, word: str, text: str, part: str, load: "Callable[[], DiceMaker]") -> None:
        self.word, self.text, self.part, self.load = word, text, part, load


class Extra:
    """A named value that a feature stores with acts of a save, entries and amendments.

    If the feature is missing, the base keeps the value without reading it.

    Attributes:
        check: Function that returns the fault of a value that was read, such as `is no text`, or "".
        write: Function that returns the value for an act that is about to be recorded, or None for no value.
            The value has the types that JSON gives back.
        show: Function that returns what a player of a side may know of the value, or None for nothing.
    """

    def __init__(
        self,
        name: str,
        check: "Callable[[object], str]",
        write: "Callable[[Session, Revision], object]" = lambda *_: None,
        show: "Callable[[object, str], object]" = lambda *_: None,
    ) -> None:
        """Declare an extra; by default no act gets it, and no player may know it."""
        self.name, self.check, self.write, self.show = name, check, write, show


def check_text(value: object) -> str:
    """Return `is no text` if the value of an extra is no text, or ""."""
    return "" if isinstance(value, str) else "is no text"


class Instead(argparse.Action):
    """An option that a feature adds to a command. If the user gives it, the command `const` runs instead."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: "Namespace",
        values: object,
        option: str | None = None,
    ) -> None:
        """Store the value of the option, and make `const` the command that runs."""
        setattr(namespace, self.dest, values)
        namespace.does = self.const


class Argument:
    """One argument of a command.

    Attributes:
        name: Name, such as `battle` or `--save`.
        options: Options with which `argparse` adds it to a parser.
    """

    def __init__(self, name: str, metavar: str | None, text: str | None = None, **options: "Any") -> None:
        self.name = name
        self.options: dict[str, Any] = {"metavar": metavar, "help": text, **options}


def declare_flag(name: str, text: str) -> Argument:
    """Build the argument for a switch that takes no value, such as `--json`."""
    argument = Argument(name, metavar=None, text=text, action="store_true")
    # `argparse` refuses a metavar for a switch.
    del argument.options["metavar"]
    return argument


class Command:
    """One command of the command line.

    Attributes:
        run: The place of its function, as `module:function`. The module is loaded when the command runs.
        text: Its line in the help.
        more: The help text after that line.
        arguments: Its arguments. Of the arguments in a tuple, the user may give only one.
    """

    def __init__(
        self,
        name: str,
        run: str,
        text: str,
        more: str,
        *arguments: Argument | tuple[Argument, ...],
    ) -> None:
        self.name, self.run, self.text, self.more, self.arguments = name, run, text, more, arguments


class FileFormat:
    """A file format that a feature adds.

    Attributes:
        key: The key by which a file of this format is recognized.
        title: The name of the format.
        check: Function that adds the faults of a file's data to a checker.
    """

    def __init__(self, key: str, title: str, check: "Callable[[Data, RuleSystem, Checker], object]") -> None:
        self.key, self.title, self.check = key, title, check


class ScenarioNote:
    """A note below the ships on the page of a scenario.

    Attributes:
        word: One word for the note.
        title: Its heading.
        lines: Its text.
    """

    def __init__(self, word: str, title: str, lines: "tuple[str, ...]") -> None:
        self.word, self.title, self.lines = word, title, lines


def add_nothing(*_: object) -> tuple[()]:
    """Return (). It is the default of the hooks that list something."""
    return ()


class Feature:
    """A feature: its name and its hooks.

    Attributes:
        commands: The commands that it adds.
        options: Arguments that it adds to commands of the base, each after the name of the command. An
            argument whose `dest` is a setting of the feature replaces that setting for one run. An argument
            with the action `Instead` runs a command of the feature.
        settings: Lists its keys of the user's settings.
        console: Returns its places, keys and actions in the console.
        listen: Returns its listener for an open battle, or None if it needs none. The base calls it when the
            battle opens and after each change of the settings, with the present listener.
        start: Makes its part of the first screen.
        attend: Makes its part of a battle screen as the screen opens.
        scenario_keys: Lists its keys of scenarios.
        files: The file formats that it adds.
        extras: The values that it stores with acts of a save.
        dice: The kind of dice that it adds.
        explain: Lists lines that explain the present values of a ship to the umpire. Its arguments are the
            battle at its start, the id of the ship, the column of the grid in question, and the save.
        describe_start: Lists notes for the page of a scenario.
        note_act: Lists texts for the full history of an act.
        list_standings: Lists texts on how near each side is to victory, which all may know.
    """

    def __init__(  # noqa: PLR0913 - each hook by its name
        self,
        name: str,
        *,
        commands: tuple[Command, ...] = (),
        options: tuple[tuple[str, Argument], ...] = (),
        settings: "Callable[[], tuple[FieldSpec, ...]]" = tuple,
        console: "Callable[[], ConsolePart] | None" = None,
        listen: "Callable[[Session, Settings, Listener | None], Listener | None] | None" = None,
        start: "Callable[[StartScreen], StartPart] | None" = None,
        attend: "Callable[[BattleView], BattlePart] | None" = None,
        scenario_keys: "Callable[[], tuple[ScenarioKeys, ...]]" = tuple,
        files: tuple[FileFormat, ...] = (),
        extras: tuple[Extra, ...] = (),
        dice: DiceKind | None = None,
        explain: "Callable[[Battle, str, Column | None, Path | None], Iterable[Line]]" = add_nothing,
        describe_start: "Callable[[RuleSystem, Battle], Iterable[ScenarioNote]]" = add_nothing,
        note_act: "Callable[[BattleSource, LogAct], Iterable[str]]" = add_nothing,
        list_standings: "Callable[[RuleSystem, Timeline], Iterable[str]]" = add_nothing,
    ) -> None:
        self.name, self.commands, self.options = name, commands, options
        self.settings, self.console, self.listen = settings, console, listen
        self.start, self.attend = start, attend
        self.scenario_keys, self.files = scenario_keys, files
        self.extras, self.dice = extras, dice
        self.explain, self.describe_start, self.note_act = explain, describe_start, note_act
        self.list_standings = list_standings


HIDDEN = argparse.SUPPRESS
"""The help text of an argument that only the program itself passes; the help leaves the argument out."""
