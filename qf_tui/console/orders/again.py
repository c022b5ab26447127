"""What was ordered before: offered field by field while a dialog is filled in, or given again with new dice."""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from qf_tui.console.orders.filling import DICE, Filling
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.effects import Op
from qf_tui.core.errors import QfError
from qf_tui.core.forms import Form, Kind
from qf_tui.core.grammar.reader import parse
from qf_tui.session import Session

REACH = 400
"""Entries that are looked back through."""


@frozen
class Earlier:
    """An order of before, and whether it was given in this turn."""

    filling: Filling
    this_turn: bool


@frozen
class Offers:
    """What the empty fields of a dialog may well hold, by the orders of its form that were given before."""

    session: Session
    before: tuple[Earlier, ...]

    @classmethod
    def of(cls, session: Session, form: Form) -> "Offers":
        """The offers for a form in a battle, newest order first."""
        return cls(session, tuple(_earlier(session, (form,))))

    def likely(self, filling: Filling, name: str) -> str:
        """What an empty field may well hold, or nothing; `filling` has its ships by their ids.

        A ship: what the same ship named last, or in this turn another of its division. A distance where the order
        names another ship too: what was measured to that one in this turn. Fields of closed lists are not offered:
        one letter fills them.
        """
        slot, first = filling.slot(name), filling.leading
        if filling.text(name).strip() or slot is None or slot.kind is Kind.CHOICE or slot.trailing:
            return ""
        others = [
            one.name for one in filling.slots if one.kind is Kind.SHIP and one.name not in (first, name)
        ]
        ships = _named(self.session, filling.first)
        own = [one for one in self.before if _named(self.session, one.filling.first) == ships]
        if slot.kind is Kind.MEASURE and others:
            near = [one for one in self.before if one.this_turn and _agree(one.filling, filling, others)]
            found = [one for one in near if one in own] or near
        else:
            mates = [
                one for one in self.before if one.this_turn and _mates(self.session, one.filling, filling)
            ]
            found = own or mates
        return next((text for one in found if (text := one.filling.text(name))), "")


def again(session: Session, ship: str) -> Filling | None:
    """The last order with dice that a ship gave in phases like this one, filled in but for the dice, or None."""
    forms = [form for form in session.system.forms if form.dice]
    now = [form for form in forms if session.battle.phase in form.phases or not form.phases]
    before = [one.filling for one in _earlier(session, now)]
    last = next((one for one in before if one.first == ship), None)
    if last is None:
        return None
    return evolve(last, texts={name: text for name, text in last.texts.items() if name != DICE})


def _named(session: Session, text: str) -> frozenset[str]:
    """The ships that a field names, those of a division one by one."""
    if not text.startswith("@"):
        return frozenset(text.split(","))
    own = [ship for ship in session.battle.ships.values() if ship.division == text[1:]]
    return frozenset(ship.id for ship in own if ship.afloat)


def _agree(one: Filling, other: Filling, names: Iterable[str]) -> bool:
    return all(one.text(name) == other.text(name) for name in names)


def _mates(session: Session, one: Filling, other: Filling) -> bool:
    """Whether the first ships of two orders are of one division."""
    ships = session.battle.ships
    first, second = ships.get(one.first), ships.get(other.first)
    return first is not None and second is not None and first.division == second.division != ""


def _earlier(session: Session, forms: Iterable[Form]) -> Iterator[Earlier]:
    """The orders of some forms in force, newest first."""
    timeline, words = session.timeline, {form.word for form in forms}
    every, this_turn = all_forms(session.system), True
    for number in timeline.play_order[: -REACH - 1 : -1]:
        version = timeline.versions[number]
        if version.order.split(" ", 1)[0] in words:
            try:
                yield Earlier(Filling.of(parse(version.order, every, session.battle)), this_turn)
            except QfError:
                continue
        effects = timeline.rulings[number].decision.effects
        turns = [one.value[0] for one in effects if one.op is Op.PHASE and isinstance(one.value, tuple)]
        this_turn = this_turn and all(turn == session.battle.turn for turn in turns)
