"""Sealed dice: made from a secret seed, a word of each side and a called number; everyone can check them.

`dice`     faces made from a seed, words and a call, and the context of each throw
`seal`     the seal: a checksum of the seed that is shown before play; the words of the sides
`seed`     the secret seed in a file next to the save
`witness`  a digest of the whole log at the end of each phase, also as words
`qr`       QR codes, also drawn as lines of blocks
`battle`   the dice of an open battle: makes them, resumes them with a save, reveals the seed
`check`    makes every throw of a log again, and compares
`command`  `qf-tui verify --dice` and `--witness`
`screen`   the seal of new dice, and fields for the words
`actions`  the actions in the console
"""

from qf_tui.hooks import Argument, Command, DiceKind, Extra, Feature, Instead, check_text

TYPE_CHECKING = False  # typing is not loaded for this alone
if TYPE_CHECKING:
    from collections.abc import Iterator

    from qf_tui.console.reading.source import BattleSource
    from qf_tui.console.widgets.actions import ConsolePart
    from qf_tui.core.revisions import Revision
    from qf_tui.core.timeline import LogAct
    from qf_tui.hooks import DiceMaker
    from qf_tui.session.session import Session

WORD = "sealed"
PART = "dice"
"""The part of a header that holds the seal and the words."""
NONCE, NONCE_BYTES = "nonce", 16
"""The extra of an entry that ends a phase: random bits, in hexadecimal."""


def load_console() -> "ConsolePart":
    """Load the keys and places that the feature adds to the console."""
    from qf_tui.features.sealed_dice.actions import PART

    return PART


def load_dice() -> "DiceMaker":
    """Load the module that makes the dice."""
    from qf_tui.features.sealed_dice import battle

    return battle


def draw_nonce(session: "Session", revision: "Revision") -> str | None:
    """Draw random bits for an entry that ends a phase in a save; return None for any other entry.

    Without them, a person who knows a witness could try which hidden lines give it.
    """
    from secrets import token_hex

    from qf_tui.core.timeline import Entry
    from qf_tui.journal.saving import Journal

    ruling = revision.ruling if isinstance(revision.act, Entry) else None
    is_phase_end = ruling is not None and ruling.decision.begun_phase is not None
    return token_hex(NONCE_BYTES) if is_phase_end and isinstance(session.journal, Journal) else None


def list_witness_notes(source: "BattleSource", act: "LogAct") -> "Iterator[str]":
    """Yield the witness of the log after an act, or nothing if the act has none."""
    if NONCE in act.extra:
        from qf_tui.features.sealed_dice.witness import find_witnesses

        for witness in find_witnesses(source):
            if witness.number == act.number:
                yield f"witness of the log: {witness.words}"


CHECK = Command("verify", "qf_tui.features.sealed_dice.command:verify_dice", "", "")
WITNESS = Argument(
    "--witness",
    "WORDS",
    "only reports after which entry the log has this witness",
    action=Instead,
    const=CHECK,
)
DICE = Argument(
    "--dice",
    None,
    "its sealed dice: every throw, and its later changes",
    action=Instead,
    const=CHECK,
    nargs=0,
)
SEED_FILE = Argument(
    "--seed-file",
    "FILE",
    "with --dice: the seed, if the save has not revealed it yet",
    action=Instead,
    const=CHECK,
)
GIVEN_WORDS = Argument("--words", "WORDS", 'for sealed dice: a word from each side, like "amber tiger"')
SEALED_DICE = Feature(
    "sealed dice",
    options=(("run", GIVEN_WORDS), ("verify", WITNESS), ("verify", DICE), ("verify", SEED_FILE)),
    console=load_console,
    note_act=list_witness_notes,
    extras=(Extra(NONCE, check_text, draw_nonce),),
    dice=DiceKind(WORD, "it throws dice that can be checked later", PART, load_dice),
)
