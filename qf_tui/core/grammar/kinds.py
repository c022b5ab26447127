"""The kinds of slot, each by the name that a form gives it."""

from collections.abc import Mapping

from qf_tui.core.grammar import figure_kinds, kind, name_kinds, text_kinds
from qf_tui.core.grammar.forms import Slot
from qf_tui.core.grammar.kind import NUMBER as NUMBER
from qf_tui.core.grammar.kind import Kind as Kind
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.values import Battle

SHIP, SHIPS = name_kinds.Ship(), name_kinds.Ships()
SIDE, DIVISION, ARRIVALS = name_kinds.Side(), name_kinds.Division(), name_kinds.Arrivals()
NAME, FIELD, SWITCH = name_kinds.Name(), name_kinds.Field(), name_kinds.Switch()
SETTING, DEPARTURE, EDGE = name_kinds.Setting(), name_kinds.Departure(), name_kinds.Edge()
CHOICE, WHOLE_WORD, FLAG = kind.Choice(), kind.WholeWord(), kind.Flag()
COUNT, MEASURE, DIE = figure_kinds.Count(), figure_kinds.Measure(), figure_kinds.Die()
NUMBER_OF_ACT = figure_kinds.NumberOfAct()
TEXT, CODES, ANSWER = text_kinds.Text(), text_kinds.Codes(), text_kinds.Answer()
KEY, PLAY_ORDER = text_kinds.Key(), text_kinds.PlayOrder()


def flag(word: str, label: str) -> Slot:
    """A word that stands or not."""
    return Slot(word, FLAG, label, choices=(word,), optional=True)


def absent(slots: tuple[Slot, ...], values: Mapping[str, SlotValue], battle: Battle) -> str:
    """Why an order read elsewhere means nothing in a battle that has not its ships; "" where it does."""
    for slot in slots:
        value = values.get(slot.name, ()) if slot.kind.holds_ships else ()
        for id in value if isinstance(value, tuple) else (value,):
            if id not in battle.ships:
                return f"no ship “{id}”"
    return ""
