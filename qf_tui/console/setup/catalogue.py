"""What a set-up is made from, in its left pane: the table with its switches, or ships that letters narrow."""

from collections.abc import Hashable

from attrs import evolve, frozen
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.setup.open_draft import OpenDraft
from qf_tui.console.setup.order_of_battle import count
from qf_tui.console.setup.ships import Offered, ShipLine, best, offered, order_key, ship_lines
from qf_tui.console.setup.table import RULESET, TableSetting, settings, table_lines, turned, written
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.picklist import PickList
from qf_tui.console.widgets.places import TABLE
from qf_tui.console.widgets.text import cut, literal
from qf_tui.console.widgets.text_entry import TextEntry
from qf_tui.library.setup.drafts import Draft, DraftPlace, FleetShip


@frozen
class Letters:
    """The letters that narrow the ships.

    `done`: they chose a ship, so the next letter starts a new search.
    """

    text: str = ""
    done: bool = False

    def typed(self, character: str) -> "Letters":
        """With a character more."""
        return Letters((("" if self.done else self.text) + character).lstrip())

    def rubbed(self) -> "Letters":
        """With a character less; those that are done go as a whole."""
        return Letters("" if self.done else self.text[:-1])


class Catalogue(Vertical):
    """A list under a line that says where ships go; what is done is done to the line under the cursor.

    `pane` is what it lists: the table or the ships.
    """

    def __init__(self, setup: OpenDraft, id: str) -> None:
        super().__init__(id=id)
        self.setup = setup
        self.pane = TABLE
        self.letters = Letters()
        self._offered: tuple[tuple[str, str], tuple[Offered, ...]] = ("", ""), ()

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="into")
        yield PickList(id="list")

    @property
    def picks(self) -> PickList:
        return self.query_one("#list", PickList)

    @property
    def berth(self) -> FleetShip | None:
        """The ship under the cursor, if it is on one."""
        return line.berth if isinstance(line := self.picks.line, ShipLine) else None

    def turn_to(self, pane: str) -> None:
        """Lists the table or the ships, from the first line."""
        if self.pane is not pane:
            self.pane = pane
            self.picks.at = 0

    def show(self, key: Hashable = "", *, here: bool = False) -> None:
        """Draws the list, the cursor on a key; `here`: the keyboard is on the ships."""
        setup, letters = self.setup, self.letters.text
        if self.pane is TABLE:
            above = literal("Table and switches", "bold $quiet")
            lines = table_lines(setup.draft, setup.systems)
        else:
            above = into_line(setup.draft, setup.aim, letters, self.picks.room, here=here)
            by = letters, setup.draft.ruleset
            if by != self._offered[0]:
                # As long as the letters stay, so does the list: a ship that is put in is marked where she is.
                self._offered = by, tuple(offered(setup.fleets, letters, setup.found(letters)))
            lines = ship_lines(setup.draft, setup.fleets, letters, self._offered[1])
        self.query_one("#into", SteadyText).update(above)
        self.picks.show(lines, key)

    def narrow(self, letters: Letters) -> None:
        """Lists the ships that fit these letters, the cursor on the first whose name begins with them."""
        self.letters, self.setup.fault = letters, ""
        self.setup.draw("", "")
        self.picks.go(0)
        self.setup.draw("", best(self.setup.fleets, letters.text, self.setup.found(letters.text)))

    def action_change_value(self, by: int) -> None:
        """A setting at its next value, or a text to be written."""
        setup, key = self.setup, self.picks.word
        draft = turned(setup.draft, setup.systems, key, by)
        if draft is None:
            one = next(one for one in settings(setup.draft, setup.systems) if one.key == key)
            title = f"{one.label}: {one.about}"
            self.app.push_screen(TextEntry(title, one.value, lambda text: self._take(one, text)))
        elif key == RULESET and (lost := len(setup.draft.ships) - len(draft.ships)):
            ships = count(lost, "ship")
            text = f"Other rules have other fleets: {ships} would be taken off."
            setup.ask(self.app, text, "changes the rules", draft)
        else:
            setup.change(draft)

    def _take(self, one: TableSetting, text: str) -> str:
        draft, fault = written(self.setup.draft, one.field, text)
        if not fault:
            self.setup.change(draft)
        return fault

    def action_toggle_ship(self) -> None:
        """Puts the ship under the cursor into the division that is aimed at, or takes it off."""
        berth = self.berth
        if berth is None:
            return
        draft, aim = self.setup.draft, self.setup.aim
        there = draft.where(berth)
        elsewhere = [draft.sides[place.side].name for place in there if place.side != aim.side]
        if aim in there:
            self._put(draft.taken(berth, aim.side))
        elif elsewhere and all(place.side != aim.side for place in there):
            name, here = self.setup.card(berth).get("name"), draft.sides[aim.side].name
            text = f"{name} is on {' and '.join(elsewhere)} already; {here} would have one of that name too."
            self.setup.ask(self.app, text, "puts it in all the same", draft.put(berth, aim))
        else:
            self._put(draft.put(berth, aim))

    def _put(self, draft: Draft) -> None:
        """Goes on with a draft; the next letter starts a new search."""
        self.setup.change(draft)
        self.letters = evolve(self.letters, done=True)

    def action_aim(self, by: int) -> None:
        """The next division to put ships into."""
        setup, places = self.setup, tuple(self.setup.draft.places)
        setup.aim = places[(places.index(setup.aim) + by) % len(places)]
        setup.draw(order_key(setup.aim), "")


def into_line(draft: Draft, aim: DraftPlace, letters: str, width: int, *, here: bool) -> Content:
    """Where ships go, and the letters that narrow the list; `here`: the keyboard is on it."""
    name = draft.division(aim).name
    into = f"into {draft.sides[aim.side].name}{f', {name}' if name else ''} ←→"
    typed = f"  only: {letters}▏" if letters else "  type to filter" if here else ""
    style = "bold $accent" if letters else "$quiet"
    return Content.assemble(literal(cut(into, max(10, width - len(typed))), "bold"), literal(typed, style))
