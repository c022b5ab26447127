"""The screen of a scenario before its battle begins: conditions, switches of the rules, and all ships."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import frozen
from textual.content import Content

from qf_tui.console.setup.opening import Scenario, ask_and_begin, view_scenario
from qf_tui.console.widgets.actions import SCENARIO
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickScreen,
    build_about_lines,
    build_drawn_line,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import CUT, fit, literal, measure_width, wrap_words
from qf_tui.core.crews import BUILT, CREWS, STATED
from qf_tui.core.declarations import FieldSpec
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ORIGIN, list_attested_fields
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.document.glance import list_crews
from qf_tui.document.muster import (
    ATTESTED_SIGN,
    NONE,
    format_field_title,
    format_field_value,
    format_ship,
    format_table_conditions,
    group_by_division,
    list_changed_switches,
    list_column_fields,
    list_plan_texts,
    list_rules_notes,
)
from qf_tui.library.declared import Card
from qf_tui.library.faults import format_faults
from qf_tui.registry import find_features
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.opening import read_new_battle

ABOUT = 4
"""Lines for the card of the ship under the cursor."""


class ScenarioScreen(PickScreen[None]):
    """A scenario's order of battle.

    Attributes:
        opened: Takes the battle once it is begun.
    """

    places, clicks = (SCENARIO,), False

    def __init__(
        self,
        scenario: Scenario,
        systems: Mapping[str, RuleSystem],
        opened: Callable[[Session], None],
    ) -> None:
        super().__init__()
        self.scenario, self.systems, self.opened = scenario, systems, opened

    def render_headline(self) -> Content:
        title = str(self.scenario.battle.table.get("title") or "")
        return literal(f" {title}", "bold $primary")

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draw the order of battle for the present width; the cursor stays on its ship."""
        ship = self.picks.key
        self.picks.show(build_scenario_lines(self.scenario, max(20, self.picks.room - 3)), ship)
        if not ship:
            # Without a ship under the cursor, show the lines above the ships too.
            self.picks.jump(0)
        self.show_details()

    def render_about(self, width: int) -> list[Content]:
        """Render the card and notes of the ship under the cursor."""
        ship = self.scenario.battle.ships.get(self.picks.word)
        return build_about_lines(format_ship(self.scenario.system, ship.card), width, ABOUT) if ship else []

    def action_change_rules(self) -> None:
        """Show the scenario under the next rule system that can play it.

        If no other can, show why the first of the others refused it.
        """
        names = [*self.systems]
        at = names.index(self.scenario.system.name)
        first_refusal: tuple[str, ...] = ()
        for name in (*names[at + 1 :], *names[:at]):
            try:
                self.scenario = view_scenario(self.scenario.path, self.systems, name, self.scenario.crews)
            except QfError as fault:
                first_refusal = first_refusal or format_faults(fault)
            else:
                self.show()
                self.picks.jump(0)
                return
        self._explain("No other rules can play it", first_refusal or ("No other rule system is installed.",))

    def action_change_crews(self) -> None:
        """Switch between crews as built and crews as stated; explain it if the scenario states none.

        Rule: AQF-CRW-1.
        """
        scenario = self.scenario
        if not scenario.stated:
            self._explain("Crews", ("This scenario states no crews for these rules: all are as built.",))
            return
        other = BUILT if scenario.battle.table.get(CREWS) == STATED else STATED
        self.scenario = self.view_with_crews(other, "This cannot be shown") or scenario
        self.show()

    def view_with_crews(self, crews: str, title: str) -> Scenario | None:
        """Read the scenario with a choice of crews; None if it cannot be read.

        Args:
            title: Title of the panel that shows why it cannot be read.
        """
        try:
            return view_scenario(self.scenario.path, self.systems, self.scenario.rules, crews)
        except QfError as fault:
            self._explain(title, format_faults(fault))
            return None

    def action_begin(self) -> None:
        """Ask for what the battle's dice need, if anything; then begin the battle, and close this screen."""
        battle = self.scenario.battle
        ask_and_begin(self.app, battle.table.get("dice"), [side.name for side in battle.sides], self._begin)

    def _begin(self, dice: BattleDice | None) -> None:
        """Begin the battle with some dice; None for the dice of the base."""

        def begin_session() -> Session:
            scenario = self.scenario
            beginning = read_new_battle(scenario.path, None, self.systems, scenario.rules, scenario.crews)
            return beginning.begin(dice)

        self.open("This cannot begin", begin_session)

    def open(self, title: str, make: Callable[[], Session]) -> None:
        """Open the battle that a function makes, and close this screen.

        Args:
            title: Title of the panel that shows why it cannot be opened.
        """
        try:
            session = make()
        except QfError as fault:
            self._explain(title, format_faults(fault))
            return
        self.dismiss(None)
        self.opened(session)

    def _explain(self, title: str, lines: Iterable[str]) -> None:
        """Show lines of text in a panel."""
        self.app.push_screen(Panel(title, map(literal, lines)))


NAME_LEAST, NAME_MOST, NAME_MOST_NARROW = 14, 30, 20
KIND_LEAST, KIND_MOST, KIND_MOST_NARROW = 4, 16, 12
ORIGIN_WIDTH, VALUE_MOST, LEFT_OUT = 9, 24, 5
BETWEEN = 2
"""Cells between columns."""
WIDE = 100
"""Names and kinds get more cells above this width."""


