"""Two screens: the list of the ships of all navies, and the shipyard, the form for a ship of your own."""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.fields import WRONG, EditedText, FormField, build_field_line, turn_value
from qf_tui.console.widgets.keys import build_question_hints
from qf_tui.console.widgets.panel import Panel, render_heading, show_panel
from qf_tui.console.widgets.picklist import (
    FilterScreen,
    PickLine,
    PickList,
    PickScreen,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import (
    SteadyText,
    TextPane,
    cut,
    fit,
    join_parts,
    literal,
    measure_width,
    to_one_line,
    wrap_hanging,
)
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import fold_name
from qf_tui.core.ship_facts import HandValue, RatedValue, ShipFacts, list_assumptions, list_contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count, format_ship_value
from qf_tui.features.shipyard.actions import NAVIES, YARD
from qf_tui.features.shipyard.facts import SIGNS, list_assumed_facts, list_facts, list_signs
from qf_tui.features.shipyard.own_ships import DraftReading, ShipDraft, delete_ship
from qf_tui.features.shipyard.springsharp import find_country_navy, read_springsharp
from qf_tui.library.csv_rows import COLUMNS, NEEDED, list_likely_words, list_meant_words, spell_typed
from qf_tui.library.faults import FileFaults, format_faults
from qf_tui.library.navies import (
    Register,
    build_ship_key,
    find_first_date,
    find_own_navy,
    format_navy_title,
    load_register,
)
from qf_tui.library.ratings import list_hand_faults, list_value_keys, rate_ship, read_hand_value
from qf_tui.library.systems import load_usable

REPORT_LEAST = 4
"""Number of facts from which a pasted text counts as the report of a ship."""
ABOUT_MOST = 3
"""Lines for the description of the field under the cursor, or for its fault."""
LIST_MOST = 64
"""Largest width of the list of ships in cells; the pane next to it gets the rest."""
OWN = "*"
"""Marks a row of facts or a value that is the user's own."""
TEXT_LABEL, KEY, VALUE = 10, 16, 10
"""Widths in cells: of the label of a text, of the key of a value, and of the value."""
_KIND, _SIGNS = 18, 8
"""Widths in cells: of the kind of a ship, and of the room for the signs after her name."""
_KIND_FROM = 46
"""Width of a list line from which it shows the kind of the ship."""
_WORKING_FROM = 58
"""Width of the pane from which each value has a line with its working."""
_VALUE_COLUMN = 22
"""Width in cells of a value without its working."""


def find_notice_style(notice: str) -> str:
    """Return the style of a message below the lists: that of an error if it begins with `WRONG`."""
    return "bold $text-error" if notice.startswith(WRONG) else ""


def build_line_key(ship: ShipFacts) -> str:
    """Return the key of a ship's line."""
    return f"{ship.navy}/{ship.id}/{ship.since}"


def build_list_lines(
    ships: Sequence[ShipFacts], letters: str, faulty: Iterable[FileFaults]
) -> list[PickLine]:
    """Build the lines of ships, with a heading for each navy, or one line that none matches.

    While no letters are typed, a line for each faulty file follows.
    """
    lines: list[PickLine] = []
    navy, when = "", find_first_date(letters)
    for ship in ships:
        if ship.navy != navy:
            navy = ship.navy
            lines.append(build_heading_line(to_one_line(navy)))
        lines.append(_build_line(ship, when))
    if not lines:
        lines.append(build_text_line(f"no ship matches “{letters}”", "$quiet"))
    shown = () if letters else faulty
    lines += [build_text_line(f"✗ {to_one_line(fault.lines[0])}", "$text-error") for fault in shown]
    return lines


def _build_line(ship: ShipFacts, when: str) -> PickLine:
    """Build the line of a ship with her signs; `when` is the year or day of the list, or ""."""

    def draw(width: int) -> Content:
        kind = f" {fit(ship.kind, _KIND)}" if width >= _KIND_FROM else ""
        year = f" {ship.since}"
        name = cut(to_one_line(ship.name), max(1, width - len(kind) - len(year) - _SIGNS))
        name = " ".join((name, *list_signs(ship, when)))
        room = max(1, width - len(kind) - len(year))
        return Content.assemble(literal(fit(name, room)), literal(f"{kind}{year}", "$quiet"))

    return PickLine(build_line_key(ship), draw)


def build_pane_lines(ship: ShipFacts, system: RuleSystem, width: int) -> list[Content]:
    """Draw the pane next to the list: a ship's facts, her values in one rule system, notes and sources."""
    rating = rate_ship(system, ship)
    if not rating:
        values = [literal(f"{system.title} works out no values from facts", "$quiet")]
    else:
        values = [literal(system.title, "bold $secondary"), *_build_value_lines(rating, width)]
    rows = [*_build_fact_lines(ship), Content(""), *values, Content(""), *_build_background_lines(ship)]
    return [part for row in rows for part in wrap_hanging(row, width)]


def _build_fact_lines(ship: ShipFacts) -> Iterator[Content]:
    """Yield a ship's name and kind, her facts, and contradictions between them."""
    own_mark = f" {OWN} yours" if ship.own else ""
    yield literal(to_one_line(ship.name), "bold $primary")
    yield literal(to_one_line(f"{ship.navy} · {ship.kind} · class {ship.ship_class}{own_mark}"))
    yield from (_build_labelled_line(label, text) for label, text in list_facts(ship))
    yield from (_build_labelled_line("odd", text, "bold $text-warning") for text in list_contradictions(ship))


def _build_value_lines(values: Sequence[RatedValue], width: int) -> Iterator[Content]:
    """Yield a line for each value with its working; in a narrow pane, several values share a line."""
    if width >= _WORKING_FROM:
        yield from (build_working_line(value, width) for value in values)
        return
    columns = max(1, width // _VALUE_COLUMN)
    for start in range(0, len(values), columns):
        cells = []
        for value in values[start : start + columns]:
            # 3 cells are for the sign before the key and two blanks, and at least one for the key.
            text = cut(format_ship_value(value.value), _VALUE_COLUMN - 4)
            cells.append(literal(_format_key(value, _VALUE_COLUMN - 3 - measure_width(text))))
            cells.append(literal(f"{text} ", "bold"))
        yield Content.assemble(*cells)


def _format_key(value: RatedValue, width: int = KEY) -> str:
    """Format the key of a value to a width, with `OWN` before it if the value was set by hand."""
    return f"{OWN if value.by_hand else ' '} {fit(value.key, width)}"


def build_working_line(value: RatedValue, width: int | None = None) -> Content:
    """Draw a line of a value: its key, the value, and how it was worked out.

    Args:
        value: The value.
        width: Width to which the working is cut; None to show all of it.
    """
    working = f" {value.working}"
    if width is not None:
        # 3 cells are for the sign before the key and the blanks around the key.
        working = cut(working, max(0, width - KEY - 3 - VALUE))
    text = literal(fit(format_ship_value(value.value), VALUE), "bold")
    return Content.assemble(literal(f"{_format_key(value)} "), text, literal(working, "$quiet"))


def _build_background_lines(ship: ShipFacts) -> Iterator[Content]:
    """Yield where sources differ, the note, battles, sisters, and the sources of a ship."""
    texts = {
        "differ": ship.differ,
        "note": ship.note,
        "fought": "; ".join(ship.fought),
        "sisters": "; ".join(ship.sisters),
    }
    yield from (_build_labelled_line(label, text) for label, text in texts.items() if text)
    yield from (
        _build_labelled_line("" if index else "sources", source) for index, source in enumerate(ship.sources)
    )


def _build_labelled_line(label: str, text: str, style: str = "") -> Content:
    """Build a line of a label and a text."""
    return Content.assemble(
        literal(f"{fit(label, TEXT_LABEL)}  ", "$quiet"), literal(to_one_line(text), style)
    )


def build_full_lines(ship: ShipFacts, systems: Iterable[RuleSystem]) -> list[Content]:
    """Draw all facts of a ship, and her values with their working in each rule system."""
    lines = [
        *_build_fact_lines(ship),
        *(_build_labelled_line("assumed", text) for text in list_assumed_facts(ship)),
    ]
    for system in systems:
        rating = rate_ship(system, ship)
        if rating:
            lines += [Content(""), render_heading(system.title), *map(build_working_line, rating)]
            lines += [literal(f"  assumed: {text}", "$text-warning") for text in list_assumptions(rating)]
    return [*lines, Content(""), *_build_background_lines(ship)]


class ShipsScreen(FilterScreen[ShipFacts | None]):
    """The list of all ships.

    Args:
        rules: Rule system whose values are shown first.
        joins: True if opened from a battle; the result is then the ship that is to join it.
    """

    CSS = """
    ShipsScreen #list { width: 40%; }
    ShipsScreen #about { height: 1; border: none; text-wrap: nowrap; }
    ShipsScreen #ship { width: 1fr; height: 100%; border-left: vkey $panel; padding-left: 1; }
    """
    places = (NAVIES,)

    def __init__(self, systems: Mapping[str, RuleSystem], rules: str = "", *, joins: bool = False) -> None:
        super().__init__()
        self.systems = load_usable(systems)
        self.rules = rules if rules in self.systems else next(iter(self.systems), "")
        self.joins = joins
        self.register = Register({})
        self.ships: Mapping[str, ShipFacts] = {}

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield PickList(id="list")
            yield TextPane(id="ship", more=": Enter shows all")

    def on_mount(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self.picks.styles.width = min(LIST_MOST, max(30, self.app.size.width * 2 // 5))
        self.call_after_refresh(self.show)

    def find_keys(self, *places: str, default: bool = False) -> Mapping[str, Action]:
        """Return the keys; the key that adds a ship to the battle only if a battle opened the screen."""
        keys = super().find_keys(*places, default=default)
        return (
            keys
            if self.joins
            else {key: action for key, action in keys.items() if action.call.name != "join"}
        )

    @property
    def ship_under_cursor(self) -> ShipFacts | None:
        """The ship under the cursor, or None."""
        return self.ships.get(self.picks.word)

    @property
    def system(self) -> RuleSystem | None:
        """The rule system whose values are shown; None if none is installed."""
        return self.systems.get(self.rules)

    def _read(self, key: str = "") -> None:
        """Read the navies of the program and the user again, and list the ships with the cursor on `key`."""
        self.register = load_register()
        # Keep the garbage collector from looking through two thousand ships between two keys.
        gc.freeze()
        self._find_ships(key)

    def on_unmount(self) -> None:
        # The garbage collector no longer looks at the ships, so free them here.
        self.register, self.ships = Register({}), {}

    def _find_ships(self, key: str = "") -> None:
        """List the ships that match the typed letters, or else ships with similar names.

        Args:
            key: Line for the cursor; "" for the first ship whose name begins with the letters.
        """
        letters = self.letters
        ships = self.register.find_ships(letters.split()) or self.register.find_similar_ships(letters)
        self.ships = {build_line_key(ship): ship for ship in ships}
        typed = fold_name(letters)
        fitting = (line for line, ship in self.ships.items() if fold_name(ship.name).startswith(typed))
        best = next(fitting, "") if typed else ""
        self.picks.show(build_list_lines(ships, letters, self.register.faulty), key)
        if not key and letters:
            # Go to the top first: if no name fits, the cursor stays there.
            self.picks.go(0)
            self.picks.show(self.picks.lines, best)
        self.show()

    def show(self) -> None:
        """Draw the title with the number of ships, and the pane next to the list."""
        listed_ships = self.ships.values()
        # A refit has a separate line, but is the same ship.
        ships = {ship.row_name for ship in listed_ships}
        navies = {ship.navy for ship in listed_ships}
        counted = f"{format_count(len(ships), 'ship')} of {format_count(len(navies), 'navy', 'navies')}"
        room = self.size.width - len(counted) - 10
        self.show_filter("Ships", counted, "type a name, navy, class, kind, year or day", room)
        self.show_details()

    def render_about(self, width: int) -> list[Content]:
        """Draw the pane of the ship under the cursor; return the result of the last key, or her signs."""
        ship, system = self.ship_under_cursor, self.system
        when = find_first_date(self.letters)
        signs = " · ".join(f"{sign} {SIGNS[sign]}" for sign in list_signs(ship, when)) if ship else ""
        pane = self.query_one("#ship", TextPane)
        pane.show(lambda width: build_pane_lines(ship, system, max(1, width - 1)) if ship and system else ())
        text = cut(f" {to_one_line(self.notice or signs)}", max(0, self.size.width - 1))
        return [literal(text, find_notice_style(self.notice))]

    def narrow(self, letters: str) -> None:
        """List the ships that match the letters typed now."""
        self.letters, self.notice = letters, ""
        self._find_ships()

    def action_read(self) -> None:
        """Show everything that is known of the ship under the cursor."""
        if self.ship_under_cursor is not None:
            title = f"{to_one_line(self.ship_under_cursor.name)}, {self.ship_under_cursor.navy}"
            self.app.push_screen(
                Panel(title, build_full_lines(self.ship_under_cursor, self.systems.values()))
            )

    def action_system(self, by: int) -> None:
        """Show the values of another rule system: of the next one, or with `by` -1 of the one before."""
        if self.systems:
            self.rules = turn_value(tuple(self.systems), self.rules, by)
            self.show_details()

    def action_new(self) -> None:
        """Open the form of a new ship, in the navy of the ship under the cursor if the user chose her."""
        # The screen opens on the first ship, below her navy's heading: that is no choice.
        navy_chosen = self.letters or self.picks.at > 1
        ship = self.ship_under_cursor
        self._open_shipyard(ShipDraft(ship.navy if ship and navy_chosen else ""))

    def action_copy(self) -> None:
        """Open the form of a new sister of the ship under the cursor."""
        if self.ship_under_cursor is not None:
            self._open_shipyard(ShipDraft.from_sister(self.ship_under_cursor))

    def action_edit(self) -> None:
        """Open the form of the ship under the cursor; saving it always writes to the user's own file."""
        if self.ship_under_cursor is not None:
            self._open_shipyard(ShipDraft.from_ship(self.ship_under_cursor))

    def _open_shipyard(self, draft: ShipDraft) -> None:
        navies = tuple(self.register.navies)
        self.app.push_screen(Shipyard(self.systems, self.rules, draft, navies), self._show_saved)

    def _show_saved(self, ship: ShipFacts | None) -> None:
        """List the ships again with the cursor on the ship that was saved; None means that none was saved."""
        if ship is not None:
            self.letters = ""
            self._read(build_line_key(ship))
            self.notice = f"{ship.name} is saved among your own ships"
        self.show_details()

    def action_delete(self) -> None:
        """Ask for confirmation, then delete the ship under the cursor if she is the user's own."""
        ship = self.ship_under_cursor
        if ship is None or not ship.own:
            self.say(f"{WRONG}only your own rows, marked *, can be deleted" if ship else "")
            return
        text = "your own row is deleted; ours, if there is one, shows again."
        lines = [literal(f"{to_one_line(ship.name)}, {ship.navy}, from {ship.since}: {text}")]
        show_panel(self.app, Panel("Delete the ship?", lines, build_question_hints("deletes")), self._delete)

    def _delete(self) -> None:
        """Delete the ship under the cursor, and report that or the fault."""
        ship = self.ship_under_cursor
        if ship is None:
            return
        try:
            path = delete_ship(ship.navy, build_ship_key(ship))
        except QfError as fault:
            self.say(f"{WRONG}{fault}")
        else:
            self._read()
            self.say(f"{ship.name} is deleted from {path.name}")

    def action_join(self) -> None:
        """Close the screen; the ship under the cursor is its result, and joins the battle."""
        if self.ship_under_cursor is not None:
            self.dismiss(self.ship_under_cursor)


NAVY = "navy"
FORM = (
    ("Who", (NAVY, "name", "kind", "launched", "completed", "tons", "knots")),
    ("Guns", ("heavy", "heavy_mount", "heavy_bear", "light", "light_mount", "light_bear", "small")),
    ("Armor, inches", ("plate", "belt", "belt_ends", "upper_side", "heavy_armor", "light_armor")),
    ("", ("deck", "deck_slope", "ct")),
    ("Tubes", ("tubes", "tube_size", "tubes_below")),
    ("Optional", ("class", "from", "sisters", "fought", "sources", "differ", "note", "id", "other_names")),
    ("Service", ("hull", "serves_from", "serves_until", "ended", "service_source")),
)
"""The fields in the order in which Enter walks them."""
ORDER = tuple(name for _, names in FORM for name in names)
ABOUT = {NAVY: "her navy, by the name of its file", **{column.heading: column.label for column in COLUMNS}}
_ABOUT_ROOM = 40
"""Cells that the words offered for a field leave to the other texts about it."""
FIELD_LABEL = 14
BEARING = {"heavy": "heavy_bear", "light": "light_bear"}


def spell_field(draft: ShipDraft, name: str) -> str:
    """Return the text of a field, with abbreviations spelled out; a navy is returned as typed."""
    return draft.navy if name == NAVY else spell_typed(name, draft.find_text(name))


def with_field(draft: ShipDraft, name: str, text: str, *, retyped: bool = False) -> ShipDraft:
    """Return a draft with a new text in a field.

    Args:
        name: The field.
        text: The new text.
        retyped: True if the text was typed from the start. For guns this clears the number that bear.
    """
    if name == NAVY:
        return evolve(draft, navy=text)
    if retyped and name in BEARING:
        draft = draft.with_text(BEARING[name], "")
    return draft.with_text(name, text)


def build_form_lines(
    draft: ShipDraft, reading: DraftReading, focused: str, line: EditedText | None
) -> list[PickLine]:
    """Build the lines of the form.

    Args:
        reading: What the draft reads as.
        focused: Field under the cursor.
        line: Text that is being typed there, or None if the other pane has the keyboard.
    """
    lines: list[PickLine] = []
    for title, names in FORM:
        if title:
            lines.append(build_heading_line(title))
        lines += [_build_form_line(draft, reading, name, line if name == focused else None) for name in names]
    return lines


def _build_form_line(draft: ShipDraft, reading: DraftReading, name: str, line: EditedText | None) -> PickLine:
    """Build the line of a field with its text.

    An empty field shows the assumed value, or `needed` if there is none and it must be filled.
    """
    text, look = to_one_line(spell_field(draft, name)), ""
    if not text:
        look = "$quiet"
        assumed = draft.defaults.get(name, "") or format_assumed_bearing(reading, name)
        needed = "needed" if name in (*NEEDED, NAVY) else ""
        text = f"{to_one_line(assumed)} (assumed)" if assumed else needed
    field = FormField(name, name, text, wrong=name in reading.wrong, text_look=look)
    return build_field_line(field, FIELD_LABEL, line, sign_width=2)


def format_assumed_bearing(reading: DraftReading, name: str) -> str:
    """Return how many guns are assumed to bear, for a field of that number; else, or without a ship, ""."""
    if reading.ship is None or name not in BEARING.values():
        return ""
    guns = reading.ship.heavy if name == BEARING["heavy"] else reading.ship.light
    return " + ".join(str(gun.bearing) for gun in guns)


def list_values(system: RuleSystem, rating: Sequence[RatedValue]) -> Sequence[RatedValue]:
    """Return the rated values, followed by an empty value for every other key that may be set by hand."""
    keys = {value.key for value in rating}
    return (
        *rating,
        *(RatedValue(key, value=None, working="") for key in list_value_keys(system) if key not in keys),
    )


def build_value_lines(values: Sequence[RatedValue], focused: str, line: EditedText | None) -> list[PickLine]:
    """Build the lines of values with their working; `-` is a value that is neither set nor worked out.

    Args:
        focused: Value under the cursor.
        line: Text that is being typed there, or None if the other pane has the keyboard.
    """
    lines: list[PickLine] = []
    for value in values:
        unset = value.value is None and not value.working
        text, look = ("-", "") if unset else (format_ship_value(value.value), "bold")
        field = FormField(
            value.key, _format_key(value), text, f" {value.working}", label_look="", text_look=look
        )
        # The label is the key with its sign and a blank before it.
        lines.append(
            build_field_line(field, KEY + 2, line if value.key == focused else None, text_width=VALUE)
        )
    return lines


STEPS = (
    "Enter goes from fact to fact; empty facts are assumed where possible, and marked so.",
    "Words by first letters: b is a battleship, ac an armored cruiser, k Krupp, h/n Harvey and nickel.",
    "Guns as 4x12/40, two kinds as 4x12/40+4x10/45; a caliber of 150 is millimetres.",
    "Small guns as 16+8: those of 75 to 100 mm, then the smaller ones. Years as 04.",
    "Armor of the light guns as 6, or 6 4/10 where it covers four of ten.",
    "The text of a Springsharp report, pasted, fills the form.",
    "F4 switches to the values: type one to set it by hand, delete it to work it out again.",
    "",
)
"""Text of the help before the keys."""


def resolve_navy(text: str, navies: Sequence[str]) -> str:
    """Return the known navy that a text names or abbreviates; any other text is a new navy."""
    typed = text.strip().casefold()
    matches = [navy for navy in navies if navy.casefold() == typed] or list(list_likely_words(typed, navies))
    return matches[0] if typed and matches else text.strip()


def describe_field(
    draft: ShipDraft, reading: DraftReading, key: str, navies: Sequence[str], width: int
) -> str:
    """Describe a field: its fault, or what it may hold and how its text is read.

    Without a fault of the field, everything missing, wrong, odd or assumed in the whole draft follows.
    """
    if key in reading.wrong:
        return f"{WRONG}{key}: {reading.wrong[key]}"
    if key == NAVY:
        text = draft.navy
        offered = list_likely_words(text, navies)
        read_as = resolve_navy(text, navies)
    else:
        text = draft.find_text(key)
        offered, read_as = list_meant_words(key, text), spell_typed(key, text)
    parts = [
        ABOUT.get(key, key) + (f": {join_parts(offered, max(10, width - _ABOUT_ROOM))}" if offered else ""),
        f"→ {read_as}" if read_as != text else "",
        f"still needed: {', '.join(reading.missing)}" if reading.missing else "",
        f"✗ {', '.join(reading.wrong)}" if reading.wrong else "",
        *(f"odd: {fact}" for fact in reading.contradictions),
        *(f"assumed: {fact}" for fact in (list_assumed_facts(reading.ship) if reading.ship else ())),
    ]
    return " · ".join(part for part in parts if part)


def describe_value(system: RuleSystem, draft: ShipDraft, value: RatedValue) -> str:
    """Describe a value: the fault of the text set by hand, or the working of the value."""
    text = draft.find_hand_value(system.name, value.key)
    if text:
        _, fault = read_hand_value(system, HandValue(system.name, value.key, text))
        if fault:
            return f"{WRONG}{fault}"
    working = value.working or "not worked out"
    assumed = f" · assumed: {value.assumed}" if value.assumed else ""
    return f"{value.key}: {working}{assumed} · type a value to set it by hand"


class Shipyard(PickScreen[ShipFacts | None]):
    """The form of a ship; the result is the ship once it is saved, or None.

    Args:
        systems: The rule systems, by name.
        rules: Rule system whose values are shown first.
        draft: The draft to begin with.
        navies: Navies whose names may be abbreviated.
    """

    CSS = "Shipyard #facts { width: 1fr; }"
    places, steps, clicks = (YARD,), STEPS, False

    def __init__(
        self, systems: Mapping[str, RuleSystem], rules: str, draft: ShipDraft, navies: Sequence[str]
    ) -> None:
        super().__init__()
        self.systems, self.rules, self.navies = systems, rules, navies
        self.draft = self.first_draft = draft
        self.pane = self.facts = PickList(id="facts")
        self.values = PickList(id="values")
        self.line = EditedText()
        self._last_values: Sequence[RatedValue] = ()

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield self.facts
            with Vertical(id="right-pane"):
                yield SteadyText(Content(""), id="order-head")
                yield self.values

    def on_mount(self) -> None:
        self.show()
        self._go_to("name" if self.draft.navy else NAVY)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#right-pane").styles.width = max(40, event.size.width * 11 // 20)
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Scroll to the first line of the form, then only as far as the field under the cursor requires."""
        self.facts.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.show()

    @property
    def picks(self) -> PickList:
        """The list that has the keyboard."""
        return self.pane

    @property
    def system(self) -> RuleSystem | None:
        """The rule system whose values are shown; None if none is installed."""
        return self.systems.get(self.rules)

    @property
    def draft_to_save(self) -> ShipDraft:
        """The draft as it would be saved: with the full name of the navy."""
        return with_field(self.draft, NAVY, resolve_navy(self.draft.navy, self.navies))

    def list_current_values(self) -> Sequence[RatedValue]:
        """Return the ship's values; while facts are missing or wrong, only their keys; () without rules."""
        system, ship = self.system, self.draft_to_save.reading.ship
        if system is None:
            return ()
        if ship is not None:
            self._last_values = list_values(system, rate_ship(system, ship))
            return self._last_values
        return [
            RatedValue(value.key, value=None, working="")
            for value in self._last_values or list_values(system, ())
        ]

    def show(self) -> None:
        """Draw the title, the form and the values."""
        to_save, cursor_key = self.draft_to_save, self.picks.word
        fact_text = self.line if self.pane is self.facts else None
        value_text = self.line if self.pane is self.values else None
        self.facts.show(build_form_lines(self.draft, to_save.reading, cursor_key, fact_text))
        self.values.show(build_value_lines(self.list_current_values(), cursor_key, value_text))
        name = to_one_line(to_save.find_text("name").strip()) or "a ship"
        head = " Shipyard  "
        title = f"{name}, {to_one_line(to_save.navy) or 'no navy yet'}"
        title = cut(title, max(10, self.size.width - len(head) - 1))
        self.show_title(literal(head, "bold $primary"), literal(title, "bold"))
        system = self.system
        heading = f"{system.title} · * by hand" if system else "no rule system is installed"
        self.query_one("#order-head", SteadyText).update(literal(f" {heading}", "bold $quiet"))
        self.show_details()

    def render_about(self, width: int) -> list[Content]:
        """Render the notice, or the description of the field or value under the cursor."""
        notice, key = self.notice, self.picks.word
        if not notice and self.pane is self.facts:
            notice = describe_field(self.draft, self.draft_to_save.reading, key, self.navies, self.size.width)
        elif not notice and self.system is not None:
            value = next((value for value in self.list_current_values() if value.key == key), None)
            notice = describe_value(self.system, self.draft, value) if value else notice
        return build_about_lines(to_one_line(notice), width, ABOUT_MOST, find_notice_style(notice))

    def handle_other_key(self, event: events.Key) -> None:
        """Type a letter into the field under the cursor."""
        if event.is_printable and event.character:
            event.stop()
            self._write(self.line.insert(event.character))

    def on_paste(self, event: events.Paste) -> None:
        """Paste a text into the field; a Springsharp report pasted into a fact fills the whole form."""
        event.stop()
        report = read_springsharp(event.text)
        if self.pane is self.facts and len(report.cells) >= REPORT_LEAST:
            navy = format_navy_title(
                find_country_navy(report.country, [navy.lower() for navy in self.navies])
            )
            self.draft = evolve(self.draft, navy=navy or self.draft.navy, texts=report.cells)
            self._go_to("name")
            unread = f"; not read: {'; '.join(report.unread)}" if report.unread else ""
            self.say(f"A Springsharp report{unread}")
        else:
            self._write(self.line.insert(" ".join(event.text.split())))

    def _write(self, line: EditedText) -> None:
        """Put the typed text into the field under the cursor."""
        # If the old text was fresh, the key replaced or deleted the whole text.
        retyped = self.line.fresh
        self.line, self.notice = line, ""
        key = self.picks.word
        if self.pane is self.facts:
            self.draft = with_field(self.draft, key, line.text, retyped=retyped)
        elif key:
            self.draft = self.draft.with_hand_value(self.rules, key, line.text.strip())
        self.show()

    def action_delete_letter(self) -> None:
        self._write(self.line.backspace())

    def action_caret(self, by: int) -> None:
        """Move the text cursor in the field."""
        self.line = self.line.move(by)
        self.show()

    def on_pick_list_moved(self, event: PickList.Moved) -> None:
        """Begin to edit the field or value to which the cursor was moved."""
        self._focus_field(event.pick)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Make the pane that got the keyboard the current one, for example after a click."""
        # Only the two panes can have the keyboard.
        pane = self.values if event.widget is self.values else self.facts
        if pane is not self.pane:
            self._focus_field(pane)

    def _focus_field(self, pane: PickList) -> None:
        """Move the keyboard to a pane, and begin to edit the field under its cursor."""
        self.pane = pane
        pane.focus()
        key = pane.word
        text = (
            spell_field(self.draft_to_save, key)
            if pane is self.facts
            else self.draft.find_hand_value(self.rules, key)
        )
        self.line, self.notice = EditedText.begin(text), ""
        self.show()

    def _go_to(self, name: str) -> None:
        """Move the cursor to a field of the facts."""
        self.facts.show(self.facts.lines, name)
        self._focus_field(self.facts)

    def action_walk(self, by: int) -> None:
        """Go to the next field, or with `by` -1 to the one before."""
        self.picks.action_step(by)

    def action_page(self, by: int) -> None:
        self.picks.action_page(by)

    def action_system(self) -> None:
        """Show the values of the next rule system."""
        if self.systems:
            self.rules = turn_value(tuple(self.systems), self.rules)
            self._last_values, self.values.at = (), 0
            self.show()
            self._focus_field(self.pane)

    def action_change_pane(self) -> None:
        """Go to the values, or back to the facts."""
        # Begin at the first value, unless the user works on values set by hand.
        if self.pane is self.facts and not self.draft.by_hand:
            self.values.at = 0
        self._focus_field(self.values if self.pane is self.facts else self.facts)

    def action_keep(self) -> None:
        """Save the ship among the user's own, or go to the first field that is missing or wrong.

        Before another of the user's ships would be replaced, it asks for confirmation.
        """
        draft = self.draft_to_save
        reading = draft.reading
        faulty_field = next((name for name in ORDER if name in reading.missing or name in reading.wrong), "")
        try:
            # This raises if the navy's name cannot name a file.
            find_own_navy(draft.navy)
            if faults := list_hand_faults(draft.by_hand, self.systems):
                raise QfError(faults[0])
            if reading.ship is None:
                wrong = "; ".join(f"{name}: {text}" for name, text in reading.wrong.items())
                raise QfError(f"{', '.join(reading.missing)}: needed" if reading.missing else wrong)
            replaced = draft.replaced_name
        except QfError as fault:
            # Without a faulty field, stay where the cursor is, unless the navy is missing.
            other_field = self.facts.word if draft.navy.strip() else NAVY
            self._go_to(faulty_field or other_field)
            self._fail(fault)
            return
        if replaced:
            text = f"{to_one_line(replaced)} of your own ships has that id and year."
            question = Panel("Replace her?", [literal(text)], build_question_hints("keeps this one"))
            show_panel(self.app, question, lambda: self._keep(draft))
        else:
            self._keep(draft)

    def _keep(self, draft: ShipDraft) -> None:
        """Write the ship and close the form with her as its result, or report the fault."""
        ship = draft.reading.ship
        try:
            path = draft.keep()
        except QfError as fault:
            self._fail(fault)
            return
        assert ship is not None
        self.dismiss(evolve(ship, navy=format_navy_title(path.stem), own=True))

    def _fail(self, fault: QfError) -> None:
        self.say(f"{WRONG}{'; '.join(format_faults(fault))}")

    def action_back(self) -> None:
        """Leave the form; if anything was entered, ask for confirmation first."""
        if self.draft == self.first_draft:
            self.dismiss(None)
            return
        text = "What you entered is not saved yet: F6 saves it."
        question = Panel("Leave the ship?", [literal(text)], build_question_hints("leaves"))
        show_panel(self.app, question, lambda: self.dismiss(None))
