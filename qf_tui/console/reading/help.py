"""The help: keys from the table, orders from their forms, clauses from the rule system."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Protocol, TypeVar

from attrs import frozen
from textual import events
from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.actions import ACTIONS, GRID, LOOKUP, PLACES, Action
from qf_tui.console.widgets.keys import Hint, KeyScreen, shown_key
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel, head
from qf_tui.console.widgets.text import fit, literal
from qf_tui.core.builtin_forms import BUILTIN, CORRECTIONS
from qf_tui.core.grammar.forms import Form
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.values import Battle
from qf_tui.document.glance import advice_of

KEYS = (Hint("", "type to search"), Hint("escape", "closes"))
SEARCHING = (Hint("backspace", "deletes a letter"), Hint("escape", "ends the search"))


class Rank(Enum):
    """What a line is among those that are searched."""

    HEADING = "it stands over the lines behind it"
    ITEM = "it is found by its own words and by those of the lines below it"
    BELOW = "it belongs to the line above it"
    GAP = "it ends what a heading stands over"


@frozen
class LookupLine:
    """A line that is searched, and what it is among the others."""

    content: Content
    rank: Rank = Rank.ITEM


GAP = LookupLine(Content(""), Rank.GAP)


def heading(text: str) -> LookupLine:
    """A line over others."""
    return LookupLine(head(text), Rank.HEADING)


class Searched(Protocol):
    """Whatever is drawn as a line and has a rank."""

    @property
    def content(self) -> Content:
        """The line as it is drawn."""

    @property
    def rank(self) -> Rank:
        """What it is among the others."""


AnyLine = TypeVar("AnyLine", bound=Searched)


class Lookup(Panel):
    """Lines of which only those are shown that hold all the words typed, under their headings."""

    places = (LOOKUP,)
    pages = "PgDn"

    def __init__(self, title: str, lines: Iterable[LookupLine], letters: str = "") -> None:
        self.searched = tuple(lines)
        super().__init__(title, (line.content for line in self.searched), KEYS)
        self.letters = letters

    def on_mount(self) -> None:
        super().on_mount()
        self._search()

    def other_key(self, event: events.Key) -> None:
        if event.character and event.is_printable:
            event.stop()
            self.letters += event.character
            self._search()

    def _search(self) -> None:
        found = [line.content for line in matching(self.searched, self.letters)]
        said = f"{self.heading}   search: {self.letters}▏" if self.letters else self.heading
        self.query_one(".panel-title", SteadyText).update(literal(said, "bold $primary"))
        nothing = [literal(f"Nothing holds “{self.letters}”.")]
        self.body_text.show(found or nothing)
        self._body().scroll_home(animate=False, immediate=True)
        self.hints = SEARCHING if self.letters else KEYS
        self.call_after_refresh(self._say_keys)

    def action_delete_letter(self) -> None:
        self.letters = self.letters[:-1]
        self._search()

    def action_close(self) -> None:
        """Gives the search up first, then the panel."""
        if self.letters:
            self.letters = ""
            self._search()
        else:
            super().action_close()


def matching(lines: Sequence[AnyLine], letters: str) -> list[AnyLine]:
    """The lines that hold all the words, each with those that belong to it and under its heading.

    A heading that holds them itself shows all lines under it.
    """
    words = letters.casefold().split()
    if not words:
        return list(lines)
    found: list[AnyLine] = []
    above: AnyLine | None = None
    whole = False
    for block in _blocks(lines):
        text = "\n".join(line.content.plain for line in block).casefold()
        holds = all(word in text for word in words)
        first = block[0]
        if first.rank in (Rank.HEADING, Rank.GAP):
            above = first if first.rank is Rank.HEADING else None
            whole = holds
        if holds or (whole and first.rank is not Rank.GAP):
            if above is not None and above is not first:
                found.append(above)
            above = None
            found.extend(block)
    return found


def _blocks(lines: Sequence[AnyLine]) -> list[list[AnyLine]]:
    """Each line with those that belong to it."""
    blocks: list[list[AnyLine]] = []
    for line in lines:
        if blocks and line.rank is Rank.BELOW:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


SIGNS = (
    ("▸", "the ship under the cursor"),
    ("•", "still to act in this phase"),
    ("?", "it owes a roll or an answer"),
    ("/", "lost in this phase: it counts from the phase's end"),
    ("†", "rests on a chart cell that is not published: reconstructed by us"),
    ("✗", "refused: a rule (its clause in brackets), or impossible"),
    ("‼", "not recorded, or a word from the save"),
    ("…", "cut off for want of room"),
    ("×", "in the history: struck"),
    ("‖", "in the history: parked, a rule stands against it"),
    ("◇", "in the history: dice no longer needed"),
    ("!", "in the history: disputed"),
    ("»", "in the history: forced"),
    ("~ +", "in the history: amended; inserted"),
    ("*", "on the logs of the history: the entry changed it"),
    ("✓", "in a volley: ready to be entered"),
    ("– ·", "in a volley: left out; barred"),
    ("=", "in a volley: entered already"),
    ("~", "ahead of a range: estimated between two that were measured"),
    ("?", "behind a range: of last turn, to be measured anew; behind dice: in doubt"),
)


KeysOf = Callable[[str], Mapping[str, Action]]
"""Which key does what at a place, as `KeyScreen.keys_of` has it."""


def show_help(
    screen: KeyScreen[Any], source: BattleSource, *, place: str = GRID, form: Form | None = None
) -> None:
    """Opens the help of a battle to be searched: an order, if one is meant, and the keys of a place first."""
    lines = help_lines(source.system, source.battle, screen.keys_of, place)
    order = [heading(form.title), *_orders((form,)), GAP] if form else []
    screen.app.push_screen(Lookup("Help", [*order, *lines]))


def help_lines(system: RuleSystem, battle: Battle, keys_of: KeysOf, place: str = GRID) -> list[LookupLine]:
    """All of the help; the keys of a place come first."""
    places = {place: PLACES[place], **PLACES}
    return [
        *(_now(system, battle) if place == GRID else ()),
        *_keys(keys_of, places),
        GAP,
        heading("Without a key, in the palette"),
        *(_row(one.title, one.help) for one in ACTIONS if one.palette and not one.keys),
        GAP,
        heading("Signs"),
        *(_row(sign, text) for sign, text in SIGNS),
        *(_row(letter, f"it may still act in this phase: {text}") for letter, text in system.letters.items()),
        GAP,
        heading("Columns of the logs"),
        *(_row(one.title, one.help) for one in system.columns if one.help),
        GAP,
        heading(f"Orders of {system.title}"),
        *_orders(system.forms),
        GAP,
        heading("Orders of every battle"),
        *_orders(BUILTIN),
        _row("force ORDER", "enters what a rule refuses, at your word"),
        GAP,
        heading("Corrections"),
        *_orders(CORRECTIONS),
        _row("preview CORRECTION", "what a correction would change; changes nothing"),
        GAP,
        heading("Switches"),
        *(_row(f"{one.name} {'|'.join(one.values)}", f"{one.text} [{one.clause}]") for one in system.options),
        GAP,
        heading("Clauses"),
        *(_row(clause, text, 10) for clause, text in system.clauses.items()),
    ]


def _now(system: RuleSystem, battle: Battle) -> list[LookupLine]:
    """What people are reminded of in this phase, and what the scenario says of the battle."""
    phase = find_phase(system, battle.phase)
    reminders = [_item(f"  {text}") for text in advice_of(system, battle)]
    lines = [heading(f"In this phase: {phase.title}"), *reminders, GAP]
    notes = str(battle.table.get("notes") or "")
    if notes:
        lines.extend([heading("Notes of the scenario"), *(_item(f"  {one}") for one in notes.splitlines())])
        lines.append(GAP)
    return lines


def key_lines(keys_of: KeysOf, places: Mapping[str, str]) -> list[Content]:
    """The keys of places, which are listed with their words."""
    return [line.content for line in _keys(keys_of, places)]


def _keys(keys_of: KeysOf, places: Mapping[str, str]) -> list[LookupLine]:
    lines: list[LookupLine] = []
    for place, words in places.items():
        rows: dict[str, tuple[list[str], Action]] = {}
        for key, action in keys_of(place).items():
            rows.setdefault(action.help, ([], action))[0].append(shown_key(key))
        lines.append(heading(f"Keys {words}"))
        for names, action in rows.values():
            shown = "0-9" if len(names) == 10 else " ".join(names)
            lines.append(_row(shown, f"{action.title}: {action.help}", 14))
    return lines


def _orders(forms: tuple[Form, ...]) -> list[LookupLine]:
    lines = []
    for form in forms:
        lines.append(_item(f"  {form.usage}"))
        lines.append(LookupLine(literal(f"      {form.help}", "$quiet"), Rank.BELOW))
    return lines


def _item(text: str) -> LookupLine:
    return LookupLine(literal(text))


def _row(left: str, right: str, width: int = 22) -> LookupLine:
    name = fit(left, width) if len(left) <= width else f"{left} "
    return LookupLine(Content.assemble(literal(f"  {name}"), literal(f"  {right}", "$quiet")))
