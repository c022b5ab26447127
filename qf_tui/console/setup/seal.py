"""The seal of sealed dice shown before turn 1, and the words that the sides then give."""

from collections.abc import Callable, Sequence
from typing import Any

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.widgets.key_bar import Hints, asking
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.places import ENTRY
from qf_tui.console.widgets.text import literal
from qf_tui.core.errors import QfError
from qf_tui.core.sealed_dice import SEALED, SealedDice
from qf_tui.session.dice import NOTHING_PROVED, Seal, new_dice, with_words
from qf_tui.session.seal import qr_blocks, seal_qr, seal_words


def qr_lines(digest: str) -> list[Content]:
    """The whole seal as a QR code, two modules a cell; [] where no code can be made."""
    return [literal(line, "#ffffff on #000000") for line in qr_blocks(seal_qr(digest))]


def word_lines(digest: str) -> list[Content]:
    """The eight words of a seal, two a line, numbered."""
    words = [f"{place} {word}" for place, word in enumerate(seal_words(digest), 1)]
    return [literal(f"{one:<14}{other}", "bold") for one, other in zip(words[::2], words[1::2], strict=True)]


def seal_lines(seal: Seal, sides: Sequence[str], secret: bool) -> list[Content]:
    """What is to be said of sealed dice: seal, words of the sides; `secret`: the seed is, still."""
    given = (f"{side}: {word or '(none)'}" for side, word in zip(sides, seal.words, strict=False))
    state = (
        "a call throws the dice" if secret else "the seed is revealed, or not here: the dice are the table's"
    )
    return [
        literal(state),
        literal(f"words: {' · '.join(given)}"),
        *([] if seal.proves else [literal(NOTHING_PROVED, "$text-warning")]),
        literal(f"seal: {' '.join(seal_words(seal.digest))}"),
        *qr_lines(seal.digest),
        literal(seal.digest, "$quiet"),
    ]


TAKE_DOWN = "Every player takes this seal down: the code as a picture, or the eight words."
THEN = "Only then each side gives a word of its own, aloud."
PLEDGE = "All words enter every throw, so that nobody could choose a seed."


class SealScreen(KeyModal[SealedDice | None]):
    """The seal of new dice, and a line for the word of each side; gives the dice with their words."""

    places = (ENTRY,)

    def __init__(self, sides: Sequence[str]) -> None:
        super().__init__()
        self.sides, self.dice = tuple(sides), new_dice()

    def compose(self) -> ComposeResult:
        seal = self.dice.seal
        with Vertical(classes="panel"):
            yield SteadyText(literal("The seal of this battle's dice", "bold $primary"), id="seal-title")
            with Horizontal(id="seal-body"):
                yield SteadyText(Content("\n").join(qr_lines(seal)), id="seal-code")
                with VerticalScroll(id="seal-words", can_focus=False):
                    yield SteadyText(literal(TAKE_DOWN))
                    yield SteadyText(Content("\n").join(word_lines(seal)), classes="seal-part")
                    yield SteadyText(literal(f"{THEN} {PLEDGE}"))
                    for place, side in enumerate(self.sides):
                        yield SteadyText(literal(f"{side}:", "$quiet"), classes="seal-side")
                        yield Input("", id=f"word-{place}", compact=True)
            yield SteadyText(Content(""), id="entry-says")
            yield Hints(asking("next word, then begins", "does not begin"), classes="panel-keys")

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def action_accept(self) -> None:
        """Goes on to the next side; behind the last begins, after a warning where nothing would be proved."""
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
        if Seal(dice.seal, dice.words).proves or says.has_class("-told"):
            self.dismiss(dice)
        else:
            says.add_class("-told")
            says.update(literal(f"{NOTHING_PROVED} Enter begins all the same.", "bold $text-warning"))


def seal_first(
    app: App[Any], dice: object, sides: Sequence[str], begin: Callable[[SealedDice | None], object]
) -> None:
    """Begins a battle: at once, or where its `dice` are sealed once its sides have given their words."""
    if dice != SEALED:
        begin(None)
        return

    def given(sealed: SealedDice | None) -> None:
        if sealed is not None:
            begin(sealed)

    app.push_screen(SealScreen(sides), given)
