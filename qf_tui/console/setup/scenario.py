"""A scenario before it begins: its table, its switches, and the order of battle with every ship's card."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from textual.content import Content

from qf_tui.console.setup.opening import Scenario, begin, look_at, seal_first
from qf_tui.console.setup.order_of_battle import ATTESTED_SIGN, by_division, card_text, columns, switches
from qf_tui.console.widgets.actions import SCENARIO
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import PickLine, PickScreen, about_lines, heading, words
from qf_tui.console.widgets.text import fit, literal, wrapped
from qf_tui.core.declarations import CardField
from qf_tui.core.errors import QfError
from qf_tui.core.schedule import standings, to_come
from qf_tui.core.sealed_dice import SEALED, SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.library.drafts import Draft
from qf_tui.library.faults import fault_lines
from qf_tui.library.scenarios import left_out_text
from qf_tui.library.writers import draft_of
from qf_tui.session import Session

ABOUT = 4
"""Lines for the card of the ship under the cursor."""


class ScenarioScreen(PickScreen[None]):
    """A scenario's order of battle; `opened` takes the battle once it is begun, `changed` a draft of it."""

    places = (SCENARIO,)

    def __init__(
        self,
        scenario: Scenario,
        systems: Mapping[str, RuleSystem],
        opened: Callable[[Session], None],
        changed: Callable[[Draft], None],
    ) -> None:
        super().__init__()
        self.scenario, self.systems, self.opened, self.changed = scenario, systems, opened, changed

    def headline(self) -> Content:
        title = str(self.scenario.battle.table.get("title") or "")
        return literal(f" {title}", "bold $primary")

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draws the order of battle for the width that there is."""
        at = self.picks.key
        self.picks.show(scenario_lines(self.scenario, max(20, self.picks.room - 3)), at)
        if not at:
            self.picks.jump(0)
        self.say_more()

    def about(self, width: int) -> list[Content]:
        ship = self.scenario.battle.ships.get(self.picks.word)
        if ship is None:
            return []
        notes = f" · {ship.card['notes']}" if ship.card.get("notes") else ""
        text = f"{ship.name}: {card_text(self.scenario.system, ship.card)}{notes}"
        return about_lines(text, width, ABOUT)

    def action_change_rules(self) -> None:
        """Goes on to the next rule system that the scenario can be played by."""
        names = [*self.systems]
        at = names.index(self.scenario.system.name)
        refused: tuple[str, ...] = ()
        for name in (*names[at + 1 :], *names[:at]):
            try:
                self.scenario = look_at(self.scenario.path, self.systems, name)
            except QfError as fault:
                refused = refused or fault_lines(fault)
            else:
                self.show()
                self.picks.jump(0)
                return
        self._explain(
            "It can be played by no other rules", refused or ("No other rule system is installed.",)
        )

    def action_begin(self) -> None:
        """Begins the battle; this screen makes room for it."""
        battle = self.scenario.battle
        seal_first(self.app, battle.table.get("dice"), [side.name for side in battle.sides], self._begin)

    def _begin(self, sealed: SealedDice | None) -> None:
        try:
            session = begin(self.scenario.path, self.systems, self.scenario.rules, sealed)
        except QfError as fault:
            self._explain("This cannot be begun", fault_lines(fault))
            return
        self.dismiss(None)
        self.opened(session)

    def _explain(self, title: str, lines: Iterable[str]) -> None:
        self.app.push_screen(Panel(title, map(literal, lines)))

    def action_simulate(self) -> None:
        """Plays the scenario out, a thousand times, in the background."""
        from qf_tui.console.setup.simulation import SimulationScreen

        self.app.push_screen(SimulationScreen(self.scenario))

    def action_change(self) -> None:
        self.dismiss(None)
        self.changed(draft_of(self.scenario.path, self.systems, self.scenario.rules))


def condition(field: CardField, value: Scalar) -> str:
    """A condition of the table in words; nothing where it is not set."""
    if value in (None, "", False):
        return ""
    return f"{field.name}: {field.label}" if value is True else f"{field.name} {value}"


def rules_lines(scenario: Scenario) -> list[str]:
    """What the chosen rule system means for a scenario: what is left out, and which rules suit it better."""
    left_out = left_out_text(scenario.system, scenario.left_out)
    lines = [left_out] if left_out else []
    why = scenario.suits.get(scenario.system.name)
    if why:
        lines.append(f"suits it: {why}")
    elif scenario.suits:
        others = ", ".join(f"{name} ({reason})" for name, reason in scenario.suits.items())
        lines.append(f"! suits other rules better: {others}")
    return lines


def scenario_lines(scenario: Scenario, width: int) -> list[PickLine]:
    """The whole of a scenario in lines for that width."""
    battle, system = scenario.battle, scenario.system
    table = battle.table
    dice = "sealed dice" if table.get("dice") == SEALED else f"dice of the {table.get('dice')}"
    conditions = (condition(field, table.get(field.name)) for field in system.conditions)
    chart = f"chart: {scenario.chart} laid over ours" if scenario.chart else "chart: ours"
    rules = f"{system.title} · {table.get('scale')}, {table.get('units')} · {dice}"
    notes = str(table.get("notes") or "")
    about = [
        " · ".join((rules, *filter(None, conditions), chart)),
        *rules_lines(scenario),
        *(switches(system, battle.options) or ["all switches as the rules have them"]),
        *(["notes: below the ships"] if notes else []),
        f"{ATTESTED_SIGN} stated by the rules; its other values as the last column says",
    ]
    lines = [words(line, "$quiet") for text in about for line in wrapped(text, width)]
    fitting = columns(system, (ship.card for ship in battle.ships.values()), width)
    for side, divisions in by_division(battle):
        lines += [words(""), heading(side)]
        for division, ships in divisions:
            titles = Content.assemble(
                literal(fit(division, fitting.name + 2 + fitting.kind), "bold"),
                literal(fitting.head(), "$quiet"),
            )
            lines.append(PickLine("", partial(_fixed, titles)))
            lines += (PickLine(ship.id, partial(_fixed, fitting.line(ship.card))) for ship in ships)
    for title, texts in (("Later", to_come(battle)), ("Victory", standings(battle)), ("Notes", (notes,))):
        if any(texts):
            lines += [words(""), heading(title)]
            lines += (words(line) for text in texts for line in wrapped(text, width))
    return lines


def _fixed(content: Content, width: int) -> Content:
    """Drawn already, for the width of the list."""
    return content
