"""The lists of settings and of ships to pick on the editor's screen, and the draft that its parts share."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from attrs import evolve, frozen
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.widgets.fields import EditedText, FormField, TextEntry, build_field_line, turn_value
from qf_tui.console.widgets.keys import build_question_hints
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import PickLine, PickList, build_heading_line, build_text_line
from qf_tui.console.widgets.text import SteadyText, cut, fit, literal
from qf_tui.core.declarations import FieldSpec
from qf_tui.core.grammar.names import fold_shelf_name
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, format_count, join_as_sentence
from qf_tui.features.editor.actions import TABLE
from qf_tui.features.editor.drafts import (
    Draft,
    DraftPlace,
    DraftSide,
    Fleets,
    build_fleet_ship,
    list_own_charts,
    load_draft_fleets,
)
from qf_tui.features.editor.writers import build_plan_document
from qf_tui.library.declared import (
    APPROACH,
    FOR,
    SCHEDULE,
    START,
    SUITS,
    VICTORY,
    Card,
    FleetShip,
    find_scenario_keys,
    list_option_fields,
    list_scenario_fields,
)
from qf_tui.library.faults import Checker, FilePlace, format_first_fault
from qf_tui.library.navies import Register, load_register
from qf_tui.library.other_rules import COMMON_DIVISION_KEYS, list_common_keys

LABEL = 24
"""Cells of a setting's label."""
IN = "✓"
KEEP_CURSOR = ""
"""The key for which `OpenDraft.draw` leaves a cursor where it is."""
_NAME_LEAST, _NAME_MOST, _BESIDE_NAME = 10, 30, 26
"""Widths in cells for a ship in the list: of her name, at least and at most, and of all else."""
_KIND = 13
"""Cells of the kind of a ship whose sides are shown after it."""
LETTERS = 2
"""Letters that must be typed before ships of all navies are searched."""
ShipMatches = Sequence[tuple[FleetShip, ShipFacts]]
"""Ships of navies: the name of each in a draft, and its facts."""


class OpenDraft:
    """The draft that the panes of the set-up share, with the fleets for it.

    Attributes:
        draw: Draws all panes. Its keys place the cursors of the order of battle and of the catalogue; ""
            keeps a cursor.
        draw_details: Draws the details of the cursor's line, or the fault.
        fleets: Fleets for the draft's rules.
        aim: Division that ships go into.
        fault: What is wrong, or "".
        message: What the last key did, or "".
    """

    def __init__(
        self,
        systems: Mapping[str, RuleSystem],
        draft: Draft,
        draw: Callable[[Hashable, Hashable], None],
        draw_details: Callable[[], None],
    ) -> None:
        self.systems, self.draft = systems, draft
        self.draw, self.draw_details = draw, draw_details
        self.fleets = Fleets({})
        # The ships of navies whose cards were shown, but that are not in `fleets`.
        self._other_cards = Fleets({})
        self._register: Register | None = None
        # The letters of the last search, and the ships that it found.
        self._matches: tuple[str, ShipMatches] = "", ()
        self.aim, self.fault, self.message = DraftPlace(), "", ""

    @property
    def system(self) -> RuleSystem:
        return self.systems[self.draft.ruleset]

    def read_fleets(self) -> None:
        """Read the fleets for the draft's rules."""
        self.fleets, self._other_cards = load_draft_fleets(self.system, self.draft), Fleets({})

    def find_navy_ships(self, letters: str) -> ShipMatches:
        """Find the ships of all navies that match the letters, or else ships with similar names.

        Return () for too few letters, and for rules that cannot rate ships.
        """
        if len(letters.strip()) < LETTERS or not self.system.can_rate:
            return ()
        if self._register is None:
            self._register = load_register()
        last_letters, matches = self._matches
        if letters != last_letters:
            ships = self._register.find_ships(letters.split()) or self._register.find_similar_ships(letters)
            matches = tuple((build_fleet_ship(ship, letters), ship) for ship in ships)
            self._matches = letters, matches
        return matches

    def find_card(self, ship: FleetShip) -> Card:
        """Return the card of a ship of a fleet or navy; {} if she is unknown or cannot be rated.

        A ship of a navy is rated when she is first asked for, and her card is kept.
        """
        if card := self.fleets.find_card(ship):
            return card
        self._other_cards = self._other_cards.with_ship(ship, self.system)
        return self._other_cards.find_card(ship)

    def change(self, draft: Draft, key: Hashable = "", message: str = "") -> None:
        """Replace the draft, load the fleets and ships that it needs, and draw it.

        Args:
            key: Line for the cursor of the order of battle; "" keeps the cursor.
            message: What the key did, or "".
        """
        rules_changed = draft.ruleset != self.draft.ruleset
        self.draft, self.fault, self.message = draft, "", message
        if rules_changed:
            self.read_fleets()
        for ship in draft.ships:
            self.fleets = self.fleets.with_ship(ship, self.system)
        if self.aim not in tuple(draft.places):
            self.aim = next(iter(draft.places), DraftPlace())
        self.draw(key, KEEP_CURSOR)

    def fail(self, fault: str) -> None:
        """Show a fault."""
        self.fault = fault
        self.draw_details()

    def ask_to_change(self, app: App[int], text: str, yes_does: str, draft: Draft) -> None:
        """Ask for confirmation, and replace the draft only if the user agrees.

        Args:
            text: What would be lost.
            yes_does: What the key for yes does, as its hint.
            draft: The draft after a yes.
        """
        question = Panel("Sure?", [literal(text)], build_question_hints(yes_does))
        show_panel(app, question, lambda: self.change(draft))


