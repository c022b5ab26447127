"""What a feature adds to the base: one `Feature` value, which names the function behind each hook.

The base calls these functions and imports no feature. Nothing is loaded here but `argparse`: each start reads
the features' values, so their functions import what they need when they are called.
"""

import argparse

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Protocol

    from qf_tui.console.battle.view import BattleView
    from qf_tui.console.reading.source import BattleSource
    from qf_tui.console.widgets.actions import AnyApp, ConsolePart
    from qf_tui.console.widgets.text import TextPane
    from qf_tui.core.declarations import FieldSpec
    from qf_tui.core.revisions import Revision
    from qf_tui.core.system import Column, RuleSystem
    from qf_tui.core.timeline import LogAct
    from qf_tui.core.values import Battle
    from qf_tui.document.values import Line
    from qf_tui.library.declared import ScenarioKeys
    from qf_tui.library.faults import Checker, Data
    from qf_tui.library.settings import Settings
    from qf_tui.session.dice import BattleDice
    from qf_tui.session.session import Session

    class Listener(Protocol):
        """What a feature does while a battle is open."""

        def record(self, act: LogAct) -> None:
            """Take note of an act that is on disk; return at once."""

        def warn(self) -> str:
            """Return what is wrong now, or ""."""
            ...

        def close(self) -> str:
            """End, and return what the umpire must know, or ""."""
            ...

    class BattlePart(Protocol):
        """What a feature does on the screen of a battle, the umpire's or one that is only watched."""

        def compose(self) -> Iterable[TextPane]:
            """Yield its lines above the order bar."""
            ...

        def look(self) -> None:
            """Take in what others wrote; called often, once the battle has been drawn for a moment."""

        def show(self) -> None:
            """Draw its lines again after the battle has gone on."""

        def list_notes(self) -> Iterable[tuple[str, str]]:
            """List what it says beside the battle, as on the wall display, each a label and a text."""
            ...

        def warn(self) -> str:
            """Return what is wrong now, or ""."""
            ...

        def hold_phase(self) -> str:
            """Return why the phase cannot end now, or ""."""
            ...

        def close(self) -> None:
            """End as the battle is left."""

    class DiceMaker(Protocol):
        """What makes the dice of a kind."""

        def begin(self, sides: int) -> BattleDice:
            """Make the dice of a new battle of so many sides, none of which was asked."""
            ...

        def resume(
            self, extra: Mapping[str, object], log: Sequence[LogAct], save: Path | None, seed: int | None
        ) -> BattleDice:
            """Return the dice of a save by its header and log; without its path they cannot be thrown."""
            ...

        def ask(self, app: AnyApp, sides: Sequence[str], begin: Callable[[BattleDice], object]) -> None:
            """Ask in the console what sides give for the dice of a new battle, and begin with them."""

        def ask_in_lines(
            self, sides: Sequence[str], say: Callable[..., None], is_sure: Callable[[str], bool]
        ) -> BattleDice:
            """Ask so line by line; `say` prints texts, `is_sure` asks a question."""
            ...

        def choose(self, arguments: Namespace, start: Battle | None) -> BattleDice | None:
            """Make the dice with which `run` begins a battle; None if it has others, or for a save."""
            ...


class DiceKind:
    """A kind of dice of its own: its word in scenarios, what that means, its part of a header, its maker."""

    def __init__(self, word: str, text: str, part: str, load: "Callable[[], DiceMaker]") -> None:
        self.word, self.text, self.part, self.load = word, text, part, load


class Extra:
    """What a feature keeps with acts of a save, under a name; a base without the feature keeps it unread.

    An amendment is an act with extras of its own.

    Attributes:
        check: Returns what is wrong with one that was read, as `is no text`, or "".
        write: Returns it for an act that is about to be recorded, as JSON would give it back; None: none.
        show: Returns what a viewer who is not the umpire may know of it, by his side; None: nothing.
    """

    def __init__(
        self,
        name: str,
        check: "Callable[[object], str]",
        write: "Callable[[Session, Revision], object]" = lambda *_: None,
        show: "Callable[[object, str], object]" = lambda *_: None,
    ) -> None:
        self.name, self.check, self.write, self.show = name, check, write, show


