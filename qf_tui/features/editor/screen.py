"""The screen on which a user sets up a battle: conditions and switches, ships to pick, ships chosen."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from qf_tui.console.setup.opening import ask_and_begin
from qf_tui.console.widgets.fields import EditedText, TextEntry, turn_value
from qf_tui.console.widgets.keys import KeyBar, find_screen_key
from qf_tui.console.widgets.picklist import PickLine, PickList, PickScreen, build_about_lines
from qf_tui.console.widgets.text import SteadyText, cut, literal
from qf_tui.core.crews import AS_BUILT, BUILT, CREWS, STATED, with_crew
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import find_unprintable, format_count
from qf_tui.document.glance import format_crew_steps
from qf_tui.document.muster import format_card
from qf_tui.features.editor.actions import ORDER, SETUP, SHIPS, TABLE
from qf_tui.features.editor.drafts import Draft, DraftPlace, DraftSide, Fleets
from qf_tui.features.editor.table import Catalogue, OpenDraft, OrderKey, list_draft_settings
from qf_tui.features.editor.writers import begin_draft, find_draft_place
from qf_tui.library.declared import SIDES_MOST, Card
from qf_tui.library.faults import NAME_MOST, Faults
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice

ABOUT = 3
"""Lines for the details of the cursor's line, or for a fault."""
LEAST_SIDES = 2
AIM = "◂ here"
STEPS = (
    "1  F2: rules, scale, who throws the dice, and your house rules.",
    "2  F3: ships. Letters find them in fleets and all navies, with a year (oregon 1898) as of then.",
    "   Enter adds one; ← → choose the side or division.",
    "3  F4: names of sides and divisions, who plays them, and ([ ]) the order of the ships.",
    "4  F6 begins. The set-up is kept as a scenario, which you can begin again or edit.",
    "",
)
"""Text of the help before the keys."""


def build_order_lines(draft: Draft, fleets: Fleets, aim: DraftPlace) -> list[PickLine]:
    """Build the lines of a draft's order of battle; `AIM` marks the division that ships go into."""
    lines: list[PickLine] = []
    for number, side in enumerate(draft.sides):
        key = OrderKey(DraftPlace(number), whole_side=True)
        lines.append(PickLine(key, partial(_draw_side, side), section=True))
        for at, division in enumerate(side.divisions):
            place = DraftPlace(number, at)
            name = division.name or ("one division" if len(side.divisions) == 1 else side.name)
            player = f" · {division.player}" if division.player else ""
            later = "" if division.arrival is None else " · arrives later"
            draw = partial(_draw_division, f" {name}{player}{later}", AIM if place == aim else "")
            lines.append(PickLine(OrderKey(place), draw))
            for ship in division.ships:
                draw = partial(_draw_picked, fleets.find_card(ship), ship.ship)
                lines.append(PickLine(OrderKey(place, ship), draw))
    return lines


def _draw_side(side: DraftSide, width: int) -> Content:
    ships = f": {format_count(len(side.ships), 'ship')}"
    return literal(cut(side.name or "(no name)", width - len(ships)) + ships, "bold $secondary")