RULESET = "ruleset"
_SWITCH = "options."
"""Prefix of the key of a switch's line, as faults name it."""
_NOT_LISTED = (
    *(RULESET, "options", "side", START, "date", SUITS, "formerly", FOR, SCHEDULE, VICTORY, APPROACH),
    *("war", *(name for keys in find_scenario_keys() for name in (*keys.of_all, *keys.by_ship))),
)
"""Keys of a scenario that are not shown as settings."""
_LABELS = {"dice": "dice", "charts": "chart"}
OURS, CHANGED = "ours", "bold $accent"


def list_draft_settings(draft: Draft, systems: Mapping[str, RuleSystem]) -> list[tuple[FormField, FieldSpec]]:
    """List all settings, switches last: each as a field to show, and its declaration."""
    system = systems[draft.ruleset]
    titles = ", ".join(rules.title for rules in systems.values())
    rules = FieldSpec(RULESET, "word", f"the rules of this battle: {titles}", words=tuple(systems))
    rows = [(FormField(RULESET, "rule system", system.title, rules.label), rules)]
    shown_fields = (field for field in list_scenario_fields(system) if field.name not in _NOT_LISTED)
    rows.extend((_build_field(draft, field), field) for field in shown_fields)
    for field, switch in zip(list_option_fields(system), system.options, strict=True):
        value = draft.options.get(switch.name, switch.default)
        about = f"{field.label} ({' or '.join(switch.values)}; default {switch.default})"
        key, label = _SWITCH + switch.name, switch.name.replace("_", " ")
        look = "" if value == switch.default else CHANGED
        rows.append((FormField(key, label, value, about, text_look=look), field))
    return rows


def _build_field(draft: Draft, field: FieldSpec) -> FormField:
    """Build the field that shows a key of the scenario; a value that is not usual has another style."""
    value = draft.table.get(field.name, field.default)
    if field.kind == "bool":
        shown_text = "yes" if value else "no"
    elif value in (None, ""):
        shown_text = OURS if field.kind == "path" else ""
    else:
        shown_text = str(value)
    label = _LABELS.get(field.name, field.name.replace("_", " "))
    is_usual = field.name in ("title", "notes") or value in (None, "", False, field.default)
    about = f"{field.label} ({' or '.join(field.words)})" if field.words else field.label
    return FormField(field.name, label, shown_text, about, text_look="" if is_usual else CHANGED)


def build_table_lines(draft: Draft, systems: Mapping[str, RuleSystem]) -> list[PickLine]:
    """Build the lines of the settings, with a heading before the switches."""
    lines: list[PickLine] = []
    for field, _ in list_draft_settings(draft, systems):
        if field.name.startswith(_SWITCH) and not any(line.section for line in lines):
            lines.append(build_heading_line("House rules"))
        lines.append(build_field_line(field, LABEL))
    if texts := tuple(list_plan_texts(draft)):
        lines += (build_heading_line("Kept as the file has them"), *map(build_text_line, texts))
    return lines


def list_plan_texts(draft: Draft) -> Iterator[str]:
    """Yield what the scenario of a draft plans: turns of its schedule, numbers of conditions and points."""
    plan = build_plan_document(draft)
    turns = [str(entry["turn"]) for entry in plan.get(SCHEDULE, ())]
    if turns:
        yield f"schedule: {'turns' if len(turns) > 1 else 'turn'} {join_as_sentence(turns)}"
    conditions = plan.get(VICTORY, ())
    scored = [condition for condition in conditions if condition.keys() & {"points", "half"}]
    # Conditions without points win the battle.
    if winning := len(conditions) - len(scored):
        yield f"victory: {format_count(winning, 'condition')}"
    if scored:
        secret = sum(bool(condition.get("secret")) for condition in scored)
        yield f"points: {format_count(len(scored), 'rule')}{f', {secret} secret' if secret else ''}"


