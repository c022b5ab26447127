"""What is said below the form: of the field or value under the cursor, and of the ship as she is so far."""

from collections.abc import Sequence

from attrs import frozen

from qf_tui.console.widgets.text import listed
from qf_tui.console.yard.form import ABOUT, NAVY, field_text
from qf_tui.core.ratings import RatedValue
from qf_tui.core.ship_facts import HandValue, assumed_of
from qf_tui.core.system import RuleSystem
from qf_tui.library.ships.drafts import DraftReading, ShipDraft
from qf_tui.library.ships.spelling import likely_words, meant_by, spelled
from qf_tui.library.ships.values import hand_value

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
    """What is said below the lists; `fault`: it is something wrong."""

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
    known = [one for one in navies if one.casefold() == typed] or list(likely_words(typed, navies))
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
        *(f"odd: {one}" for one in reading.odd),
        *(f"assumed: {one}" for one in (assumed_of(reading.ship) if reading.ship else ())),
    ]
    return Notice(" · ".join(part for part in parts if part))


def about_value(system: RuleSystem, draft: ShipDraft, one: RatedValue) -> Notice:
    """A value in words: its working, or what is wrong with what was set by hand."""
    text = draft.hand(system.name, one.key)
    fault = hand_value(system, HandValue(system.name, one.key, text))[1] if text else ""
    if fault:
        return Notice(fault, fault=True)
    working = one.working or "not worked out"
    assumed = f" · assumed: {one.assumed}" if one.assumed else ""
    return Notice(f"{one.key}: {working}{assumed} · type a value to set it by hand")
