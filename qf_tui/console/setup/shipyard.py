"""Ships of all navies: letters find one, her facts and values stand beside; new ones are begun from here."""

from collections.abc import Mapping, Sequence

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from qf_tui.console.setup.ship_form import (
    NAVY,
    ORDER,
    STEPS,
    Notice,
    about_field,
    about_value,
    beside_lines,
    field_lines,
    key_line,
    navy_meant,
    ship_list,
    spelled_out,
    value_list,
    value_rows,
    whole_lines,
    with_field,
)
from qf_tui.console.widgets.actions import NAVIES, YARD, Action
from qf_tui.console.widgets.fields import EditedText
from qf_tui.console.widgets.keys import KeyBar, KeyScreen, asking
from qf_tui.console.widgets.panel import Panel, help_panel, show_panel
from qf_tui.console.widgets.picklist import FilterScreen, PickList
from qf_tui.console.widgets.text import SteadyText, TextPane, cut, literal, one_line, wrapped
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import folded
from qf_tui.core.ship_facts import RatedValue, ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.faults import fault_lines
from qf_tui.library.navies import Register, ShipDraft, delete_ship, key_of, navy_title, own_navy, register
from qf_tui.library.ratings import hand_faults, rated
from qf_tui.library.springsharp import navy_of_country, read_springsharp
from qf_tui.library.systems import usable

FACTS, VALUES = "facts", "values"
REPORT_LEAST = 4
"""Facts from which a text that is pasted is taken for a report of a ship."""
SAYS = 3
"""Lines for what is under the cursor, or for what is wrong."""
LIST_MOST = 64
"""Cells of the list of ships at most; what is beside it has the rest."""


def _beside(systems: Mapping[str, RuleSystem], rules: str, by: int) -> str:
    """The rule system so many places from another."""
    names = list(systems)
    return names[(names.index(rules) + by) % len(names)]


