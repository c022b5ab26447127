"""What a set-up says in words: its title, where ships go, what is under the cursor, and how it is done."""

from collections.abc import Mapping

from textual.content import Content

from qf_tui.console.reading.help import key_lines
from qf_tui.console.setup.order_of_battle import card_text, count
from qf_tui.console.setup.table import settings
from qf_tui.console.widgets.actions import BEFORE, SETUP
from qf_tui.console.widgets.text import cut, literal
from qf_tui.core.system import RuleSystem
from qf_tui.library.drafts import Draft, FleetShip, Place
from qf_tui.library.fleet_catalogue import Fleets

STEPS = (
    "1  F2: rules, scale, whose dice, and the house rules that you play by.",
    "2  F3: ships. Letters find them, Enter puts one in; ← → turn to the other side or division.",
    "3  F4: names of sides and divisions, and who plays them.",
    "4  F6 begins. What you set up is kept as a scenario, to be begun again or changed in an editor.",
    "",
)


def help_of_setup() -> list[Content]:
    """The steps, then the keys."""
    return [*(literal(one) for one in STEPS), *key_lines({place: BEFORE[place] for place in SETUP})]


def title_line(draft: Draft, width: int) -> Content:
    """What is being set up, and how many ships it has."""
    ships = count(len(draft.ships), "ship")
    title = cut(draft.title, max(8, width - len(ships) - 18))
    return Content.assemble(
        literal(" Setting up  ", "bold $primary"), literal(title, "bold"), literal(f"  {ships}", "$quiet")
    )


def into_line(draft: Draft, aim: Place, letters: str, width: int, *, here: bool) -> Content:
    """Where ships go, and the letters that narrow the list; `here`: the keyboard is on it."""
    name = draft.division(aim).name
    into = f"into {draft.sides[aim.side].name}{f', {name}' if name else ''} ←→"
    typed = f"  only: {letters}▏" if letters else "  letters narrow" if here else ""
    style = "bold $accent" if letters else "$quiet"
    return Content.assemble(literal(cut(into, max(10, width - len(typed))), "bold"), literal(typed, style))


def about_setting(draft: Draft, systems: Mapping[str, RuleSystem], key: str) -> str:
    """A setting in full: its value, what it means, what it may be."""
    one = next((one for one in settings(draft, systems) if one.key == key), None)
    return f"{one.label}{f' {one.value}' if one.value else ''} · {one.about}" if one else ""


def about_ship(system: RuleSystem, fleets: Fleets, berth: FleetShip | None) -> str:
    """A ship's whole card, or nothing."""
    card = fleets.card(berth) if berth else {}
    return f"{card['name']}: {card_text(system, card)}" if card else ""
