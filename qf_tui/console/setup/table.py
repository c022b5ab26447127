"""The table of a battle being set up: what its rule system declares that a scenario may say."""

from collections.abc import Mapping

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.widgets.picklist import PickLine, heading
from qf_tui.console.widgets.text import cut, fit, literal
from qf_tui.core.measure import Scalar
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.library.checking import Checker
from qf_tui.library.declared import APPROACH, FOR, START, SUITS, option_fields, scenario_fields
from qf_tui.library.faults import FilePlace
from qf_tui.library.plans import SCHEDULE, VICTORY
from qf_tui.library.rebased import OF_ALL
from qf_tui.library.setup.drafts import Draft, DraftSide
from qf_tui.library.setup.fleet_catalogue import Fleets, charts_of, fleets_of

RULESET = "ruleset"
_SWITCH = "options."
"""Before the name of a switch in the key of its line, as a fault names it."""
_APART = (RULESET, "options", "side", START, "date", SUITS, "formerly", FOR, SCHEDULE, VICTORY, APPROACH)
_CALLED = {"dice": "dice", "charts": "chart"}
OURS = "ours"


@frozen
class TableSetting:
    """One line of the table: its title, its value in words, what it means; `field` says what it may be.

    `switch`: it is a house rule of the rule system.
    """

    key: str
    label: str
    value: str
    about: str
    field: CardField
    usual: bool = True
    switch: bool = False

    def line(self) -> PickLine:
        return PickLine(self.key, self._drawn)

    def _drawn(self, width: int) -> Content:
        label = max(10, min(24, width - 20))
        style = "" if self.usual else "bold $accent"
        value = literal(cut(self.value, max(0, width - label - 1)), style)
        return Content.assemble(literal(fit(self.label, label), "$quiet"), " ", value)


def settings(draft: Draft, systems: Mapping[str, RuleSystem]) -> list[TableSetting]:
    """All that can be set, the switches last."""
    system = systems[draft.ruleset]
    titles = ", ".join(one.title for one in systems.values())
    rules = CardField(RULESET, "word", f"the rules of this battle: {titles}", words=tuple(systems))
    found = [TableSetting(RULESET, "rule system", system.title, rules.label, rules)]
    fields = scenario_fields(system)
    found.extend(_setting(draft, field) for field in fields if field.name not in _APART)
    for field, switch in zip(option_fields(system), system.options, strict=True):
        value = draft.options.get(switch.name, switch.default)
        about = f"{field.label} ({' or '.join(switch.values)}; usually {switch.default})"
        usual = value == switch.default
        label = switch.name.replace("_", " ")
        found.append(TableSetting(_SWITCH + switch.name, label, value, about, field, usual, switch=True))
    return found


def _setting(draft: Draft, field: CardField) -> TableSetting:
    value = draft.table.get(field.name, field.default)
    shown = str(value) if value not in (None, "") else OURS if field.kind == "path" else ""
    if field.kind == "bool":
        shown = "yes" if value else "no"
    label = _CALLED.get(field.name, field.name.replace("_", " "))
    usual = field.name in ("title", "notes") or value in (None, "", False, field.default)
    about = f"{field.label} ({' or '.join(field.words)})" if field.words else field.label
    return TableSetting(field.name, label, shown, about, field, usual)


def table_lines(draft: Draft, systems: Mapping[str, RuleSystem]) -> list[PickLine]:
    """The settings in lines."""
    found = settings(draft, systems)
    table = [one.line() for one in found if not one.switch]
    switches = [one.line() for one in found if one.switch]
    return [*table, *([heading("House rules")] if switches else []), *switches]


def turned(draft: Draft, systems: Mapping[str, RuleSystem], key: str, by: int) -> Draft | None:
    """A setting at its next value; None where a text is to be written."""
    system = systems[draft.ruleset]
    one = next(one for one in settings(draft, systems) if one.key == key)
    if key == RULESET:
        return with_system(draft, systems[_next(tuple(systems), draft.ruleset, by)])
    if one.switch:
        return draft.with_option(system, one.field.name, _next(one.field.words, one.value, by))
    if key == "scale":
        return draft.with_scale(system, _next(one.field.words, one.value, by))
    if key == "units":
        fitting = [scale.units for scale in system.scales if scale.name == draft.table.get("scale")]
        return draft.with_table(key, _next(tuple(dict.fromkeys(fitting)), one.value, by))
    return _with_value(draft, system, one, by)


def _with_value(draft: Draft, system: RuleSystem, one: TableSetting, by: int) -> Draft | None:
    if one.field.kind == "bool":
        return draft.with_table(one.key, not draft.table.get(one.key, one.field.default))
    if one.field.kind == "word":
        return draft.with_table(one.key, _next(one.field.words, one.value, by))
    if one.field.kind == "path":
        charts = ("", *charts_of(system))
        return draft.with_table(one.key, _next(charts, str(draft.table.get(one.key) or ""), by))
    return None


def _next(values: tuple[str, ...], value: str, by: int) -> str:
    at = values.index(value) if value in values else -by
    return values[(at + by) % len(values)]


def with_system(draft: Draft, system: RuleSystem) -> Draft:
    """A draft for another rule system, without ships that have no card there, and what is of one alone."""
    if system.name == draft.ruleset:
        return draft
    fleets = fleets_of(system, draft)
    begun = Draft.begun(system)
    table = {key: value for key, value in draft.table.items() if key in OF_ALL}
    sides = tuple(_under(side, fleets) for side in draft.sides)
    return evolve(begun, table={**begun.table, **table}, sides=sides)


def _under(side: DraftSide, fleets: Fleets) -> DraftSide:
    """A side with the ships that these fleets have; without any its divisions are not kept either."""
    divisions = tuple(
        evolve(one, ships=tuple(ship for ship in one.ships if fleets.card(ship)), said={})
        for one in side.divisions
    )
    kept = evolve(side, divisions=divisions)
    return kept if kept.ships else DraftSide(side.name)


def written(draft: Draft, field: CardField, text: str) -> tuple[Draft, str]:
    """A text written for a setting, and what is wrong with it, if anything; then the draft is as it was."""
    value: Scalar = text.strip()
    if field.kind in ("int", "number"):
        value = _number(text)
    checker = Checker()
    good = checker.value(value, field, FilePlace())
    if not good:
        return draft, checker.faults[0].text if checker.faults else "expected something else"
    return draft.with_table(field.name, good[0]), ""  # type: ignore[arg-type]  # a field of the table has one value


def _number(text: str) -> Scalar:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