class Shipyard(KeyScreen[ShipFacts | None]):
    """A ship being entered; gives her once she is kept, None where she is not.

    `rules` names the rule system whose values are shown first, `navies` those that letters find.
    """

    places = (YARD,)

    def __init__(
        self, systems: Mapping[str, RuleSystem], rules: str, draft: ShipDraft, navies: Sequence[str]
    ) -> None:
        super().__init__()
        self.systems, self.rules, self.navies = systems, rules, navies
        self.draft = self.begun = draft
        self.pane, self.notice = FACTS, Notice()
        self.line = EditedText()
        self._worked: Sequence[RatedValue] = ()

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="start-title")
        with Horizontal(id="panes"):
            yield PickList(id="facts")
            with Vertical(id="right-pane"):
                yield SteadyText(Content(""), id="order-head")
                yield PickList(id="values")
        yield SteadyText(Content(""), id="about")
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        self.facts.focus()
        self.show()
        self._go_to("name" if self.draft.navy else NAVY)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#right-pane").styles.width = max(40, event.size.width * 11 // 20)
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Shows the form from its first line, as far as the field under the cursor lets it."""
        self.facts.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.show()

    @property
    def facts(self) -> PickList:
        return self.query_one("#facts", PickList)

    @property
    def values(self) -> PickList:
        return self.query_one("#values", PickList)

    @property
    def picks(self) -> PickList:
        """The list that the keyboard is on."""
        return self.facts if self.pane == FACTS else self.values

    @property
    def system(self) -> RuleSystem | None:
        return self.systems.get(self.rules)

    @property
    def typed(self) -> ShipDraft:
        """The draft as it would be kept: the navy by its name."""
        return with_field(self.draft, NAVY, navy_meant(self.draft.navy, self.navies))

    def rows(self) -> Sequence[RatedValue]:
        """Her values as far as the facts give them; where they do not, those of before without figures."""
        system, ship = self.system, self.typed.read.ship
        if system is None:
            return ()
        if ship is not None:
            self._worked = value_rows(system, rated(system, ship))
            return self._worked
        return [RatedValue(value.key, None, "") for value in self._worked or value_rows(system, None)]

    def show(self) -> None:
        """Draws all of it."""
        typed, here = self.typed, self.picks.word
        facts, values = (self.line, None) if self.pane == FACTS else (None, self.line)
        self.facts.show(field_lines(self.draft, typed.read, here, facts))
        self.values.show(value_list(self.rows(), here, values))
        name = one_line(typed.text("name").strip()) or "a ship"
        room = max(10, self.size.width - 12)
        title = f"{name}, {one_line(typed.navy) or 'of no navy yet'}"
        self.query_one("#start-title", SteadyText).update(
            Content.assemble(literal(" Shipyard  ", "bold $primary"), literal(cut(title, room), "bold"))
        )
        system = self.system
        head = f"{system.title} · * by hand" if system else "no rule system is installed"
        self.query_one("#order-head", SteadyText).update(literal(f" {head}", "bold $quiet"))
        self._say_more()

    def _say_more(self) -> None:
        width = max(10, self.size.width - 3)
        notice = self.notice if self.notice.text else self._about()
        parts = wrapped(one_line(notice.marked), width, SAYS)
        lines = [literal(f" {part}", notice.style) for part in parts]
        self.query_one("#about", SteadyText).update(Content("\n").join(lines))

    def _about(self) -> Notice:
        """What is under the cursor, what it is taken for, and what of the ship is missing or odd."""
        key, width = self.picks.word, self.size.width
        if self.pane == FACTS:
            return about_field(self.draft, self.typed.read, key, self.navies, width)
        value = next((value for value in self.rows() if value.key == key), None)
        return about_value(self.system, self.draft, value) if value and self.system else Notice()

    def other_key(self, event: events.Key) -> None:
        """Any other letter is text."""
        if event.is_printable and event.character:
            event.stop()
            self._write(self.line.typed(event.character))

    def on_paste(self, event: events.Paste) -> None:
        """Takes a text into the field, or the whole of a Springsharp report into the form."""
        event.stop()
        report = read_springsharp(event.text)
        if self.pane == FACTS and len(report.cells) >= REPORT_LEAST:
            navy = navy_title(navy_of_country(report.country, [navy.lower() for navy in self.navies]))
            self.draft = evolve(self.draft, navy=navy or self.draft.navy, texts=report.cells)
            self._go_to("name")
            unread = f"; not read: {'; '.join(report.unread)}" if report.unread else ""
            self.notice = Notice(f"A Springsharp report{unread}")
            self._say_more()
        else:
            self._write(self.line.typed(" ".join(event.text.split())))

    def _write(self, line: EditedText) -> None:
        """Takes what is written into the field under the cursor."""
        anew, self.line, self.notice = self.line.fresh, line, Notice()
        key = self.picks.word
        if self.pane == FACTS:
            self.draft = with_field(self.draft, key, line.text, anew=anew)
        elif key:
            self.draft = self.draft.set_by_hand(self.rules, key, line.text.strip())
        self.show()

    def action_delete_letter(self) -> None:
        self._write(self.line.backspace())

    def action_caret(self, by: int) -> None:
        self.line = self.line.moved(by)
        self.show()

    def on_pick_list_moved(self, event: PickList.Moved) -> None:
        """Comes upon another field, of the other pane too."""
        self.pane = FACTS if event.pick is self.facts else VALUES
        self.picks.focus()
        self._arrive()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A click takes the keyboard to a pane too."""
        pane = VALUES if event.widget is self.values else FACTS
        if pane != self.pane:
            self.pane = pane
            self._arrive()

    def _arrive(self) -> None:
        key = self.picks.word
        text = spelled_out(self.typed, key) if self.pane == FACTS else self.draft.hand(self.rules, key)
        self.line, self.notice = EditedText.of(text), Notice()
        self.show()

    def _go_to(self, name: str) -> None:
        self.pane = FACTS
        self.facts.focus()
        self.facts.show(self.facts.lines, name)
        self._arrive()

    def action_walk(self, by: int) -> None:
        """The next field, or the one before; a word of a list is spelled out on leaving it."""
        self.picks.go(self.picks.at + by, by)

    def action_page(self, by: int) -> None:
        self.picks.go(self.picks.at + by * max(1, self.picks.size.height - 1), by)

    def action_system(self) -> None:
        """The values of the next rule system."""
        if self.systems:
            self.rules = _beside(self.systems, self.rules, 1)
            self._worked, self.values.at = (), 0
            self.show()
            self._arrive()

    def action_change_pane(self) -> None:
        """Over to the values, or back to the facts."""
        self.pane = VALUES if self.pane == FACTS else FACTS
        if self.pane == VALUES and not self.draft.by_hand:
            self.values.at = 0
        self.picks.focus()
        self._arrive()

    def action_keep(self) -> None:
        """Keeps her among the user's own ships; else goes to what is missing or wrong."""
        draft = self.typed
        reading = draft.read
        first = next((name for name in ORDER if name in reading.missing or name in reading.wrong), "")
        try:
            own_navy(draft.navy)
            if faults := hand_faults(draft.by_hand, self.systems):
                raise QfError(faults[0])
            if reading.ship is None:
                wrong = "; ".join(f"{name}: {text}" for name, text in reading.wrong.items())
                raise QfError(f"{', '.join(reading.missing)}: needed" if reading.missing else wrong)
            over = draft.over
        except QfError as fault:
            self._go_to(first or (NAVY if not draft.navy.strip() else self.facts.word))
            self._fail(fault)
            return
        if over:
            text = f"{one_line(over)} has that id and year among your own ships."
            asks = Panel("Take her place?", [literal(text)], asking("keeps this one"))
            show_panel(self.app, asks, lambda: self._keep(draft))
        else:
            self._keep(draft)

    def _keep(self, draft: ShipDraft) -> None:
        ship = draft.read.ship
        try:
            path = draft.keep()
        except QfError as fault:
            self._fail(fault)
            return
        assert ship is not None
        self.dismiss(evolve(ship, navy=navy_title(path.stem), own=True))

    def _fail(self, fault: QfError) -> None:
        self.notice = Notice("; ".join(fault_lines(fault)), fault=True)
        self._say_more()

    def action_back(self) -> None:
        """Leaves; what was entered is asked for first."""
        if self.draft == self.begun:
            self.dismiss(None)
            return
        text = "What you entered is not kept: F6 would keep it."
        asks = Panel("Leave the ship?", [literal(text)], asking("leaves"))
        show_panel(self.app, asks, lambda: self.dismiss(None))

    def action_help(self) -> None:
        self.app.push_screen(help_panel({YARD: self.keys}, STEPS))


