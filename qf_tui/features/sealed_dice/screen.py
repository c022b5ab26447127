"""The screen that shows the seal (a checksum) of new dice and takes a word from each side."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.widgets.actions import ENTRY
from qf_tui.console.widgets.keys import Hints, KeyModal, build_question_hints
from qf_tui.console.widgets.text import Signs, SteadyText, literal
from qf_tui.core.errors import QfError
from qf_tui.features.sealed_dice.dice import SealedDice
from qf_tui.features.sealed_dice.qr import Rows, draw_qr_blocks
from qf_tui.features.sealed_dice.seal import (
    NOTHING_PROVED,
    PLEDGE,
    TAKE_DOWN,
    Seal,
    add_words,
    build_seal_qr,
    list_seal_words,
    make_dice,
)


def render_qr(rows: Rows) -> list[Content]:
    """Render a QR code as lines, two modules above each other in a cell; ASCII signs cannot draw it: []."""
    return [literal(line, "#ffffff on #000000") for line in draw_qr_blocks(() if Signs.ascii else rows)]


def draw_qr_lines(digest: str) -> list[Content]:
    """Draw the QR code of the whole seal."""
    return render_qr(build_seal_qr(digest))


def build_seal_lines(seal: Seal, sides: Sequence[str], *, in_use: bool) -> list[Content]:
    """Build lines with the seal and the words of the sides.

    Args:
        in_use: True if the sealed dice still throw: their seed is here and not revealed.
    """
    words_by_side = (f"{side}: {word or '(none)'}" for side, word in zip(sides, seal.words, strict=False))
    state = (
        "a call throws the dice" if in_use else "the seed is revealed or not here: the table throws the dice"
    )
    return [
        literal(state),
        literal(f"words: {' · '.join(words_by_side)}"),
        *([] if seal.has_two_words else [literal(NOTHING_PROVED, "$text-warning")]),
        literal(f"seal: {' '.join(list_seal_words(seal.digest))}"),
        *draw_qr_lines(seal.digest),
        literal(seal.digest, "$quiet"),
    ]


class SealScreen(KeyModal[SealedDice | None]):
    """The screen with the seal of new dice and a field for each side's word.

    It returns the dice with the words, or None if the user cancels.
    """

    DEFAULT_CSS = "SealScreen { align: center middle; }"
    CSS = """
    SealScreen .panel { max-height: 100%; }
    SealScreen .panel-keys { margin-top: 0; }
    SealScreen #seal-body { height: auto; max-height: 19; }
    SealScreen #seal-code { width: auto; }
    SealScreen #seal-words { width: 1fr; height: auto; max-height: 19; padding-left: 2; }
    SealScreen #seal-words Input { background: $panel; }
    SealScreen .seal-part { margin: 1 0; }
    """
    places = (ENTRY,)

    def __init__(self, sides: Sequence[str]) -> None:
        super().__init__()
        self.sides, self.dice = tuple(sides), make_dice()

    def compose(self) -> ComposeResult:
        seal = self.dice.seal
        words = [f"{place} {word}" for place, word in enumerate(list_seal_words(seal), 1)]
        pairs = zip(words[::2], words[1::2], strict=True)
        with Vertical(classes="panel"):
            yield SteadyText(literal("The seal of this battle's dice", "bold $primary"), id="seal-title")
            with Horizontal(id="seal-body"):
                yield SteadyText(Content("\n").join(draw_qr_lines(seal)), id="seal-code")
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
            yield Hints(
                build_question_hints("next word, then begins", "does not begin"), classes="panel-keys"
            )

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def action_accept(self) -> None:
        """Go to the next field; after the last one, add the words and begin.

        If the words prove nothing, warn first; a second Enter begins.
        """
        inputs = list(self.query(Input))
        at = inputs.index(self.focused) if isinstance(self.focused, Input) else 0
        if at < len(inputs) - 1:
            inputs[at + 1].focus()
            return
        message_line = self.query_one("#entry-says", SteadyText)
        try:
            dice = add_words(self.dice, len(self.sides), (line.value for line in inputs))
        except QfError as fault:
            message_line.update(literal(f"✗ {fault}", "bold $text-error"))
            return
        if Seal.from_dice(dice).has_two_words or message_line.has_class("-warned"):
            self.dismiss(dice)
        else:
            message_line.add_class("-warned")
            message_line.update(literal(f"{NOTHING_PROVED} Enter begins anyway.", "bold $text-warning"))
