"""The kinds of slot, each by the name that a form gives it."""

from collections.abc import Mapping

from qf_tui.core.grammar import figure_kinds, kind, name_kinds, text_kinds
from qf_tui.core.grammar.forms import Slot
from qf_tui.core.grammar.kind import NUMBER as NUMBER
from qf_tui.core.grammar.kind import SlotKind as SlotKind
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.values import Battle

SHIP, SHIPS = name_kinds.ShipKind(), name_kinds.ShipsKind()
SIDE, DIVISION, ARRIVALS = name_kinds.SideKind(), name_kinds.DivisionKind(), name_kinds.ArrivalsKind()
NAME, FIELD, SWITCH = name_kinds.NameKind(), name_kinds.FieldNameKind(), name_kinds.SwitchKind()
SETTING, DEPARTURE, EDGE = name_kinds.SettingKind(), name_kinds.DepartureKind(), name_kinds.EdgeKind()
CHOICE, WHOLE_WORD, FLAG = kind.ChoiceKind(), kind.WholeWordKind(), kind.FlagKind()
COUNT, MEASURE, DIE = figure_kinds.CountKind(), figure_kinds.MeasureKind(), figure_kinds.DieKind()
NUMBER_OF_ACT = figure_kinds.ActNumberKind()
TEXT, CODES, ANSWER = text_kinds.TextKind(), text_kinds.CodesKind(), text_kinds.AnswerKind()
KEY, PLAY_ORDER = text_kinds.KeyKind(), text_kinds.PlayOrderKind()


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