def change_setting(draft: Draft, systems: Mapping[str, RuleSystem], key: str, by: int) -> Draft | None:
    """Return the draft with a setting at another value: the next one, or with `by` -1 the one before.

    Returns:
        The draft, or None if the value must be typed.
    """
    system = systems[draft.ruleset]
    shown_field, field = find_setting(draft, systems, key)
    value = shown_field.text
    if key == RULESET:
        return with_system(draft, systems[turn_value(tuple(systems), draft.ruleset, by)])
    if key.startswith(_SWITCH):
        return draft.with_option(system, field.name, turn_value(field.words, value, by))
    if key == "scale":
        return draft.with_scale(system, turn_value(field.words, value, by))
    if field.kind == "bool":
        return draft.with_table(key, not draft.table.get(key, field.default))
    words = field.words if field.kind == "word" else ()
    if key == "units":
        fitting_units = [scale.units for scale in system.scales if scale.name == draft.table.get("scale")]
        words = tuple(dict.fromkeys(fitting_units))
    elif field.kind == "path":
        words = ("", *list_own_charts(system))
        # Not the shown text, which is `OURS` for an empty path.
        value = str(draft.table.get(key) or "")
    return draft.with_table(key, turn_value(words, value, by)) if words else None


def find_setting(draft: Draft, systems: Mapping[str, RuleSystem], key: str) -> tuple[FormField, FieldSpec]:
    """Return the setting with a key."""
    return next(setting for setting in list_draft_settings(draft, systems) if setting[0].name == key)


def with_system(draft: Draft, system: RuleSystem) -> Draft:
    """Convert a draft to another rule system.

    Ships without a card there, and settings that only one system has, are dropped.
    """
    if system.name == draft.ruleset:
        return draft
    fleets = load_draft_fleets(system, draft)
    new_draft = Draft.begin(system)
    table = {key: value for key, value in draft.table.items() if key in list_common_keys()}
    sides = tuple(_keep_common(side, fleets) for side in draft.sides)
    return evolve(new_draft, table={**new_draft.table, **table}, sides=sides)


def _keep_common(side: DraftSide, fleets: Fleets) -> DraftSide:
    """Keep the ships of a side that are in these fleets, and the keys that all rule systems have.

    A side that keeps no ship keeps only its name.
    """
    divisions = tuple(
        evolve(
            division,
            ships=tuple(ship for ship in division.ships if fleets.find_card(ship)),
            other_keys={
                key: value for key, value in division.other_keys.items() if key in COMMON_DIVISION_KEYS
            },
        )
        for division in side.divisions
    )
    common_side = evolve(side, divisions=divisions)
    return common_side if common_side.ships else DraftSide(side.name)


def enter_setting(draft: Draft, field: FieldSpec, text: str) -> tuple[Draft, str]:
    """Enter a typed value of a setting.

    Returns:
        The new draft and ""; for a faulty text, the draft unchanged and the fault.
    """
    value: Scalar = text.strip()
    if field.kind in ("int", "number"):
        value = _read_number(text)
    checker = Checker()
    # A tuple of the accepted value, or an empty one.
    accepted = checker.check_value(value, field, FilePlace())
    if not accepted:
        fault = checker.faults[0].text if checker.faults else "expected something else"
        return draft, fault
    (accepted_value,) = accepted
    return draft.with_table(field.name, accepted_value), ""


