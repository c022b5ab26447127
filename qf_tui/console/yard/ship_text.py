"""A ship in lines: in the list, beside it, and in full with every rule system's values and their working."""

from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from qf_tui.console.widgets.panel import head
from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import cut, fit, hanging, literal, one_line, width_of
from qf_tui.core.measure import decimal
from qf_tui.core.ratings import RatedValue, Rating
from qf_tui.core.ship_facts import Guns, ShipFacts, assumed_of, contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import value_text
from qf_tui.library.faults import FileFaults
from qf_tui.library.ships.values import rated

OWN = "*"
"""Beside what is the user's own: a row of facts, a value set by hand."""
LABEL, KEY, VALUE = 10, 16, 10
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


def fact_rows(ship: ShipFacts) -> Iterator[tuple[str, str]]:
    """What is known of a ship, short, each with its label."""
    yield "built", f"launched {ship.launched}, completed {ship.completed}{_refit(ship)}"
    yield "tons", f"{ship.tons:,}; {decimal(ship.knots)} knots"
    for label, guns, mount in (
        ("heavy", ship.heavy, ship.heavy_mount),
        ("light", ship.light, ship.light_mount),
    ):
        if guns:
            yield label, f"{_guns(guns)}{f', {mount}' if mount else ''}"
    if ship.small.larger or ship.small.smaller:
        yield "small", str(ship.small)
    yield "armor", _armor(ship)
    yield "tubes", _tubes(ship)


def _refit(ship: ShipFacts) -> str:
    return "" if ship.since == ship.completed else f", so from {ship.since}"


def _guns(guns: Iterable[Guns]) -> str:
    return " + ".join(map(str, guns))


def _armor(ship: ShipFacts) -> str:
    slope = ship.deck_slope
    parts = (
        ("belt", decimal(ship.belt) if ship.belt else ""),
        ("ends", decimal(ship.belt_ends) if ship.belt_ends else ""),
        ("side", decimal(ship.upper_side) if ship.upper_side else ""),
        ("heavy guns", decimal(ship.heavy_armor) if ship.heavy_armor else ""),
        ("light guns", str(ship.light_armor) if ship.light_armor else ""),
        ("deck", decimal(ship.deck) if ship.deck else ""),
        ("slope", decimal(slope) if slope else ""),
        ("tower", decimal(ship.conning_tower) if ship.conning_tower else ""),
    )
    said = ", ".join(f"{name} {text}" for name, text in parts if text)
    return f"{said} in{f' of {ship.plate}' if ship.plate else ''}" if said else "none"


def _tubes(ship: ShipFacts) -> str:
    if ship.tubes is None:
        return "nobody knows"
    sizes = " and ".join(map(str, ship.tube_size_in))
    below = f", {ship.tubes_below} below water" if ship.tubes_below else ""
    return f"{ship.tubes}{f' of {sizes} in' if sizes else ''}{below}" if ship.tubes else "none"


def beside_lines(ship: ShipFacts, system: RuleSystem, width: int) -> list[Content]:
    """A ship beside the list: facts, values, then what is doubtful and where it comes from."""
    rows = [*title_lines(ship), *(_row(label, text) for label, text in fact_rows(ship))]
    rows += [_row("odd", text, "bold $text-warning") for text in contradictions(ship)]
    rows += [Content(""), *value_lines(system, rated(system, ship), width), Content(""), *_background(ship)]
    return [part for row in rows for part in hanging(row, width)]


def title_lines(ship: ShipFacts) -> list[Content]:
    """Who she is."""
    own = f" {OWN} yours" if ship.own else ""
    about = f"{ship.navy} · {ship.kind} · class {ship.ship_class}{own}"
    return [literal(one_line(ship.name), "bold $primary"), literal(one_line(about))]


def value_lines(system: RuleSystem, rating: Rating | None, width: int) -> list[Content]:
    """A ship's values under a rule system, with their working where there is room for it."""
    if rating is None:
        return [literal(f"{system.title} works nothing out of facts", "$quiet")]
    lines = [literal(system.title, "bold $secondary")]
    if width >= _WORKING_FROM:
        lines += [working_line(one, width) for one in rating.values]
    else:
        lines += _in_columns(rating.values, max(1, width // _COLUMN))
    return lines


def working_line(one: RatedValue, width: int | None = None) -> Content:
    """A value with its working, or as much of it as there is room for."""
    named = f"{OWN if one.by_hand else ' '} {fit(one.key, KEY)} "
    working = (
        f" {one.working}" if width is None else cut(f" {one.working}", max(0, width - len(named) - VALUE))
    )
    return Content.assemble(
        literal(named), literal(fit(value_text(one.value), VALUE), "bold"), literal(working, "$quiet")
    )


def _in_columns(values: Sequence[RatedValue], columns: int) -> list[Content]:
    lines = []
    for at in range(0, len(values), columns):
        cells = []
        for one in values[at : at + columns]:
            sign = OWN if one.by_hand else " "
            said = value_text(one.value)
            cells.append(literal(f"{sign} {fit(one.key, max(1, _COLUMN - 3 - width_of(said)))}"))
            cells.append(literal(f"{cut(said, _COLUMN - 4)} ", "bold"))
        lines.append(Content.assemble(*cells))
    return lines


def _background(ship: ShipFacts) -> Iterator[Content]:
    texts = (
        ("differ", ship.differ),
        ("note", ship.note),
        ("fought", "; ".join(ship.fought)),
        ("sisters", "; ".join(ship.sisters)),
    )
    yield from (_row(label, text) for label, text in texts if text)
    for at, source in enumerate(ship.sources):
        yield _row("sources" if at == 0 else "", source)


def _row(label: str, text: str, style: str = "") -> Content:
    return Content.assemble(literal(f"{fit(label, LABEL)}  ", "$quiet"), literal(one_line(text), style))


def whole_lines(ship: ShipFacts, systems: Iterable[RuleSystem]) -> list[Content]:
    """All that is known of a ship, and her values in each rule system with their working."""
    lines = [*title_lines(ship), *(_row(label, text) for label, text in fact_rows(ship))]
    lines += [_row("odd", text, "bold $text-warning") for text in contradictions(ship)]
    lines += [_row("assumed", text) for text in assumed_of(ship)]
    for system in systems:
        rating = rated(system, ship)
        if rating is not None:
            lines += [Content(""), head(system.title), *map(working_line, rating.values)]
            lines += [literal(f"  assumed: {text}", "$text-warning") for text in rating.assumptions]
    return [*lines, Content(""), *_background(ship)]
