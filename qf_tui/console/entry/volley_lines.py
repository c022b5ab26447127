"""How a volley is drawn: a line a ship, cut to the width, and what is said of the one under the cursor."""

from collections.abc import Iterator

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.entry.fields import HERE
from qf_tui.console.entry.lookahead import shown
from qf_tui.console.entry.volley_desk import VolleyDesk
from qf_tui.console.reading.refusal import REFUSED
from qf_tui.console.reading.source import OrderTone
from qf_tui.console.widgets.text import fit, listed, literal, width_of
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.order import Order
from qf_tui.session import Session
from qf_tui.session.headlines import deed_of

READY, SKIPPED, BARRED, ENTERED = "✓", "–", "·", "="
DICE, NAME_MOST, RANGE, BOTH = 7, 14, 8, 46
"""Cells of dice, a long name, a range; from how many on needs and effect stand side by side."""


@frozen
class VolleyColumns:
    """The cells of each column."""

    ship: int
    guns: int
    target: int
    needs: int
    does: int

    @classmethod
    def of(cls, desk: VolleyDesk, width: int) -> "VolleyColumns":
        """The columns of a volley in a width."""
        ships, texts = desk.session.battle.ships, [row.filling for row in desk.rows]
        ship = max((width_of(ships[row.ship].name) for row in desk.rows), default=4)
        targets = [ships[id].name for one in texts if (id := one.text(desk.volley.target)) in ships]
        target = max((width_of(name) for name in targets), default=0)
        guns = max((width_of(one.text(desk.volley.battery)) for one in texts), default=4)
        ship, target, guns = min(NAME_MOST, ship), min(NAME_MOST, max(6, target)), min(9, max(4, guns))
        rest = max(6, width - len(HERE) - 2 - ship - guns - target - RANGE - DICE - 5)
        if rest < BOTH:
            return cls(ship, guns, target, rest, 0)
        return cls(ship, guns, target, rest // 2, rest - rest // 2 - 1)

    @property
    def wide(self) -> bool:
        """Whether what a shot needs and what it does stand side by side."""
        return bool(self.does)

    def head(self) -> Content:
        """The titles."""
        parts = (("ship", self.ship), ("guns", self.guns), ("target", self.target), ("range", RANGE))
        line = " ".join(fit(title, cells) for title, cells in parts)
        dice, needs = fit("dice", DICE), fit("needs", self.needs)
        return literal(f"    {line} {f'{needs} {dice} does' if self.wide else f'{dice} needs'}", "$quiet")


def lines(desk: VolleyDesk, width: int, most: int) -> Iterator[Content]:
    """The titles and the rows, at most so many, those around the cursor."""
    columns = VolleyColumns.of(desk, width)
    yield columns.head()
    first = max(0, min(desk.at - most // 2, len(desk.rows) - most))
    for at in range(first, min(first + most, len(desk.rows))):
        yield _line(desk, at, columns, width)


def _line(desk: VolleyDesk, at: int, columns: VolleyColumns, width: int) -> Content:
    row, read, volley = desk.rows[at], desk.reading(at), desk.volley
    ships = desk.session.battle.ships
    here = at == desk.at
    head = f"{HERE if here else '  '}{sign(desk, at)} {fit(ships[row.ship].name, columns.ship)} "
    if row.barred:
        return literal(fit(head + row.barred, width), "$quiet")
    target = row.filling.text(volley.target)
    cells = [
        (fit(row.filling.text(volley.battery), columns.guns), volley.battery),
        (fit(ships[target].name if target in ships else "", columns.target), volley.target),
        (fit(_range(desk, at), RANGE), volley.range),
    ]
    parts = [literal(head, "bold" if here else "")]
    for text, name in cells:
        if here and desk.editing == name:
            parts.append(literal(fit(f"{desk.typed}_", width_of(text)) + " ", "bold $accent"))
        else:
            pale = name == volley.range and (row.old or desk.is_estimate(at))
            parts.append(literal(f"{text} ", "$quiet" if pale or row.skipped else ""))
    typed = row.dice or (row.thrown if row.entry else "")
    dice = fit(typed + ("_" if here and not desk.editing and row.waits else ""), DICE)
    needs, does = _needs(desk, at), _does(desk, at)
    bad = row.fault or (read.refused and (here or row.dice))
    tone = "$text-error" if bad else "$text-success" if does else "$quiet"
    if columns.wide:
        parts.append(literal(f"{fit(needs, columns.needs)} ", "" if does else tone))
        parts.append(literal(f"{dice} ", "bold"))
        parts.append(literal(fit(does, columns.does), tone))
    else:
        parts.append(literal(f"{dice} ", "bold"))
        parts.append(literal(fit(does or needs, columns.needs), tone))
    return Content("").join(parts)


def sign(desk: VolleyDesk, at: int) -> str:
    """The sign of a row: ready, refused, left out, may not fire, entered already, or none."""
    row = desk.rows[at]
    refused = desk.reading(at).refused
    if row.fault or (refused and (row.dice or at == desk.at)):
        return REFUSED
    if row.skipped:
        return SKIPPED
    if desk.ready(at):
        return READY
    return BARRED if row.barred or refused else ENTERED if row.entry else " "


def _range(desk: VolleyDesk, at: int) -> str:
    """The range of a row; one of last turn with a question mark."""
    row = desk.rows[at]
    text = row.filling.text(desk.volley.range)
    return f"{text}?" if row.old and text else text


def _needs(desk: VolleyDesk, at: int) -> str:
    """What a row's shot needs or is refused for."""
    row, read = desk.rows[at], desk.reading(at)
    if row.fault or read.refused:
        return row.fault or read.refused
    if row.entry:
        return f"entered as {row.entry}"
    chances = (read.seen.needs or read.seen.chances) if read.seen is not None else ()
    return " · ".join((*sorted(row.filling.flags), *(str(one) for one in chances)))


def _does(desk: VolleyDesk, at: int) -> str:
    """What a row's dice do, once they are all there."""
    row, read = desk.rows[at], desk.reading(at)
    if not desk.ready(at):
        return ""
    if row.declared and read.order is not None:
        dice = read.seen is None or read.seen.missing
        return "declared" if dice else effect_text(desk.session, read.order, ())
    if row.entry or read.order is None or not read.dice.faces:
        return f"in place of {row.entry}" if row.entry else ""
    return effect_text(desk.session, read.order, read.dice.faces)


def effect_text(session: Session, bare: Order, faces: tuple[int, ...]) -> str:
    """What an order with those dice would do, the outcome first, then why; "" where it is refused."""
    try:
        worked = session.work_out(evolve(bare, dice=faces))
    except QfError:
        return ""
    deed = deed_of(session.system, worked.after, worked.act.number)
    parts = (*(event.text.upper() for event in deed.events), deed.lead, deed.rest, deed.why)
    return " · ".join(part for part in dict.fromkeys(parts) if part)


def says(desk: VolleyDesk, width: int) -> tuple[str, OrderTone]:
    """What is said of the row under the cursor: what its slot may hold, what its dice lack, or its odds."""
    row = desk.row
    if row is None:
        return "no ship of this division is in the battle", ""
    if desk.editing:
        return _slot_says(desk, width)
    read = desk.reading(desk.at)
    if row.barred:
        return row.barred, ""
    if row.fault:
        return f"{REFUSED} {row.fault}", "refused"
    if read.dice.doubt:
        return read.dice.doubt, "wants"
    if read.seen is None:
        return (
            "t: the target" if not row.filling.text(desk.volley.target) else "r, or digits: the range"
        ), "wants"
    if row.old:
        return (
            f"{_range(desk, desk.at)} is of last turn: r Enter keeps it, r and digits measure anew",
            "wants",
        )
    assert read.order is not None
    called = evolve(read.order, call=read.dice.call)
    seen = shown(read.seen, desk.session, called)
    does = _does(desk, desk.at)
    if does:
        return does, "odds"
    if read.fine and row.waits and not read.seen.missing:
        return f"{'; '.join(seen.more) or seen.text} · Space takes the shot without dice", "wants"
    return seen.text, seen.tone


def _slot_says(desk: VolleyDesk, width: int) -> tuple[str, OrderTone]:
    slot = desk.volley.form.slot(desk.editing)
    label = slot.label if slot is not None else ""
    names = [choice.label for choice in desk.choices()]
    fault = desk.fields.fault(desk.editing) if desk.typed and not desk.value() else ""
    if fault and not names:
        return f"{REFUSED} {fault}", "refused"
    return f"{label}: {listed(names, max(10, width - width_of(label) - 2), ' · ')}", "wants"
