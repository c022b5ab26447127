"""The fields of the shipyard, and the line that is typed in one of them."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.widgets.fields import EditedText, Field, field_line
from qf_tui.console.widgets.panel import head
from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import cut, fit, hanging, listed, literal, one_line, width_of
from qf_tui.core.ship_facts import HandValue, RatedValue, Rating, ShipFacts, assumed_of, contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import value_text
from qf_tui.document.muster import fact_rows
from qf_tui.library.csv_rows import COLUMNS, NEEDED, likely_words, meant_by, spelled
from qf_tui.library.faults import FileFaults
from qf_tui.library.navies import DraftReading, ShipDraft
from qf_tui.library.ratings import hand_value, rated, value_keys

OWN = "*"
"""Beside what is the user's own: a row of facts, a value set by hand."""
TEXT_LABEL, KEY, VALUE = 10, 16, 10
_KIND_FROM = 46
"""Cells of a line of the list from which it says what a ship is."""
_WORKING_FROM = 58
"""Cells of the pane from which each value has a line with its working."""
_COLUMN = 22


def key_line(ship: ShipFacts) -> str:
    """The key of a ship's line."""
    return f"{ship.navy}/{ship.id}/{ship.since}"


def ship_list(ships: Sequence[ShipFacts], letters: str, faulty: Iterable[FileFaults]) -> list[PickLine]:
    """The ships that fit, by navy; without letters also the files that cannot be read."""
    lines: list[PickLine] = []
    navy = ""
    for ship in ships:
        if ship.navy != navy:
            navy = ship.navy
            lines.append(heading(one_line(navy)))
        lines.append(_line(ship))
    if not lines:
        lines.append(words(f"no ship has “{letters}”", "$quiet"))
    shown = () if letters else faulty
    lines += [words(f"✗ {one_line(fault.lines[0])}", "$text-error") for fault in shown]
    return lines


def _line(ship: ShipFacts) -> PickLine:
    def draw(width: int) -> Content:
        kind = f" {fit(ship.kind, 18)}" if width >= _KIND_FROM else ""
        year = f" {ship.since}"
        name = cut(one_line(ship.name), max(1, width - len(kind) - len(year) - 2))
        own = f" {OWN}" if ship.own else ""
        room = max(1, width - len(kind) - len(year))
        return Content.assemble(literal(fit(f"{name}{own}", room)), literal(f"{kind}{year}", "$quiet"))

    return PickLine(key_line(ship), draw)


def beside_lines(ship: ShipFacts, system: RuleSystem, width: int) -> list[Content]:
    """A ship beside the list: facts, values, then what is doubtful and where it comes from."""
    rating = rated(system, ship)
    if rating is None:
        values = [literal(f"{system.title} works nothing out of facts", "$quiet")]
    else:
        values = [literal(system.title, "bold $secondary"), *_value_lines(rating.values, width)]
    rows = [*_fact_lines(ship), Content(""), *values, Content(""), *_background(ship)]
    return [part for row in rows for part in hanging(row, width)]


def _fact_lines(ship: ShipFacts) -> Iterator[Content]:
    """Who she is, what is known of her, and what is odd about that."""
    own = f" {OWN} yours" if ship.own else ""
    yield literal(one_line(ship.name), "bold $primary")
    yield literal(one_line(f"{ship.navy} · {ship.kind} · class {ship.ship_class}{own}"))
    yield from (_row(label, text) for label, text in fact_rows(ship))
    yield from (_row("odd", text, "bold $text-warning") for text in contradictions(ship))


