"""How a volley is drawn: a line a ship, cut to the width, and what is said of the one under the cursor."""

from collections.abc import Iterator

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.entry.fields import HERE
from qf_tui.console.entry.form_state import DICE_FIELD
from qf_tui.console.entry.message_line import TONES
from qf_tui.console.entry.recall import OLD
from qf_tui.console.entry.volley_desk import VolleyDesk
from qf_tui.console.reading.refusal import REFUSED
from qf_tui.console.reading.source import OrderTone
from qf_tui.console.widgets.text import cut, fit, listed, literal, width_of, wrapped
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.dice_text import face_keys_text, faces_text
from qf_tui.core.grammar.order import Order
from qf_tui.session import Session
from qf_tui.session.headlines import deed_of

READY, SKIPPED, BARRED, ENTERED = "✓", "–", "·", "="
RANGE, DICE = 9, 9
"""Cells of a range and of dice."""
NAME_MOST, ROOMY = 14, 110
"""Cells of a name where there is little room; the width from which there is more."""
BOTH = 44
"""Cells from how many on needs and effect stand side by side."""


@frozen
class VolleyColumns:
    """The cells of each column; `needs` is 0 where needs and effect share a column."""

    ship: int
    guns: int
    target: int
    needs: int
    does: int

    @classmethod
    def of(cls, desk: VolleyDesk, width: int) -> "VolleyColumns":
        """The columns of a volley in a width."""
        ships, texts = desk.session.battle.ships, [row.filling for row in desk.rows]
        targets = [ships[id].name for one in texts if (id := one.text(desk.volley.target)) in ships]
        most = NAME_MOST if width < ROOMY else 2 * NAME_MOST
        ship = min(most, max((width_of(desk.name(at)) for at in range(len(desk.rows))), default=4))
        target = min(most, max(map(width_of, (*targets, "[target]"))))
        guns = min(9, max(map(width_of, ("guns", *(one.text(desk.volley.battery) for one in texts)))))
        needs = max((width_of(_needs(desk, at)) for at in range(len(desk.rows))), default=0)
        rest = width - len(HERE) - 2 - ship - guns - target - RANGE - DICE - 5
        needs = max(5, needs) if rest >= BOTH else 0
        return cls(ship, guns, target, needs, max(6, rest - (needs + 1 if needs else 0)))