def _draw_division(text: str, sign: str, width: int) -> Content:
    """Draw the text of a division; with a sign after it, the text is bold."""
    sign = cut(sign, max(1, width // 2))
    shown_text = cut(text, max(1, width - len(sign) - 1))
    return Content.assemble(literal(shown_text, "bold" if sign else ""), literal(f" {sign}", "bold $accent"))


def _draw_picked(card: Card, id: str, width: int) -> Content:
    """Draw a ship of the order of battle: her name and kind, or only her id if she has no card."""
    name, kind = str(card.get("name") or id), str(card.get("kind") or "")
    return Content.assemble(
        literal(cut(f"   {name}", width)),
        literal(cut(f"  {kind}", max(0, width - 3 - literal(name).cell_length)), "$quiet"),
    )


class OrderList(PickList):
    """The sides, divisions and ships of a draft; keys act on the line under the cursor."""

    def __init__(self, setup: OpenDraft, id: str) -> None:
        super().__init__(id=id)
        self.setup = setup

    @property
    def draft(self) -> Draft:
        return self.setup.draft

    @property
    def order_key(self) -> OrderKey:
        """The key of the line under the cursor."""
        assert isinstance(self.key, OrderKey)
        return self.key

    def action_rename(self) -> None:
        """Ask for a name for the side or division; a ship keeps her name."""
        draft, place = self.draft, self.order_key.place
        if self.order_key.ship is not None:
            self.setup.fail("A ship keeps her name; x takes her off.")
        elif self.order_key.whole_side:
            side_number, name = place.side, draft.sides[place.side].name
            self._ask(
                "The side's name",
                name,
                lambda text: draft.change_side(side_number, name=text),
                is_needed=True,
            )
        else:
            title = "The division's name; empty: the name of its side"
            name = draft.find_division(place).name
            self._ask(title, name, lambda text: draft.change_division(place, name=text))

    def action_move(self, by: int) -> None:
        """Move the ship under the cursor in her division: down, or with `by` -1 up."""
        if (ship := self.order_key.ship) is not None:
            self.setup.change(self.draft.move_ship(ship, self.order_key.place, by))

    def action_player(self) -> None:
        """Ask for the player of the division."""
        draft, place = self.draft, self.order_key.place
        division = draft.find_division(place)
        title = f"Who plays {division.name or draft.sides[place.side].name}?"
        self._ask(title, division.player, lambda text: draft.change_division(place, player=text))

    def action_divide(self) -> None:
        """Ask for the name of another division of this side, and add it."""
        draft, side = self.draft, self.order_key.place.side
        new_place = DraftPlace(side, len(draft.sides[side].divisions))
        self._ask(
            "The new division's name",
            f"division {new_place.division + 1}",
            lambda name: draft.with_division(side, name),
            is_needed=True,
            new_line=OrderKey(new_place),
        )

    def action_add_side(self) -> None:
        """Ask for the name of another side, and add it; with `SIDES_MOST` sides, show a fault."""
        draft_with_side = self.draft.with_side()
        new_place = DraftPlace(len(self.draft.sides))
        if new_place.side >= SIDES_MOST:
            self.setup.fail(f"a battle has at most {SIDES_MOST} sides")
            return
        self._ask(
            "The new side's name",
            draft_with_side.sides[new_place.side].name,
            lambda name: draft_with_side.change_side(new_place.side, name=name),
            is_needed=True,
            new_line=OrderKey(new_place, whole_side=True),
        )

    def action_take_off(self) -> None:
        """Remove the ship, division or side under the cursor; ask first if a division or side has ships.

        If there are only `LEAST_SIDES` sides, none is removed.
        """
        draft = self.draft
        place, whole_side = self.order_key.place, self.order_key.whole_side
        if (ship := self.order_key.ship) is not None:
            name = str(self.setup.find_card(ship).get("name") or ship.ship)
            self.setup.change(draft.remove_ship(ship, place.side), message=f"{name} is taken off")
            return
        if whole_side:
            if len(draft.sides) <= LEAST_SIDES:
                self.setup.fail("a battle needs at least two sides: rename this one instead")
                return
            part, ships = "side", draft.sides[place.side].ships
            draft_without = draft.remove_side(place.side)
        else:
            part, ships = "division", draft.find_division(place).ships
            draft_without = draft.remove_division(place)
        if ships:
            self.setup.ask_to_change(
                self.app, f"The {part} has {format_count(len(ships), 'ship')}.", "removes it", draft_without
            )
        else:
            self.setup.change(draft_without, message=f"the {part} is taken off")

    def _ask(
        self,
        title: str,
        text: str,
        change: Callable[[str], Draft],
        *,
        is_needed: bool = False,
        new_line: OrderKey | None = None,
    ) -> None:
        """Ask for a name, and change the draft by it.

        Args:
            title: Question.
            text: Present name.
            change: Returns the draft with the new name.
            is_needed: True if the name must not be empty.
            new_line: Line for the cursor afterwards, whose division gets the next ships; None keeps both.
        """
        line = self.order_key

        def enter_name(text: str) -> str:
            """Change the draft by the typed name, and return ""; for a faulty name, only return the fault."""
            text = text.strip()
            fault = find_name_fault(text, is_needed)
            if not fault:
                if new_line is not None:
                    self.setup.aim = new_line.place
                self.setup.change(change(text), new_line or line)
            return fault

        self.app.push_screen(TextEntry(title, text, enter_name))


def find_name_fault(text: str, is_needed: bool) -> str:
    """Return the fault of a name as typed, or ""."""
    if stranger := find_unprintable(text):
        return f"expected printable text, found {stranger}"
    if len(text) > NAME_MOST:
        return f"expected at most {NAME_MOST} characters, found {len(text)}"
    return "a name is needed" if is_needed and not text else ""


class SetupScreen(PickScreen[None]):
    """The screen for setting up a battle.

    Args:
        systems: The rule systems, by name.
        draft: The draft to set up.
        is_new: True if the draft is unchanged since it was made, so that leaving need not keep it.

    Attributes:
        open_battle: Called with the battle once it has begun.
        keep_draft: Called with a changed draft when the screen is left, with None once the battle has begun.
    """

    CSS = """
    SetupScreen #catalogue { width: 1fr; padding-left: 1; }
    SetupScreen #into { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    places = SETUP
    steps = STEPS

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        draft: Draft,
        is_new: bool,
        open_battle: Callable[[Session], None],
        keep_draft: Callable[[Draft | None], None],
    ) -> None:
        super().__init__()
        self.open_battle, self.keep_draft = open_battle, keep_draft
        self.setup = OpenDraft(systems, draft, self.show, self.show_details)
        self.catalogue, self.order = Catalogue(self.setup, id="catalogue"), OrderList(self.setup, id="order")
        # A draft that is not new must be kept even if nothing is changed here.
        self.untouched_draft = draft if is_new else None
        self.pane = TABLE

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield self.catalogue
            with Vertical(id="right-pane"):
                yield SteadyText(literal("Order of battle", "bold $quiet"), id="order-head")
                yield self.order

    def on_mount(self) -> None:
        self.setup.read_fleets()
        self.action_show(TABLE)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#right-pane").styles.width = max(34, event.size.width * 2 // 5)
        self.call_after_refresh(self.show)

    def show(self, key: Hashable = "", catalogue_key: Hashable = "") -> None:
        """Draw the title and all panes.

        Args:
            key: Line for the cursor of the order of battle; "" keeps the cursor.
            catalogue_key: Line for the cursor of the settings or ships; "" keeps the cursor.
        """
        setup = self.setup
        ships = format_count(len(setup.draft.ships), "ship")
        # 18 cells are for the other texts and spaces of the line.
        title = cut(setup.draft.title, max(8, self.size.width - len(ships) - 18))
        self.show_title(
            literal(" Setting up  ", "bold $primary"), literal(title, "bold"), literal(f"  {ships}", "$quiet")
        )
        self.catalogue.show(catalogue_key, ships_focused=self.pane == SHIPS)
        self.order.show(build_order_lines(setup.draft, setup.fleets, setup.aim), key)
        self.query_one(KeyBar).show(self.keys)
        self.show_details()

    def action_show(self, pane: str) -> None:
        """Show the settings, the ships, or the order of battle, and give it the keyboard."""
        self.pane = pane
        if pane not in (ORDER, self.catalogue.pane):
            self.catalogue.pane = pane
            self.catalogue.picks.at = 0
        self.set_focus(self.order if pane == ORDER else self.picks)
        # For the only division of a side, the cursor goes to the line of the side.
        single_division = len(self.setup.draft.sides[self.setup.aim.side].divisions) == 1
        self.show(OrderKey(self.setup.aim, whole_side=single_division) if pane == ORDER else "")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Make the pane that got the keyboard the current one, for example after a click."""
        pane = ORDER if event.widget is self.order else self.catalogue.pane
        if event.widget in (self.order, self.picks) and pane != self.pane:
            self.pane = pane
            self.show()

    def render_about(self, width: int) -> list[Content]:
        """Render the fault, the result of the last key, or the details of the cursor's line."""
        setup = self.setup
        if setup.fault:
            return build_about_lines(f"✗ {setup.fault}", width, ABOUT, "bold $text-error")
        return build_about_lines(setup.message or self._format_details(), width, ABOUT)

    def _format_details(self) -> str:
        """Format the setting under the cursor in full, or the ship's whole card; "" on other lines."""
        setup = self.setup
        if self.pane == TABLE:
            fields = (field for field, _ in list_draft_settings(setup.draft, setup.systems))
            field = next((field for field in fields if field.name == self.picks.word), None)
            return f"{field.label} {field.text}".rstrip() + f" · {field.means}" if field else ""
        ship = self.order.order_key.ship if self.pane == ORDER else self.catalogue.ship
        card = setup.find_card(ship) if ship else {}
        if not card:
            return ""
        crew_note = ""
        if self.pane == ORDER:
            crew = setup.draft.find_crew(self.order.order_key.place)
            if setup.draft.table.get(CREWS) == STATED:
                card = with_crew(setup.system, card, crew)
            else:
                card = with_crew(setup.system, card, AS_BUILT)
                if crew.steps:
                    crew_note = f" · {format_crew_steps(crew)}, which do not count: crews {BUILT}"
        return f"{card['name']}: {format_card(setup.system, card)}{crew_note}"

    @property
    def place(self) -> str:
        """The place whose keys apply: the pane that has the keyboard."""
        return self.pane

    def handle_other_key(self, event: events.Key) -> None:
        """Narrow the ships by a letter; in other panes, show how to open a field for letters."""
        if not (event.is_printable and event.character):
            return
        event.stop()
        if self.pane == SHIPS:
            self.catalogue.narrow(self.catalogue.letters.insert(event.character))
        else:
            action_id = "order.rename" if self.pane == ORDER else "table.change-value-on"
            opens = find_screen_key(self, action_id)
            self.setup.fail(f"no field is open: {opens} opens the one under the cursor")

    def on_pick_list_moved(self, event: PickList.Moved) -> None:
        """Clear the messages; in the order of battle, the division under the cursor gets the next ships."""
        self.setup.fault = self.setup.message = ""
        if event.pick is self.order:
            self.setup.aim = self.order.order_key.place
            self.show()

    def action_next_pane(self) -> None:
        self.action_show(turn_value(SETUP, self.pane))

    def action_delete_letter(self) -> None:
        self.catalogue.narrow(self.catalogue.letters.backspace())

    def action_begin(self) -> None:
        """Begin the battle by `_begin`; a feature that makes the dice first asks the sides for their part."""
        draft = self.setup.draft
        ask_and_begin(self.app, draft.table.get("dice"), [side.name for side in draft.sides], self._begin)

    def _begin(self, dice: BattleDice | None) -> None:
        """Save and begin the battle with the chosen dice, and open it; on faults, go to the first one."""
        try:
            session = begin_draft(self.setup.draft, self.setup.systems, dice)
        except Faults as faults:
            self._go_to_faults(faults)
            return
        except QfError as fault:
            self.setup.fail(str(fault))
            return
        self.keep_draft(None)
        self.dismiss(None)
        self.open_battle(session)

    def _go_to_faults(self, faults: Faults) -> None:
        """Move the cursor to the line of the first fault, if it has one, and show the fault."""
        first_fault, *other_faults = faults.faults
        place = find_draft_place(first_fault)
        if isinstance(place, DraftPlace):
            self.action_show(ORDER)
            self.setup.aim = place if place in tuple(self.setup.draft.places) else DraftPlace()
            names_division = any(item.kind == "division" for item in first_fault.found.items)
            self.show(OrderKey(self.setup.aim, whole_side=not names_division))
        else:
            self.action_show(TABLE)
            shown_keys = [line.key for line in self.picks.lines]
            self.show(catalogue_key=place if place in shown_keys else "")
        self.setup.fail(f"{first_fault}{f' (and {len(other_faults)} more)' if other_faults else ''}")

    def action_back(self) -> None:
        """Clear the filter of the ships, or leave the screen if there is none; a changed draft is kept."""
        if self.pane == SHIPS and self.catalogue.letters.text:
            self.catalogue.narrow(EditedText())
            return
        if self.setup.draft != self.untouched_draft:
            self.keep_draft(self.setup.draft)
        self.dismiss(None)
