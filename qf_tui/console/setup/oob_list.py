"""What is done on the order of battle of a set-up: sides and divisions named, added and taken off."""

from collections.abc import Callable

from qf_tui.console.setup.open_draft import OpenDraft
from qf_tui.console.setup.order_of_battle import count
from qf_tui.console.setup.ships import OrderLine, order_key
from qf_tui.console.widgets.picklist import PickList
from qf_tui.console.widgets.text_entry import TextEntry
from qf_tui.core.text import unprintable
from qf_tui.library.checking import NAME_MOST
from qf_tui.library.declared import SIDES_MOST
from qf_tui.library.setup.drafts import Draft, DraftPlace

LEAST_SIDES = 2


class OrderList(PickList):
    """The sides, divisions and ships of a draft; what is done is done to the line under the cursor."""

    def __init__(self, setup: OpenDraft, id: str) -> None:
        super().__init__(id=id)
        self.setup = setup

    @property
    def draft(self) -> Draft:
        return self.setup.draft

    @property
    def under(self) -> OrderLine:
        """The line under the cursor."""
        assert isinstance(self.line, OrderLine)
        return self.line

    def action_rename(self) -> None:
        """Asks for the name of the side or division; a ship is taken off."""
        place = self.under.place
        if self.under.berth is not None:
            self.action_take_off()
        elif self.under.whole_side:
            name = self.draft.sides[place.side].name
            self._ask(
                "The side's name", name, lambda text: self.draft.named_side(place.side, text), needed=True
            )
        else:
            name = self.draft.division(place).name
            title = "The division's name; without one it goes by its side's"
            self._ask(title, name, lambda text: self.draft.named_division(place, text))

    def action_move(self, by: int) -> None:
        """The ship further up or down in its division."""
        if (berth := self.under.berth) is not None:
            self.setup.change(self.draft.moved(berth, self.under.place, by))

    def action_player(self) -> None:
        """Asks who plays the division."""
        place = self.under.place
        player = self.draft.division(place).player
        self._ask("Who plays it?", player, lambda text: self.draft.with_player(place, text))

    def action_divide(self) -> None:
        """One division more on this side, named right away."""
        place = self.under.place
        at = DraftPlace(place.side, len(self.draft.sides[place.side].divisions))
        name = f"division {at.division + 1}"
        self._ask("The new division's name", name, lambda text: self._divided(at, text), needed=True)

    def _divided(self, at: DraftPlace, name: str) -> Draft:
        self.setup.aim = at
        return self.draft.with_division(at.side, name)

    def action_add_side(self) -> None:
        """One side more."""
        if len(self.draft.sides) >= SIDES_MOST:
            self.setup.fail(f"a battle has at most {SIDES_MOST} sides")
            return
        self.setup.aim = DraftPlace(len(self.draft.sides))
        self.setup.change(self.draft.with_side(), order_key(self.setup.aim, whole_side=True))

    def action_take_off(self) -> None:
        """Takes the ship, division or side off; asks first for a division or side that has ships."""
        place, berth, side = self.under.place, self.under.berth, self.under.whole_side
        if berth is not None:
            self.setup.change(self.draft.taken(berth, place.side))
            return
        if side and len(self.draft.sides) <= LEAST_SIDES:
            self.setup.fail("a battle has two sides at least: name this one as you like")
            return
        ships = self.draft.sides[place.side].ships if side else self.draft.division(place).ships
        left = self.draft.without_side(place.side) if side else self.draft.without_division(place)
        if ships:
            what = "side" if side else "division"
            self.setup.ask(self.app, f"The {what} has {count(len(ships), 'ship')}.", "takes it off", left)
        else:
            self.setup.change(left)

    def _ask(self, title: str, text: str, change: Callable[[str], Draft], *, needed: bool = False) -> None:
        def take(text: str) -> str:
            text = text.strip()
            fault = name_fault(text, needed)
            if not fault:
                draft = change(text)
                self.setup.change(draft, order_key(self.setup.aim) if draft.places else "")
            return fault

        self.app.push_screen(TextEntry(title, text, take))


def name_fault(text: str, needed: bool) -> str:
    """What is wrong with a name as it was written."""
    stranger = unprintable(text)
    if stranger:
        return f"expected printable text, found {stranger}"
    if len(text) > NAME_MOST:
        return f"expected at most {NAME_MOST} characters, found {len(text)}"
    return "it wants a name" if needed and not text else ""
