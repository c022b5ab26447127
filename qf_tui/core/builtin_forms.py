"""The forms of the orders that every rule system has: the parts of each order, and the words to type."""

from collections.abc import Mapping
from functools import lru_cache

from attrs import evolve

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Vocabulary
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Form, Slot

NEXT = Form("next", "n", "End the phase", help="ends the phase; `force next` carries over what is owed")
ROLL = Form(
    "roll",
    "o",
    "Answer an owed roll",
    (Slot("key", kinds.KEY, "the key of the roll", optional=True),),
    dice="D...",
    help="answers an owed roll; without a key the first",
)
ANSWER = Form(
    "answer",
    "",
    "Answer a question",
    (
        Slot("key", kinds.KEY, "the key of the question", optional=True),
        Slot("words", kinds.ANSWER, "the answer"),
    ),
    help="answers a question that needs words: codes, `none`, a choice, a ship or `nobody`",
)
_SHIP = Slot("ship", kinds.SHIP, "the ship")
_ENTRY = Slot("entry", kinds.NUMBER_OF_ACT, "the entry")
MARK = Form(
    "mark",
    "e",
    "Overwrite a field",
    (
        _SHIP,
        Slot("field", kinds.FIELD, "the field"),
        Slot("value", kinds.TEXT, "the value, or +1 or -1"),
    ),
    help="overwrites a field of a ship's log or card; +1 and -1 change it",
)
STATE = Form(
    "state",
    "",
    "Overwrite several fields",
    (Slot("entries", kinds.TEXT, "the hand entries"),),
    help="overwrites fields of several ships: `state ID FIELD VALUE; ID FIELD VALUE`",
)
DAMAGE = Form(
    "damage",
    "d",
    "Damage a ship",
    (evolve(_SHIP, identifies=True), Slot("codes", kinds.CODES, "the damage codes")),
    help="applies damage, with its knock-on effects",
)
OPTION = Form(
    "option",
    "",
    "Set a switch",
    (Slot("name", kinds.SWITCH, "the switch"), Slot("value", kinds.SETTING, "its value")),
    help="changes a switch of the rules from here on",
)
CHART = Form(
    "chart",
    "",
    "Use your own chart",
    (Slot("file", kinds.TEXT, "the file"),),
    help="uses your own chart from here on",
)
JOIN = Form(
    "join",
    "",
    "Reinforcements",
    (Slot("side", kinds.SIDE, "the side"), Slot("ships", kinds.ARRIVALS, "the ships")),
    help="brings reinforcements from a fleet file",
)
LEAVE = Form(
    "leave",
    "",
    "A ship leaves",
    (
        _SHIP,
        Slot("how", kinds.DEPARTURE, "its new status", optional=True),
        Slot("edge", kinds.EDGE, "the edge it leaves by", optional=True),
    ),
    help="records that a ship is withdrawn, struck or sunk",
)
NOTE = Form(
    "note",
    "",
    "A remark",
    (Slot("text", kinds.TEXT, "the remark"),),
    help="writes a remark; players read it on the board if it begins with `all:` or a side, `japan:`",
)
DOUBT = Form(
    "doubt",
    "",
    "Doubt an entry",
    (_ENTRY, Slot("text", kinds.TEXT, "what is disputed", optional=True)),
    help="disputes an entry; holds the phase until it is settled",
)
SETTLE = Form("settle", "", "Settle a doubt", (_ENTRY,), help="clears a doubt")
REVEAL = Form(
    "reveal",
    "",
    "Reveal the seed",
    (Slot("seed", kinds.TEXT, "the seed, if its file is not next to the save", optional=True),),
    help="writes the seed of sealed dice into the save at the end, so that all can check the dice",
)

BUILTIN = (NEXT, ROLL, ANSWER, MARK, STATE, DAMAGE, OPTION, CHART, JOIN, LEAVE, NOTE, DOUBT, SETTLE, REVEAL)

_NUMBER = Slot("n", kinds.NUMBER_OF_ACT, "the number of an entry")
_TIMES = Slot("k", kinds.COUNT, "how many", optional=True, least=1)
_PLAY_ORDER = Slot("order", kinds.PLAY_ORDER, "the order")
UNDO = Form("undo", "u", "Undo", (_TIMES,), help="strikes the last entry in force, or the last K")
REDO = Form("redo", "r", "Redo", (_TIMES,), help="restores the last entry struck, or the last K")
STRIKE = Form("strike", "", "Strike an entry", (_NUMBER,), help="takes an entry out of force")
RESTORE = Form("restore", "", "Restore an entry", (_NUMBER,), help="puts an entry back in force")
AMEND = Form(
    "amend",
    "",
    "Amend an entry",
    (_NUMBER, evolve(_PLAY_ORDER, optional=True)),
    dice="D...",
    help="gives an entry other dice or another order",
)
INSERT = Form(
    "insert", "", "Insert an entry", (_NUMBER, _PLAY_ORDER), help="puts a forgotten order right after entry N"
)
SHIFT = Form(
    "shift",
    "",
    "Shift an entry",
    (
        _NUMBER,
        Slot("m", kinds.NUMBER_OF_ACT, "the entry before it", keyword="after"),
        kinds.build_flag_slot("force", "even if a rule refuses the new place"),
    ),
    help="moves an entry with its dice",
)
CORRECTIONS = (UNDO, REDO, STRIKE, RESTORE, AMEND, INSERT, SHIFT)
"""The forms of the orders that change the log itself."""


@lru_cache(maxsize=16)
def _list_forms(system_forms: tuple[Form, ...], sources: tuple[str, ...]) -> Mapping[str, Form]:
    """Return the forms by their words; with any `sources`, `damage` gets an optional slot for one of them."""
    damage = DAMAGE
    if sources:
        source = Slot("source", kinds.WHOLE_WORD, "its source", sources, optional=True)
        damage = evolve(DAMAGE, slots=(DAMAGE.slots[0], source, *DAMAGE.slots[1:]))
    return {form.word: form for form in (*system_forms, *BUILTIN, damage)}


def list_forms(system: RuleSystem) -> Mapping[str, Form]:
    """Return the forms of all play orders of a system by their words, its own forms first."""
    return _list_forms(system.forms, system.damage_sources)


def build_vocabulary(system: RuleSystem) -> Vocabulary:
    """Build the vocabulary in which orders are read under a rule system."""
    return Vocabulary(
        list_forms(system),
        {form.word: form for form in CORRECTIONS},
        tuple(field.name for field in system.fields),
        {option.name: option.values for option in system.options},
        system.departure_statuses,
        units={(scale.name, scale.units): scale.unit for scale in system.scales},
        measures={(scale.name, scale.units): scale.measures for scale in system.scales},
        bulk=system.bulk,
        at_hand=system.target_statuses,
        dice=system.dice,
    )
