"""How the orders look that every rule system has."""

from collections.abc import Mapping
from functools import lru_cache

from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.system import RuleSystem

NEXT = Form("next", "n", "End the phase", help="ends the phase; `force next` carries over what is owed")
ROLL = Form(
    "roll",
    "o",
    "Answer an owed roll",
    (Slot("key", Kind.KEY, "the key of the roll", optional=True),),
    dice="D...",
    help="answers an owed roll; without a key the first",
)
ANSWER = Form(
    "answer",
    "",
    "Answer a question",
    (
        Slot("key", Kind.KEY, "the key of the question", optional=True),
        Slot("words", Kind.CODES, "the answer"),
    ),
    help="answers a question that wants words: codes, `none`, a choice, a ship or `nobody`",
)
MARK = Form(
    "mark",
    "e",
    "Write on a log",
    (
        Slot("ship", Kind.SHIP, "the ship"),
        Slot("field", Kind.NAME, "the field"),
        Slot("value", Kind.WORDS, "the value, or +1 or -1"),
    ),
    help="sets a field of a ship's log or card by hand; +1 and -1 change it",
)
DAMAGE = Form(
    "damage",
    "d",
    "Damage a ship",
    (Slot("ship", Kind.SHIP, "the ship"), Slot("codes", Kind.CODES, "the damage codes")),
    help="damage by the umpire's word, through the rules' cascade",
)
OPTION = Form(
    "option",
    "",
    "Turn a switch",
    (Slot("name", Kind.NAME, "the switch"), Slot("value", Kind.NAME, "its value")),
    help="changes a switch of the rules from here on",
)
CHART = Form(
    "chart",
    "",
    "Lay a chart over",
    (Slot("file", Kind.WORDS, "the file"),),
    help="lays an umpire's chart over ours from here on",
)
JOIN = Form(
    "join",
    "",
    "Ships arrive",
    (Slot("side", Kind.SIDE, "the side"), Slot("ships", Kind.RESERVE, "the ships")),
    help="ships of the fleet files that are not in the battle yet arrive",
)
LEAVE = Form(
    "leave",
    "",
    "A ship goes",
    (Slot("ship", Kind.SHIP, "the ship"), Slot("how", Kind.NAME, "what becomes of it", optional=True)),
    help="a ship withdraws, strikes, runs aground or is sunk, by the umpire's word",
)
NOTE = Form("note", "", "A remark", (Slot("text", Kind.WORDS, "the remark"),), help="a remark in the log")
DOUBT = Form(
    "doubt",
    "",
    "Doubt an entry",
    (Slot("entry", Kind.NUMBER, "the entry"), Slot("text", Kind.WORDS, "what is disputed", optional=True)),
    help="an entry is disputed; the phase is held until it is settled",
)
SETTLE = Form(
    "settle", "", "Settle a doubt", (Slot("entry", Kind.NUMBER, "the entry"),), help="clears a doubt"
)

BUILTIN = (NEXT, ROLL, ANSWER, MARK, DAMAGE, OPTION, CHART, JOIN, LEAVE, NOTE, DOUBT, SETTLE)


@lru_cache(maxsize=16)
def _forms_of(own: tuple[Form, ...]) -> Mapping[str, Form]:
    return {form.word: form for form in (*own, *BUILTIN)}


def all_forms(system: RuleSystem) -> Mapping[str, Form]:
    """Every play order of a system by its word, its own first."""
    return _forms_of(system.forms)