def lines(desk: VolleyDesk, width: int, most: int) -> Iterator[Content]:
    """The titles and the rows, at most so many, those around the cursor."""
    columns = VolleyColumns.of(desk, width)
    yield _head(desk, columns)
    first = max(0, min(desk.at - most // 2, len(desk.rows) - most))
    for at in range(first, min(first + most, len(desk.rows))):
        yield _line(desk, at, columns, width)


def _head(desk: VolleyDesk, columns: VolleyColumns) -> Content:
    """The titles; that of the column which the cursor stands in is marked."""
    parts = [literal(f"    {fit('ship', columns.ship)} {fit('guns', columns.guns)} ", "$quiet")]
    named = (("target", columns.target), ("range", RANGE))
    beside = (("needs", columns.needs),) if columns.needs else ()
    for (title, cells), name in zip(
        (*named, *beside, ("dice", DICE)), _names(desk, bool(beside)), strict=True
    ):
        here = name == desk.column
        parts.append(
            literal(fit(f"[{title}]" if here else title, cells) + " ", "bold $accent" if here else "$quiet")
        )
    parts.append(literal("does" if columns.needs else "needs", "$quiet"))
    return Content("").join(parts)


def _names(desk: VolleyDesk, needs: bool) -> tuple[str, ...]:
    return (desk.volley.target, desk.volley.range, *([""] if needs else []), DICE_FIELD)


def _line(desk: VolleyDesk, at: int, columns: VolleyColumns, width: int) -> Content:
    row, read, volley = desk.rows[at], desk.reading(at), desk.volley
    ships = desk.session.battle.ships
    here = at == desk.at
    head = f"{HERE if here else '  '}{sign(desk, at)} {fit(desk.name(at), columns.ship)} "
    if row.barred:
        return literal(fit(head + row.barred, width), "$quiet")
    target = row.filling.text(volley.target)
    does = _against(desk, at) or _does(desk, at)
    bad = row.fault or (read.refused and (here or row.dice))
    tone = "$text-error" if bad else "$text-success" if does else "$quiet"
    pale = "$quiet" if row.skipped else ""
    cells = [
        (fit(row.filling.text(volley.battery), columns.guns), volley.battery, pale),
        (fit(ships[target].name if target in ships else "", columns.target), volley.target, pale),
        (
            fit(desk.range_text(at), RANGE),
            volley.range,
            "$quiet" if row.old or desk.is_estimate(at) else pale,
        ),
        *([(fit(_needs(desk, at), columns.needs), "", "")] if columns.needs else []),
        (fit(_dice(desk, at), DICE), DICE_FIELD, "bold"),
        (fit(does or ("" if columns.needs else _needs(desk, at)), columns.does), "", tone),
    ]
    parts = [literal(head, "bold" if here else "")]
    for text, name, style in cells:
        if here and name == desk.column:
            shown = fit(f"{desk.typed}_", width_of(text)) if desk.typed else _marked(text)
            parts.append(literal(f"{shown} ", "bold $accent"))
        else:
            parts.append(literal(f"{text} ", style))
    return Content("").join(parts).rstrip()


def _marked(text: str) -> str:
    """A cell with the sign of the cursor behind what stands there, if there is room."""
    return text if text.rstrip() == text else fit(f"{text.rstrip()}_", width_of(text))


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


def _dice(desk: VolleyDesk, at: int) -> str:
    """The dice of a row, face by face as they are read; with a question mark where that is in doubt."""
    row, dice = desk.rows[at], desk.reading(at).dice
    if not row.dice:
        return row.thrown if row.entry else ""
    return faces_text(dice.faces) or f"{row.dice.strip()}{'?' if dice.doubt else ''}"


def _against(desk: VolleyDesk, at: int) -> str:
    return desk.rows[at].fault or desk.reading(at).refused


def _needs(desk: VolleyDesk, at: int) -> str:
    """What a row's shot needs, by signs, behind the flags that stand."""
    row, seen = desk.rows[at], desk.reading(at).seen
    if _against(desk, at) or row.barred or seen is None:
        return ""
    found = [one.signs for one in seen.needs] or [str(one) for one in seen.chances]
    return " ".join((*sorted(row.filling.flags), *found))


def _does(desk: VolleyDesk, at: int) -> str:
    """What a row's dice do, once they are all there, and which of them are not needed for it."""
    row, read = desk.rows[at], desk.reading(at)
    if not desk.ready(at) or read.order is None:
        return f"entered as {row.entry}" if row.entry else ""
    if row.declared and read.seen is not None and read.seen.missing:
        return "declared"
    if row.entry:
        return f"in place of {row.entry}"
    spared = read.dice.spared if read.dice.spare else ""
    done = effect_text(desk.session, read.order, read.dice.faces)
    lead, _, why = done.partition(" · ")
    return " · ".join(filter(None, (lead, spared, why)))


def effect_text(session: Session, bare: Order, faces: tuple[int, ...]) -> str:
    """What an order with those dice would do, the outcome first, then why; "" where it is refused."""
    try:
        worked = session.work_out(evolve(bare, dice=faces))
    except QfError:
        return ""
    deed = deed_of(session.system, worked.after, worked.act.number)
    parts = (*(event.text.upper() for event in deed.events), deed.lead, deed.rest, deed.why)
    return " · ".join(part for part in dict.fromkeys(parts) if part)


def says(desk: VolleyDesk, width: int, close: str, against: str = "") -> Content:
    """The foot: what a digit means now, how the row under the cursor stands, and what `close` would enter."""
    if desk.row is None:
        return literal("no ship of this division is in the battle")
    text, tone = _stands(desk)
    if against:
        text, tone = f"{REFUSED} {against}", "refused"
    stands = [*wrapped(text, width, 2), "", ""][:2]
    return Content("\n").join(
        (
            literal(_meaning(desk, width), "bold $accent"),
            *(literal(line, TONES[tone]) for line in stands),
            literal(_closes(desk, width, close), "bold"),
        )
    )


def _meaning(desk: VolleyDesk, width: int) -> str:
    """What is typed now goes where."""
    ships, row, slot = desk.session.battle.ships, desk.rows[desk.at], desk.volley.form.slot(desk.column)
    name, target = desk.name(desk.at), ships.get(row.filling.text(desk.volley.target))
    if slot is None:
        return cut(f"dice of {name}: {_dice_words(desk)}", width)
    if desk.column == desk.volley.target:
        lead = f"target of {name}: "
        return cut(lead + listed([one.label for one in desk.choices()], width - width_of(lead), " · "), width)
    unit = f" ({slot.label})" if slot.bare else f", {slot.unit or desk.fields.scope.unit}"
    return cut(f"{slot.name} of {name} to {target.name if target else 'her target'}{unit}", width)


def _dice_words(desk: VolleyDesk) -> str:
    """The dice that a row takes, and the keys of their greatest faces."""
    if desk.session.sealed:
        return "the number that is called"
    asked = desk.reading(desk.at).dice.asked
    sizes = {die.sides for die in asked}
    named = [die.name or str(die) for die in asked] if len(sizes) == 1 else [str(die) for die in asked]
    size = f" (D{asked[0].sides})" if len(sizes) == 1 and any(die.name for die in asked) else ""
    return " · ".join(filter(None, (", ".join(named) + size, face_keys_text(asked)))) or "none yet"


def _stands(desk: VolleyDesk) -> tuple[str, OrderTone]:
    """How the row under the cursor stands, as far as its column is concerned."""
    row, read = desk.rows[desk.at], desk.reading(desk.at)
    if row.barred or row.skipped:
        return desk.closed, ""
    if _against(desk, desk.at):
        return f"{REFUSED} {_against(desk, desk.at)}", "refused"
    if desk.writing:
        return "", ""
    if desk.column == desk.volley.range and (said := _of_range(desk)):
        return said, "wants"
    if read.dice.doubt:
        return read.dice.doubt, "wants"
    if read.seen is None or row.old:
        return desk.no_dice, "wants"
    if does := _does(desk, desk.at):
        spared = "" if read.dice.spare else read.dice.spared
        return f"{does}{f' · {spared}: Enter goes on' if spared else ''}", "odds"
    if row.waits and not read.seen.missing:
        said = "; ".join((*read.seen.assumes, *read.seen.reminders)) or "nothing is rolled"
        return f"{said} · Space takes the shot without dice", "wants"
    if read.dice.missing:
        return f"{', '.join(map(str, read.dice.missing))} still wanted", "wants"
    return " · ".join(map(str, (*read.seen.needs, *read.seen.chances))), "odds"


def _of_range(desk: VolleyDesk) -> str:
    """What is to be said of the range under the cursor before its odds; "" where it was measured."""
    row, text = desk.rows[desk.at], desk.rows[desk.at].filling.text(desk.volley.range)
    if not row.waits or (row.ranged and text):
        return ""
    if not row.filling.text(desk.volley.target):
        return "t names the target"
    ends = [f"{desk.range_text(at)} of {desk.name(at)}" for at in desk.ends]
    if row.old:
        return f"{text} is {OLD}: Enter keeps it, digits measure it anew"
    if text:
        between = f" between {' and '.join(ends)}" if ends else ""
        return f"{text} is filled in{between}: Enter keeps it, digits measure it"
    if ends:
        return f"{' and '.join(ends)} are not one bracket: digits measure this one"
    return "digits measure it; the first ship's range and the last one's fill in those between"


def _closes(desk: VolleyDesk, width: int, close: str) -> str:
    """What the closing key is about to enter, and which rows lack what."""
    count = sum(desk.ready(at) for at in range(len(desk.rows)))
    what = "nothing yet" if not count else "1 shot" if count == 1 else f"{count} shots"
    lacks: dict[str, list[str]] = {}
    for at in range(len(desk.rows)):
        if lack := desk.lack(at):
            lacks.setdefault(lack, []).append(desk.name(at))
    parts = [f"{close} enters {what}"]
    room = (width - width_of(parts[0])) // max(1, len(lacks)) - 5
    for lack, names in lacks.items():
        parts.append(f"{lack}: {listed(names, max(8, room - width_of(lack)))}")
    return cut(" · ".join(parts), width)
