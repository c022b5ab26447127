"""Scenarios looked at and begun, by a name or a set-up; the seal of sealed dice."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.widgets.actions import ENTRY
from qf_tui.console.widgets.keys import Hints, KeyModal, asking
from qf_tui.console.widgets.text import SteadyText, literal
from qf_tui.core.crews import Crew
from qf_tui.core.errors import QfError
from qf_tui.core.sealed_dice import SEALED, SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.library.paths import read_toml
from qf_tui.session import Session
from qf_tui.session.dice import (
    NOTHING_PROVED,
    Seal,
    new_dice,
    qr_blocks,
    seal_qr,
    seal_words,
    with_words,
)
from qf_tui.session.opening import PLEDGE, TAKE_DOWN, Beginning, new_battle

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


def begin_draft(
    draft: "Draft", systems: Mapping[str, RuleSystem], sealed: SealedDice | None = None
) -> Session:
    """Keeps a set-up as a user's scenario and begins it; Faults lists all that is wrong and keeps nothing."""
    # Most battles are begun or continued; they do not wait for what writes a scenario.
    from qf_tui.library.writers import discard, write

    scenario = write(draft, systems)
    try:
        return new_battle(scenario, None, systems).begin(sealed)
    except QfError:
        # Where there is no room for the save, each try would leave a scenario more.
        discard(scenario)
        raise


def qr_lines(digest: str) -> list[Content]:
    """Draw the QR code of the whole seal, two modules a cell."""
    return [literal(line, "#ffffff on #000000") for line in qr_blocks(seal_qr(digest))]


def seal_lines(seal: Seal, sides: Sequence[str], secret: bool) -> list[Content]:
    """Sealed dice in lines: the seal and the words of the sides; `secret`: the seed is not revealed."""
    given = (f"{side}: {word or '(none)'}" for side, word in zip(sides, seal.words, strict=False))
    state = (
        "a call throws the dice" if secret else "the seed is revealed or not here: the table throws the dice"
    )
    return [
        literal(state),
        literal(f"words: {' · '.join(given)}"),
        *([] if seal.proves else [literal(NOTHING_PROVED, "$text-warning")]),
        literal(f"seal: {' '.join(seal_words(seal.digest))}"),
        *qr_lines(seal.digest),
        literal(seal.digest, "$quiet"),
    ]


class SealScreen(KeyModal[SealedDice | None]):
    """The seal of new dice, and a field for each side's word; gives the dice with their words."""

    places = (ENTRY,)

    def __init__(self, sides: Sequence[str]) -> None:
        super().__init__()
        self.sides, self.dice = tuple(sides), new_dice()

    def compose(self) -> ComposeResult:
        seal = self.dice.seal
        words = [f"{place} {word}" for place, word in enumerate(seal_words(seal), 1)]
        pairs = zip(words[::2], words[1::2], strict=True)
        with Vertical(classes="panel"):
            yield SteadyText(literal("The seal of this battle's dice", "bold $primary"), id="seal-title")
            with Horizontal(id="seal-body"):
                yield SteadyText(Content("\n").join(qr_lines(seal)), id="seal-code")
                with VerticalScroll(id="seal-words", can_focus=False):
                    yield SteadyText(literal(TAKE_DOWN))
                    yield SteadyText(
                        literal("\n".join(f"{word:<14}{other}" for word, other in pairs), "bold"),
                        classes="seal-part",
                    )
                    yield SteadyText(literal(PLEDGE))
                    for place, side in enumerate(self.sides):
                        yield SteadyText(literal(f"{side}:", "$quiet"), classes="seal-side")
                        yield Input("", id=f"word-{place}", compact=True)
            yield SteadyText(Content(""), id="entry-says")
            yield Hints(asking("next word, then begins", "does not begin"), classes="panel-keys")

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def action_accept(self) -> None:
        """Goes on to the next side; after the last begins, with a warning where nothing is proved."""
        lines = list(self.query(Input))
        at = lines.index(self.focused) if isinstance(self.focused, Input) else 0
        if at < len(lines) - 1:
            lines[at + 1].focus()
            return
        says = self.query_one("#entry-says", SteadyText)
        try:
            dice = with_words(self.dice, len(self.sides), (line.value for line in lines))
        except QfError as fault:
            says.update(literal(f"✗ {fault}", "bold $text-error"))
            return
        if Seal(dice.seal, dice.words).proves or says.has_class("-warned"):
            self.dismiss(dice)
        else:
            says.add_class("-warned")
            says.update(literal(f"{NOTHING_PROVED} Enter begins anyway.", "bold $text-warning"))


def ask_words(app: App[Any], beginning: Beginning, opened: Callable[[Session], object]) -> None:
    """Shows the seal, takes the words, and begins."""

    def begin(sealed: SealedDice | None) -> None:
        try:
            session = beginning.begin(sealed)
        except QfError as fault:
            app.notify(str(fault), severity="error", timeout=60, markup=False)
        else:
            opened(session)

    seal_first(app, SEALED, beginning.sides, begin)


def seal_first(
    app: App[Any], dice: object, sides: Sequence[str], begin: Callable[[SealedDice | None], object]
) -> None:
    """Begins a battle at once, or where its `dice` are sealed after its sides gave their words."""
    if dice != SEALED:
        begin(None)
        return

    def given(sealed: SealedDice | None) -> None:
        if sealed is not None:
            begin(sealed)

    app.push_screen(SealScreen(sides), given)