def _value_lines(values: Sequence[RatedValue], width: int) -> Iterator[Content]:
    """Values with their working where there is room for it, else side by side."""
    if width >= _WORKING_FROM:
        yield from (working_line(value, width) for value in values)
        return
    columns = max(1, width // _COLUMN)
    for at in range(0, len(values), columns):
        cells = []
        for value in values[at : at + columns]:
            text = value_text(value.value)
            cells.append(literal(f"{_key(value, max(1, _COLUMN - 3 - width_of(text)))}"))
            cells.append(literal(f"{cut(text, _COLUMN - 4)} ", "bold"))
        yield Content.assemble(*cells)


def _key(value: RatedValue, width: int = KEY) -> str:
    return f"{OWN if value.by_hand else ' '} {fit(value.key, width)}"


def working_line(value: RatedValue, width: int | None = None) -> Content:
    """A value with its working, or as much of it as there is room for."""
    working = f" {value.working}"
    if width is not None:
        working = cut(working, max(0, width - KEY - 3 - VALUE))
    text = literal(fit(value_text(value.value), VALUE), "bold")
    return Content.assemble(literal(f"{_key(value)} "), text, literal(working, "$quiet"))


def _background(ship: ShipFacts) -> Iterator[Content]:
    texts = {
        "differ": ship.differ,
        "note": ship.note,
        "fought": "; ".join(ship.fought),
        "sisters": "; ".join(ship.sisters),
    }
    yield from (_row(label, text) for label, text in texts.items() if text)
    yield from (_row("" if at else "sources", source) for at, source in enumerate(ship.sources))


def _row(label: str, text: str, style: str = "") -> Content:
    return Content.assemble(literal(f"{fit(label, TEXT_LABEL)}  ", "$quiet"), literal(one_line(text), style))


def whole_lines(ship: ShipFacts, systems: Iterable[RuleSystem]) -> list[Content]:
    """All that is known of a ship, and her values in each rule system with their working."""
    lines = [*_fact_lines(ship), *(_row("assumed", text) for text in assumed_of(ship))]
    for system in systems:
        rating = rated(system, ship)
        if rating is not None:
            lines += [Content(""), head(system.title), *map(working_line, rating.values)]
            lines += [literal(f"  assumed: {text}", "$text-warning") for text in rating.assumptions]
    return [*lines, Content(""), *_background(ship)]


NAVY = "navy"
FORM = (
    ("Who", (NAVY, "name", "kind", "launched", "completed", "tons", "knots")),
    ("Guns", ("heavy", "heavy_mount", "heavy_bear", "light", "light_mount", "light_bear", "small")),
    ("Armor, inches", ("plate", "belt", "belt_ends", "upper_side", "heavy_armor", "light_armor")),
    ("", ("deck", "deck_slope", "ct")),
    ("Tubes", ("tubes", "tube_size", "tubes_below")),
    ("If it matters", ("class", "from", "sisters", "fought", "sources", "differ", "note", "id")),
)
"""The fields in the order in which Enter walks them."""
ORDER = tuple(name for _, names in FORM for name in names)
ABOUT = {NAVY: "her navy, by the name of its file", **{column.heading: column.label for column in COLUMNS}}
FIELD_LABEL = 12
BEARING = {"heavy": "heavy_bear", "light": "light_bear"}


def field_text(draft: ShipDraft, name: str) -> str:
    """What was typed in a field."""
    return draft.navy if name == NAVY else draft.text(name)


def spelled_out(draft: ShipDraft, name: str) -> str:
    """What a field holds, words and figures spelled out."""
    text = field_text(draft, name)
    return text if name == NAVY else spelled(name, text)


def with_field(draft: ShipDraft, name: str, text: str, *, anew: bool = False) -> ShipDraft:
    """A draft with another text in a field; of guns that are written `anew` nobody says how many bear."""
    if name == NAVY:
        return evolve(draft, navy=text)
    return (draft.with_text(BEARING[name], "") if anew and name in BEARING else draft).with_text(name, text)


def field_lines(
    draft: ShipDraft, reading: DraftReading, here: str, line: EditedText | None
) -> list[PickLine]:
    """The form; `here` is the field under the cursor, `line` what is typed in it."""
    lines: list[PickLine] = []
    for title, names in FORM:
        if title:
            lines.append(heading(title))
        lines += [_field(draft, reading, name, line if name == here else None) for name in names]
    return lines


def _field(draft: ShipDraft, reading: DraftReading, name: str, line: EditedText | None) -> PickLine:
    """A field with its text, or with what is taken for granted."""
    text, look = one_line(spelled_out(draft, name)), ""
    if not text:
        assumed, look = draft.defaults.get(name, "") or bearing(reading, name), "$quiet"
        needed = "needed" if name in (*NEEDED, NAVY) else ""
        text = f"{one_line(assumed)} (assumed)" if assumed else needed
    field = Field(name, name, text, wrong=name in reading.wrong, text_look=look)
    return field_line(field, FIELD_LABEL, line, signs=2)


def bearing(reading: DraftReading, name: str) -> str:
    """How many guns are taken to bear where nobody says; "" for other fields."""
    if reading.ship is None or name not in BEARING.values():
        return ""
    guns = reading.ship.heavy if name == BEARING["heavy"] else reading.ship.light
    return " + ".join(str(gun.bearing) for gun in guns)


def value_rows(system: RuleSystem, rating: Rating | None) -> Sequence[RatedValue]:
    """Her values, then those that may be set besides."""
    known = rating.values if rating else ()
    keys = {value.key for value in known}
    return (*known, *(RatedValue(key, None, "") for key in value_keys(system) if key not in keys))


def value_list(values: Sequence[RatedValue], here: str, line: EditedText | None) -> list[PickLine]:
    """Her values with their working; `here` is the one under the cursor, `line` what is typed in it."""
    return [_value(value, line if value.key == here else None) for value in values]


def _value(value: RatedValue, line: EditedText | None) -> PickLine:
    unset = value.value is None and not value.working
    text, look = ("-", "") if unset else (value_text(value.value), "bold")
    field = Field(value.key, _key(value), text, f" {value.working}", label_look="", text_look=look)
    return field_line(field, KEY + 2, line, text=VALUE)


STEPS = (
    "Enter walks from fact to fact; what is left empty is assumed where it can be, and told.",
    "Words by first letters: b is a battleship, ac an armored cruiser, k Krupp, h/n Harvey and nickel.",
    "Guns as 4x12/40, two kinds as 4x12/40+4x10/45; a caliber of 150 is millimetres.",
    "Small guns as 16+8: those of 75 to 100 mm, then the smaller ones. Years as 04.",
    "Armor of the light guns as 6, or 6 4/10 where it covers four of ten.",
    "The text of a Springsharp report, pasted, fills the form.",
    "F4 goes over to the values: type one to set it by hand, delete it to have it worked out again.",
    "",
)
"""What the help says before the keys."""


@frozen
class Notice:
    """What stands below the lists; `fault`: it is something wrong."""

    text: str = ""
    fault: bool = False

    @property
    def marked(self) -> str:
        """The text, behind the sign of a fault if it is one."""
        return f"✗ {self.text}" if self.fault else self.text

    @property
    def style(self) -> str:
        return "bold $text-error" if self.fault else ""


def navy_meant(text: str, navies: Sequence[str]) -> str:
    """The navy that letters mean: a known one, else one of that name."""
    typed = text.strip().casefold()
    known = [navy for navy in navies if navy.casefold() == typed] or list(likely_words(typed, navies))
    return known[0] if typed and known else text.strip()


def about_field(
    draft: ShipDraft, reading: DraftReading, key: str, navies: Sequence[str], width: int
) -> Notice:
    """A field in words: what it holds, what letters may mean there and are taken for; the ship besides."""
    if key in reading.wrong:
        return Notice(f"{key}: {reading.wrong[key]}", fault=True)
    text = field_text(draft, key)
    offered = likely_words(text, navies) if key == NAVY else meant_by(key, text)
    means = navy_meant(text, navies) if key == NAVY else spelled(key, text)
    parts = [
        ABOUT.get(key, key) + (f": {listed(offered, max(10, width - 40))}" if offered else ""),
        f"→ {means}" if means != text else "",
        f"needed yet: {', '.join(reading.missing)}" if reading.missing else "",
        f"✗ {', '.join(reading.wrong)}" if reading.wrong else "",
        *(f"odd: {fact}" for fact in reading.odd),
        *(f"assumed: {fact}" for fact in (assumed_of(reading.ship) if reading.ship else ())),
    ]
    return Notice(" · ".join(part for part in parts if part))


def about_value(system: RuleSystem, draft: ShipDraft, value: RatedValue) -> Notice:
    """A value in words: its working, or what is wrong with what was set by hand."""
    text = draft.hand(system.name, value.key)
    fault = hand_value(system, HandValue(system.name, value.key, text))[1] if text else ""
    if fault:
        return Notice(fault, fault=True)
    working = value.working or "not worked out"
    assumed = f" · assumed: {value.assumed}" if value.assumed else ""
    return Notice(f"{value.key}: {working}{assumed} · type a value to set it by hand")