@frozen
class CardColumns:
    """The columns of the cards for a width.

    Attributes:
        name_width: Cells of the ship's name.
        kind_width: Cells of the ship's kind.
        shown: Fields that fit, each with its cells.
        more: Number of fields that do not fit.
        has_origin: True if the column with the origin of the values fits.
    """

    name_width: int
    kind_width: int
    shown: tuple[tuple[FieldSpec, int], ...]
    more: int
    has_origin: bool

    def format_head(self) -> str:
        """Format the titles of the columns, and how many do not fit."""
        titles = (f"  {fit(format_field_title(field), width, right=True)}" for field, width in self.shown)
        more = f" {CUT}+{self.more}" if self.more else ""
        return f"{''.join(titles)}{self._format_origin('values')}{more}"

    def render_card(self, card: Card) -> Content:
        """Render a ship's card as a row under these columns."""
        attested = list_attested_fields(card)
        cells = (
            f"  {fit(format_field_value(field, card, attested), width, right=True)}"
            for field, width in self.shown
        )
        return Content.assemble(
            literal(fit(str(card["name"]), self.name_width)),
            literal(f"  {fit(str(card.get('kind') or ''), self.kind_width)}", "$quiet"),
            literal("".join(cells)),
            literal(self._format_origin(str(card.get(ORIGIN) or "")), "$quiet"),
        )

    def _format_origin(self, text: str) -> str:
        """Format the last column, the origin of the values; "" if it does not fit."""
        return f"  {fit(text, ORIGIN_WIDTH)}" if self.has_origin else ""


def choose_columns(system: RuleSystem, cards: Iterable[Card], width: int) -> CardColumns:
    """Choose the first columns that fit these cards, in the order of declaration; empty ones are left out."""
    cards = tuple(cards)
    name_most, kind_most = (NAME_MOST, KIND_MOST) if width > WIDE else (NAME_MOST_NARROW, KIND_MOST_NARROW)
    name_width = _measure_longest((card["name"] for card in cards), NAME_LEAST, name_most)
    kind_width = _measure_longest((card.get("kind") or "" for card in cards), KIND_LEAST, kind_most)
    # The last cells are for how many columns do not fit.
    room_left = width - name_width - BETWEEN - kind_width - LEFT_OUT
    has_origin = room_left > BETWEEN + ORIGIN_WIDTH
    if has_origin:
        room_left -= BETWEEN + ORIGIN_WIDTH
    cells_by_field: dict[FieldSpec, int] = {}
    for field in list_column_fields(system):
        texts = [format_field_value(field, card, list_attested_fields(card)) for card in cards]
        if set(texts) != {NONE}:
            cells_by_field[field] = _measure_longest(
                texts, measure_width(format_field_title(field)), VALUE_MOST
            )
    columns: list[tuple[FieldSpec, int]] = []
    for field, cells in cells_by_field.items():
        if BETWEEN + cells > room_left:
            break
        room_left -= BETWEEN + cells
        columns.append((field, cells))
    return CardColumns(name_width, kind_width, tuple(columns), len(cells_by_field) - len(columns), has_origin)


def _measure_longest(texts: Iterable[object], least: int, most: int) -> int:
    """Return the width of the longest text, within limits."""
    return max(least, min(most, max((measure_width(str(text)) for text in texts), default=0)))


def build_scenario_lines(scenario: Scenario, width: int) -> list[PickLine]:
    """Build all lines of a scenario for a width: a summary, the ships, then crews, notes and plans."""
    battle = scenario.battle
    notes = [note for feature in find_features() for note in feature.describe_start(scenario.system, battle)]
    crews = list_crews(battle, scenario.stated)
    summary = _summarize_scenario(scenario, crews, [note.word for note in notes])
    lines = [build_text_line(line, "$quiet") for text in summary for line in wrap_words(text, width)]
    lines += _build_ship_lines(scenario.system, battle, width)
    texts_by_title = {**{note.title: note.lines for note in notes}, **crews, **list_plan_texts(battle)}
    for title, texts in texts_by_title.items():
        lines += [build_text_line(""), build_heading_line(title)]
        lines += (build_text_line(line) for text in texts for line in wrap_words(text, width))
    return lines


def _summarize_scenario(
    scenario: Scenario, crews: Mapping[str, Iterable[str]], note_words: Iterable[str]
) -> Iterator[str]:
    """Yield the texts above the ships: conditions, rules, switches, crews in short, and hints.

    Args:
        crews: Texts on the crews, by title.
        note_words: Words for the notes of features, which are below the ships.
    """
    battle, system = scenario.battle, scenario.system
    yield format_table_conditions(system, battle, scenario.chart)
    yield from list_rules_notes(system, scenario.left_out, scenario.suits)
    yield from list_changed_switches(system, battle.options) or ["all switches at their defaults"]
    for title, texts in crews.items():
        first_sentences = "; ".join(text.partition(". ")[0] for text in texts)
        yield f"{title} ({first_sentences})"
    below = " and ".join([*note_words, *(["notes"] if battle.table.get("notes") else [])])
    if below:
        yield f"{below}: below the ships"
    yield f"{ATTESTED_SIGN} stated by the rules; the last column says where the other values are from"


def _build_ship_lines(system: RuleSystem, battle: Battle, width: int) -> Iterator[PickLine]:
    """Yield the lines of the ships, by side and division, with titles above the columns."""
    columns = choose_columns(system, (ship.card for ship in battle.ships.values()), width)
    for side, divisions in group_by_division(battle):
        yield build_text_line("")
        yield build_heading_line(side)
        for division, ships in divisions:
            titles = Content.assemble(
                literal(fit(division, columns.name_width + BETWEEN + columns.kind_width), "bold"),
                literal(columns.format_head(), "$quiet"),
            )
            yield build_drawn_line(titles)
            yield from (build_drawn_line(columns.render_card(ship.card), ship.id) for ship in ships)