def _read_number(text: str) -> Scalar:
    """Read a number with a point or a comma; return a text that is no number unchanged."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


@frozen
class Offered:
    """A ship that the list of ships offers to pick.

    Attributes:
        source: Title of her fleet or navy.
        ship: Her name in a draft.
        name: Name to show.
        kind: Kind to show; for a ship of a navy, her year stands before it.
    """

    source: str
    ship: FleetShip
    name: str
    kind: str


def find_first_match(fleets: Fleets, letters: str, matches: ShipMatches) -> FleetShip | None:
    """Return the first ship whose name begins with the letters, fleets before navies.

    Return None if there is no such ship, or no letter.
    """
    folded_letters = fold_shelf_name(letters)
    names = [
        (FleetShip(source, str(card["id"])), str(card["name"]))
        for source, fleet in fleets.sound.items()
        for card in fleet.cards
    ]
    names += [(ship, facts.name) for ship, facts in matches]
    return next(
        (ship for ship, name in names if folded_letters and fold_shelf_name(name).startswith(folded_letters)),
        None,
    )


def list_offered(fleets: Fleets, letters: str, matches: ShipMatches) -> Iterator[Offered]:
    """Yield the ships of fleets that match the letters, then the `matches` of navies that no fleet has."""
    folded_words = fold_shelf_name(letters).split()
    listed_ships = set()
    for source, fleet in fleets.sound.items():
        for card in fleet.cards:
            ship = FleetShip(source, str(card["id"]))
            name, kind = str(card["name"]), str(card.get("kind") or "")
            text = fold_shelf_name(f"{name} {kind} {fleet.title} {source.text}")
            if all(word in text for word in folded_words):
                listed_ships.add(ship)
                yield Offered(fleet.title, ship, name, kind)
    for ship, facts in matches:
        if ship not in listed_ships:
            year = ship.source.year if ship.source.year is not None else facts.since
            yield Offered(f"All of {facts.navy}", ship, facts.name, f"{year} {facts.kind}")


def build_ship_lines(
    draft: Draft, fleets: Fleets, letters: str, offered: Sequence[Offered]
) -> list[PickLine]:
    """Build the lines of the offered ships, with a heading for each fleet or navy.

    A ship that was added shows her sides. While no letters are typed, the faults of fleets follow.
    """
    sides: dict[FleetShip, list[str]] = {}
    for side in draft.sides:
        for ship in side.ships:
            sides.setdefault(ship, []).append(side.name)
    lines: list[PickLine] = []
    for source, offers in groupby(offered, key=lambda offer: offer.source):
        lines.append(build_heading_line(source))
        for offer in offers:
            draw = partial(_draw_ship, offer, ", ".join(sides.get(offer.ship, ())))
            lines.append(PickLine(offer.ship, draw))
    if not lines:
        text = f"no ship matches “{letters}”" if letters else "no fleet for these rules"
        lines.append(build_text_line(text, "$quiet"))
    faulty = () if letters else fleets.faulty
    lines.extend(
        build_text_line(f"✗ {Path(fault.file).name}: {format_first_fault(fault)}", "$text-error")
        for fault in faulty
    )
    return lines


def _draw_ship(offer: Offered, sides: str, width: int) -> Content:
    """Draw an offered ship; `sides` names the sides to which she was added, or is ""."""
    # The name leaves room for the sign, a kind and the sides.
    name_width = max(_NAME_LEAST, min(_NAME_MOST, width - _BESIDE_NAME))
    # 3 cells are for the sign with its blank, and for the blank after the name.
    room = max(0, width - name_width - 3)
    kind = fit(offer.kind, _KIND if sides else room) if room > _KIND else cut(offer.kind, room)
    return Content.assemble(
        literal(f"{IN} " if sides else "  ", "bold $text-success"),
        literal(fit(offer.name, name_width), "bold" if sides else ""),
        literal(f" {kind}", "$quiet"),
        literal(cut(f" {sides}", max(0, room - _KIND)) if sides else "", "bold"),
    )


@frozen
class OrderKey:
    """The key of a line in the order of battle: of a division, of a `ship` in it, or of the whole side."""

    place: DraftPlace
    ship: FleetShip | None = None
    whole_side: bool = False


class Catalogue(Vertical):
    """The list of settings or of ships, below a line that shows into which division ships go.

    Attributes:
        pane: What it lists: `TABLE` or `SHIPS`.
        letters: Filter of the ships.
    """

    def __init__(self, setup: OpenDraft, id: str) -> None:
        super().__init__(id=id)
        self.setup = setup
        self.picks = PickList(id="list")
        self.pane = TABLE
        # The filter of the ships; `fresh` after a ship was chosen, so that a new letter replaces it.
        self.letters = EditedText()
        # The letters and rules of the last search, and the ships that it offered.
        self._offered: tuple[tuple[str, str], tuple[Offered, ...]] = ("", ""), ()

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="into")
        yield self.picks

    @property
    def ship(self) -> FleetShip | None:
        """The ship under the cursor, or None."""
        return key if isinstance(key := self.picks.key, FleetShip) else None

    def show(self, key: Hashable = "", *, ships_focused: bool = False) -> None:
        """Draw the list with the cursor on a key.

        Args:
            key: Line for the cursor; "" keeps the cursor.
            ships_focused: True if the ships have the keyboard.
        """
        setup, letters = self.setup, self.letters.text
        if self.pane == TABLE:
            heading = literal("Table and switches", "bold $quiet")
            lines = build_table_lines(setup.draft, setup.systems)
        else:
            heading = render_aim_line(
                setup.draft, setup.aim, letters, self.picks.room, ships_focused=ships_focused
            )
            search = letters, setup.draft.ruleset
            last_search, offered = self._offered
            # Search again only for other letters or rules: a ship that is added keeps her line.
            if search != last_search:
                offered = tuple(list_offered(setup.fleets, letters, setup.find_navy_ships(letters)))
                self._offered = search, offered
            lines = build_ship_lines(setup.draft, setup.fleets, letters, offered)
        self.query_one("#into", SteadyText).update(heading)
        self.picks.show(lines, key)

    def narrow(self, letters: EditedText) -> None:
        """List the ships that match the letters; the cursor goes to the first whose name begins with them."""
        setup, text = self.setup, letters.text.lstrip()
        self.letters = EditedText(text, len(text), letters.fresh)
        setup.fault = ""
        setup.draw(KEEP_CURSOR, KEEP_CURSOR)
        # Go to the top first: if no name fits, the cursor stays there.
        self.picks.go(0)
        setup.draw(KEEP_CURSOR, find_first_match(setup.fleets, text, setup.find_navy_ships(text)))

    def action_change_value(self, by: int) -> None:
        """Change the setting under the cursor, or ask for a text.

        If a change of the rules would remove ships, ask for confirmation first.
        """
        setup, key = self.setup, self.picks.word
        draft = change_setting(setup.draft, setup.systems, key, by)
        if draft is None:
            shown_field, field = find_setting(setup.draft, setup.systems, key)
            title = f"{shown_field.label}: {shown_field.means}"
            self.app.push_screen(
                TextEntry(title, shown_field.text, lambda text: self._enter_text(field, text))
            )
        elif key == RULESET and (lost_count := len(setup.draft.ships) - len(draft.ships)):
            ships = format_count(lost_count, "ship")
            text = f"Other rules have other fleets: {ships} would be removed."
            setup.ask_to_change(self.app, text, "changes the rules", draft)
        else:
            setup.change(draft)

    def _enter_text(self, field: FieldSpec, text: str) -> str:
        """Enter a typed value of a setting; return its fault, or ""."""
        draft, fault = enter_setting(self.setup.draft, field, text)
        if not fault:
            self.setup.change(draft)
        return fault

    def action_toggle_ship(self) -> None:
        """Add the ship under the cursor to the chosen division, or remove her if she is in it.

        She leaves any other division of that side. If only other sides have her, it asks for confirmation.
        """
        ship = self.ship
        if ship is None:
            return
        draft, aim = self.setup.draft, self.setup.aim
        places = draft.list_places(ship)
        other_sides = [draft.sides[place.side].name for place in places if place.side != aim.side]
        is_on_this_side = any(place.side == aim.side for place in places)
        if aim in places:
            self._change_draft(draft.remove_ship(ship, aim.side))
        elif other_sides and not is_on_this_side:
            name, aim_side = self.setup.find_card(ship).get("name"), draft.sides[aim.side].name
            sides = " and ".join(other_sides)
            text = f"{name} is already on {sides}; {aim_side} would have another of that name."
            self.setup.ask_to_change(self.app, text, "adds it anyway", draft.put_ship(ship, aim))
        else:
            self._change_draft(draft.put_ship(ship, aim))

    def _change_draft(self, draft: Draft) -> None:
        """Replace the draft; the next letter begins a new filter."""
        self.setup.change(draft)
        self.letters = evolve(self.letters, fresh=True)

    def action_aim(self, by: int) -> None:
        """Choose the next division for ships, or with `by` -1 the one before."""
        setup = self.setup
        setup.aim = turn_value(tuple(setup.draft.places), setup.aim, by)
        setup.draw(OrderKey(setup.aim), KEEP_CURSOR)


def render_aim_line(
    draft: Draft, aim: DraftPlace, letters: str, width: int, *, ships_focused: bool
) -> Content:
    """Render the line above the ships: the division into which they go, and the filter.

    Args:
        aim: The place of the division.
        letters: The filter, or "".
        width: Width in cells.
        ships_focused: True if the ships have the keyboard, so that letters filter them.
    """
    name = draft.find_division(aim).name
    division_text = f"into {draft.sides[aim.side].name}{f', {name}' if name else ''} ←→"
    filter_text, style = "", "$quiet"
    if letters:
        filter_text, style = f"  filter: {letters}▏", "bold $accent"
    elif ships_focused:
        filter_text = "  type to filter"
    return Content.assemble(
        literal(cut(division_text, max(10, width - len(filter_text))), "bold"), literal(filter_text, style)
    )
