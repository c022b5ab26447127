"""The fields of the shipyard, and the line that is typed in one of them."""

from collections.abc import Sequence

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.widgets.picklist import PickLine, heading
from qf_tui.console.widgets.text import CUT, cut, fit, literal, one_line, width_of
from qf_tui.console.yard.ship_text import KEY, OWN, VALUE
from qf_tui.core.ratings import RatedValue, Rating
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import value_text
from qf_tui.library.ships.drafts import DraftReading, ShipDraft
from qf_tui.library.ships.navies import COLUMNS, NEEDED
from qf_tui.library.ships.spelling import spelled
from qf_tui.library.ships.values import value_keys

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
BEARING = {"heavy": "heavy_bear", "light": "light_bear"}
LABEL, CARET = 12, "▏"


@frozen
class EditedText:
    """A text being written: `at` is where, `fresh` that nothing was typed yet, so a letter begins anew."""

    text: str = ""
    at: int = 0
    fresh: bool = True

    @classmethod
    def of(cls, text: str) -> "EditedText":
        """A text as it is come upon."""
        return cls(text, len(text))

    def typed(self, letters: str) -> "EditedText":
        """With letters more; the first take the place of what stood there."""
        if self.fresh:
            return EditedText(letters, len(letters), False)
        return EditedText(
            self.text[: self.at] + letters + self.text[self.at :], self.at + len(letters), False
        )

    def rubbed(self) -> "EditedText":
        """Without the letter before; nothing at all if nothing was typed yet."""
        if self.fresh:
            return EditedText("", 0, False)
        at = max(0, self.at - 1)
        return EditedText(self.text[:at] + self.text[self.at :], at, False)

    def moved(self, by: int) -> "EditedText":
        """At another letter, what stands there kept."""
        return evolve(self, at=max(0, min(len(self.text), self.at + by)), fresh=False)

    def drawn(self, width: int) -> Content:
        """What is written, with a sign where; as much as fits about it, with a sign for what does not."""
        if self.fresh and self.text:
            return literal(cut(one_line(self.text), width), "reverse")
        before, behind = one_line(self.text[: self.at]), one_line(self.text[self.at :])
        room = max(1, width - 1 - bool(behind))
        if width_of(before) > room:
            before = f"{CUT}{_last_cells(before, room - 1)}"
        shown = f"{before}{CARET}{cut(behind, max(0, width - 1 - width_of(before)))}"
        return literal(cut(shown, width), "bold")


def _last_cells(text: str, width: int) -> str:
    while text and width_of(text) > width:
        text = text[1:]
    return text


def field_text(draft: ShipDraft, name: str) -> str:
    """What was typed in a field."""
    return draft.navy if name == NAVY else draft.text(name)


def told(draft: ShipDraft, name: str) -> str:
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
    def draw(width: int) -> Content:
        label = literal(fit(name, LABEL), "$quiet")
        room = max(1, width - LABEL - 2)
        sign = literal("✗ " if name in reading.wrong else "  ", "bold $text-error")
        return Content.assemble(label, sign, line.drawn(room) if line else _told(draft, reading, name, room))

    return PickLine(name, draw)


def _told(draft: ShipDraft, reading: DraftReading, name: str, room: int) -> Content:
    """A field as it is taken: its text, or what is taken for granted."""
    text = told(draft, name)
    if text:
        return literal(cut(one_line(text), room))
    assumed = draft.defaults.get(name, "") or bearing(reading, name)
    if assumed:
        return literal(cut(f"{one_line(assumed)} (assumed)", room), "$quiet")
    return literal("needed" if name in (*NEEDED, NAVY) else "", "$quiet")


def bearing(reading: DraftReading, name: str) -> str:
    """How many guns are taken to bear where nobody says; "" for other fields."""
    if reading.ship is None or name not in BEARING.values():
        return ""
    guns = reading.ship.heavy if name == BEARING["heavy"] else reading.ship.light
    return " + ".join(str(one.bearing) for one in guns)


def value_rows(system: RuleSystem, rating: Rating | None) -> Sequence[RatedValue]:
    """Her values, then those that may be set besides."""
    known = rating.values if rating else ()
    keys = {one.key for one in known}
    return (*known, *(RatedValue(key, None, "") for key in value_keys(system) if key not in keys))


def value_list(values: Sequence[RatedValue], here: str, line: EditedText | None) -> list[PickLine]:
    """Her values with their working; `here` is the one under the cursor, `line` what is typed in it."""
    return [_value(one, line if one.key == here else None) for one in values]


def _value(one: RatedValue, line: EditedText | None) -> PickLine:
    def draw(width: int) -> Content:
        key = literal(f"{OWN if one.by_hand else ' '} {fit(one.key, KEY)} ")
        room = max(1, width - KEY - 3)
        if line is not None:
            return Content.assemble(key, line.drawn(room))
        unset = one.value is None and not one.working
        value = literal(
            fit("-" if unset else value_text(one.value), min(VALUE, room)), "" if unset else "bold"
        )
        return Content.assemble(key, value, literal(cut(f" {one.working}", max(0, room - VALUE)), "$quiet"))

    return PickLine(one.key, draw)