def check_text(value: object) -> str:
    """Check an extra that is a text."""
    return "" if isinstance(value, str) else "is no text"


class Instead(argparse.Action):
    """An option of a feature on a command: where it is given, the command `const` runs in its place."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: "Namespace",
        values: object,
        option: str | None = None,
    ) -> None:
        """Keep the value, and have the other command run."""
        setattr(namespace, self.dest, values)
        namespace.does = self.const


class Argument:
    """One argument of a command, as `argparse` takes it."""

    def __init__(self, name: str, metavar: str | None, text: str | None = None, **how: "Any") -> None:
        self.name = name
        self.how: dict[str, Any] = {"metavar": metavar, "help": text, **how}


def flag(name: str, text: str) -> Argument:
    """Declare a switch that is there or not."""
    argument = Argument(name, None, text, action="store_true")
    del argument.how["metavar"]
    return argument


class Command:
    """One command: its name, its function, its line in the help, and what follows that line.

    `run` is where the function is, as `module:function`: it is loaded when the command is given. Of the
    arguments in one tuple only one may be given.
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
    """A format of files that people write: the key that tells it, its name, and what checks it."""

    def __init__(self, key: str, title: str, check: "Callable[[Data, RuleSystem, Checker], object]") -> None:
        self.key, self.title, self.check = key, title, check


class ScenarioNote:
    """What a scenario's page says below its ships: one word for it, a heading, and lines."""

    def __init__(self, word: str, title: str, lines: "tuple[str, ...]") -> None:
        self.word, self.title, self.lines = word, title, lines


def add_nothing(*_: object) -> tuple[()]:
    """Stand for a hook that a feature does not use."""
    return ()


class Feature:
    """One feature, by its hooks.

    Attributes:
        commands: Commands of its own.
        options: Arguments that it adds to commands of the base, by command. One whose `dest` is a setting of
            the feature replaces that setting for this time; `Instead` has a command of its own run.
        settings: Lists its keys of the user's settings.
        console: Returns its places, keys and actions in the console.
        listen: Returns its listener for an open battle, or None if it has nothing to do. It is called as the
            battle opens and after each change of the settings, with the listener so far.
        attend: Returns its part of the screen of a battle, as that is opened.
        scenario_keys: Lists its keys of scenarios.
        files: Formats of files of its own.
        extras: What it keeps with acts of a save.
        dice: The kind of dice that it throws in place of the table.
        explain: Lists lines that say to the umpire why a ship is as she is. It takes the start of the battle,
            her id, the column asked about, and the save.
        describe_start: Lists notes for the page of a scenario.
        note_act: Lists what the history says of an act, in full.
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
        attend: "Callable[[BattleView], BattlePart] | None" = None,
        scenario_keys: "Callable[[], tuple[ScenarioKeys, ...]]" = tuple,
        files: tuple[FileFormat, ...] = (),
        extras: tuple[Extra, ...] = (),
        dice: DiceKind | None = None,
        explain: "Callable[[Battle, str, Column | None, Path | None], Iterable[Line]]" = add_nothing,
        describe_start: "Callable[[RuleSystem, Battle], Iterable[ScenarioNote]]" = add_nothing,
        note_act: "Callable[[BattleSource, LogAct], Iterable[str]]" = add_nothing,
    ) -> None:
        self.name, self.commands, self.options = name, commands, options
        self.settings, self.console, self.listen, self.attend = settings, console, listen, attend
        self.scenario_keys, self.files = scenario_keys, files
        self.extras, self.dice = extras, dice
        self.explain, self.describe_start, self.note_act = explain, describe_start, note_act


HIDDEN = argparse.SUPPRESS
"""The help of an argument that only the program itself gives."""