class ShipsScreen(FilterScreen[ShipFacts | None]):
    """Every ship; `rules` names the rule system whose values are shown first.

    With `joins` it was opened from a battle, and gives the ship that is to join it.
    """

    places = (NAVIES,)

    def __init__(self, systems: Mapping[str, RuleSystem], rules: str = "", *, joins: bool = False) -> None:
        super().__init__()
        self.systems = usable(systems)
        self.rules = rules if rules in self.systems else next(iter(self.systems), "")
        self.joins = joins
        self.notice = Notice()
        self.known = Register({})
        self.ships: Mapping[str, ShipFacts] = {}

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="start-title")
        with Horizontal(id="panes"):
            yield PickList(id="list")
            yield TextPane(id="ship", more=": Enter shows all")
        yield SteadyText(Content(""), id="yard-says")
        yield KeyBar(self.keys)

    def on_mount(self) -> None:
        self.picks.focus()
        self._read()

    def on_resize(self) -> None:
        self.picks.styles.width = min(LIST_MOST, max(30, self.app.size.width * 2 // 5))
        self.call_after_refresh(self.show)

    @property
    def keys(self) -> Mapping[str, Action]:
        keys = super().keys
        return keys if self.joins else {key: does for key, does in keys.items() if does.call.name != "join"}

    @property
    def under(self) -> ShipFacts | None:
        """The ship under the cursor."""
        return self.ships.get(self.picks.word)

    @property
    def system(self) -> RuleSystem | None:
        return self.systems.get(self.rules)

    def _read(self, key: str = "") -> None:
        """Reads the navies, ours and the user's, as they are."""
        self.known = register()
        self._find(key)

    def _find(self, key: str = "") -> None:
        """Lists what fits the letters, the cursor on a key or on the first whose name begins with them."""
        found = self.known.found(self.letters.split()) or self.known.near(self.letters)
        self.ships = {key_line(ship): ship for ship in found}
        typed = folded(self.letters)
        best = next(
            (key for key, ship in self.ships.items() if typed and folded(ship.name).startswith(typed)), ""
        )
        self.picks.show(ship_list(found, self.letters, self.known.faulty), key)
        if not key and self.letters:
            self.picks.go(0)
            self.picks.show(self.picks.lines, best)
        self.show()

    def show(self) -> None:
        """Draws the title and what is beside the list."""
        typed = f"   only: {self.letters}▏" if self.letters else "   type a name, navy, class, kind or year"
        counted = f"  {len(self.ships):,} of {len(self.known.navies)} navies"
        room = max(0, self.size.width - len(counted) - 8)
        title = Content.assemble(
            literal(" Ships", "bold $primary"),
            counted,
            literal(cut(typed, room), "bold $accent" if self.letters else "$quiet"),
        )
        self.query_one("#start-title", SteadyText).update(title)
        self.say_more()

    def say_more(self) -> None:
        ship, system = self.under, self.system
        pane = self.query_one("#ship", TextPane)
        pane.show(lambda width: beside_lines(ship, system, max(1, width - 1)) if ship and system else ())
        text = cut(f" {one_line(self.notice.marked)}", max(0, self.size.width - 1))
        says = literal(text, self.notice.style)
        self.query_one("#yard-says", SteadyText).update(says)

    def narrow(self, letters: str) -> None:
        """Lists what fits these letters."""
        self.letters, self.notice = letters, Notice()
        self._find()

    def on_pick_list_moved(self) -> None:
        self.notice = Notice()
        self.say_more()

    def on_pick_list_chosen(self) -> None:
        self.action_read()

    def action_read(self) -> None:
        """All that is known of the ship under the cursor."""
        if self.under is not None:
            title = f"{one_line(self.under.name)}, {self.under.navy}"
            self.app.push_screen(Panel(title, whole_lines(self.under, self.systems.values())))

    def action_system(self, by: int) -> None:
        """The values of the next rule system."""
        if self.systems:
            self.rules = _beside(self.systems, self.rules, by)
            self.say_more()

    def action_new(self) -> None:
        """A ship from nothing, of the navy under the cursor if the umpire has gone there."""
        gone = self.letters or self.picks.at > 1
        self._open(ShipDraft(self.under.navy if self.under and gone else ""))

    def action_copy(self) -> None:
        """A sister of the ship under the cursor."""
        if self.under is not None:
            self._open(ShipDraft.like(self.under))

    def action_edit(self) -> None:
        """The ship under the cursor, to be changed: one of ours becomes the user's own by it."""
        if self.under is not None:
            self._open(ShipDraft.of(self.under))

    def _open(self, draft: ShipDraft) -> None:
        navies = tuple(self.known.navies)
        self.app.push_screen(Shipyard(self.systems, self.rules, draft, navies), self._kept)

    def _kept(self, ship: ShipFacts | None) -> None:
        """Goes to the ship that was kept, if one was."""
        if ship is not None:
            self.letters = ""
            self._read(key_line(ship))
            self.notice = Notice(f"{ship.name} is kept among your own ships")
        self.say_more()

    def action_delete(self) -> None:
        """Asks, and deletes a ship of the user's own."""
        ship = self.under
        if ship is None or not ship.own:
            refusal = Notice("ours cannot be deleted: a row of yours, marked *, can", fault=True)
            self.notice = refusal if ship else Notice()
            self.say_more()
            return
        text = "your own row goes; ours, if there is one, is seen again."
        lines = [literal(f"{one_line(ship.name)}, {ship.navy}, from {ship.since}: {text}")]
        show_panel(self.app, Panel("Delete the ship?", lines, asking("deletes")), self._delete)

    def _delete(self) -> None:
        ship = self.under
        if ship is None:
            return
        try:
            path = delete_ship(ship.navy, key_of(ship))
        except QfError as fault:
            self.notice = Notice(str(fault), fault=True)
        else:
            self._read()
            self.notice = Notice(f"{ship.name} is deleted from {path.name}")
        self.say_more()

    def action_join(self) -> None:
        """Gives the ship under the cursor to the battle that this was opened from."""
        if self.under is not None:
            self.dismiss(self.under)

    def action_help(self) -> None:
        self.app.push_screen(help_panel({NAVIES: self.keys}))
