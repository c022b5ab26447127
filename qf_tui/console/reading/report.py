"""The battle as it is now: each side's ships by what became of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import ceil, inf
from pathlib import Path

from attrs import evolve, frozen
from textual.content import Content

from qf_tui.console.reading.help import Rank, matching
from qf_tui.console.reading.jobs import Retelling
from qf_tui.console.reading.ship_card import entry_lines
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.actions import REPORT, Action
from qf_tui.console.widgets.keys import KeyBar, shown_key
from qf_tui.console.widgets.panel import Panel, head
from qf_tui.console.widgets.picklist import ELSE, FilterScreen, PickLine, about_lines
from qf_tui.console.widgets.text import cut, fit, hanging, literal, spans, width_of
from qf_tui.core.errors import QfError
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.text import several
from qf_tui.core.timeline import State
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import ended_text, phase_text
from qf_tui.document.report import LUCK_SECTION, VICTORY_SECTION, remarks, victory
from qf_tui.document.values import Curve, CurvePoint, Report, Section, Sentence, Table, TableRow
from qf_tui.report.files import FileKind, keep_report

UP = " ▁▂▃▄▅▆▇█"
DOWN = " ▔▔▀▀▀▀██"
"""Letters for eighths of a line, above and below zero; no font has all of those below."""
MARGIN = 9
"""Cells for the figures at the left."""
LAST = 8
"""Cells for the last figure, behind the line."""
MOST = 3
"""The cells of a phase at most."""


@frozen
class _Scale:
    """What a line is worth, and how many lines stand above and below zero."""

    each: float
    above: int
    below: int


def curve_lines(curve: Curve, width: int, high: int) -> list[Content]:
    """Advantage and luck from phase to phase, `high` lines each at most, and the turn where it turned."""
    points, cells = _fitted(curve, max(1, width - MARGIN - LAST))
    scale = _scale(curve.points, high)
    advantage, luck = [one.advantage for one in points], [one.luck for one in points]
    lines = [literal(f"Advantage, above the line {curve.above}, below it {curve.below}", "$quiet")]
    lines += _chart(advantage, scale, cells, "$primary")
    lines += [literal("Of it luck, by the same measure", "$quiet")]
    lines += _chart(luck, scale, cells, "$secondary")
    return [*lines, *_turns(points, cells), *_mark(curve, len(points), cells, width)]


def _fitted(curve: Curve, room: int) -> tuple[Sequence[CurvePoint], int]:
    """The points that fit, of several the last, and the cells of each."""
    points = curve.points
    each = ceil(len(points) / room)
    shown = [points[min(at + each, len(points)) - 1] for at in range(0, len(points), each)]
    return shown, max(1, min(MOST, room // len(shown)))


def _scale(points: Sequence[CurvePoint], high: int) -> _Scale:
    """One scale for both charts, which shares `high` lines out above and below zero best."""
    values = [value for one in points for value in (one.advantage, one.luck)]
    top, bottom = max(0.0, *values), max(0.0, *(-value for value in values))
    if not top and not bottom:
        return _Scale(1.0, 0, 0)
    least = min(max(_share(top, above), _share(bottom, high - above)) for above in range(high + 1))
    return _Scale(least, ceil(round(top / least, 6)), ceil(round(bottom / least, 6)))


def _share(value: float, lines: int) -> float:
    """What each of some lines is worth, where together they are worth a value."""
    return value / lines if lines else inf if value else 0.0


def _chart(values: Sequence[float], scale: _Scale, cells: int, style: str) -> Iterator[Content]:
    """One curve, with no more lines than it fills; the figure at a side is what its last line is worth."""
    above = [line for line in range(scale.above, 0, -1) if _reaches(values, line, scale)]
    below = [
        line for line in range(1, scale.below + 1) if _reaches([-value for value in values], line, scale)
    ]
    for line in above:
        label = f"+{scale.each * line:.1f}" if line == above[0] else ""
        yield _line(label, (UP[_eighths(value, line, scale)] for value in values), cells, style)
    yield Content.assemble(
        literal(f"{fit('0', MARGIN - 1, True)} ", "$quiet"),
        literal("─" * (len(values) * cells), "$quiet"),
        literal(f" {values[-1]:+.1f}", "bold"),
    )
    for line in below:
        label = f"-{scale.each * line:.1f}" if line == below[-1] else ""
        yield _line(label, (DOWN[_eighths(-value, line, scale)] for value in values), cells, style)


def _reaches(values: Sequence[float], line: int, scale: _Scale) -> bool:
    return any(_eighths(value, line, scale) for value in values)


def _eighths(value: float, line: int, scale: _Scale) -> int:
    """How many eighths of a line, counted from zero, a value fills."""
    return max(0, min(8, round((value / scale.each - (line - 1)) * 8)))


def _line(label: str, letters: Iterator[str], cells: int, style: str) -> Content:
    drawn = "".join(letter * cells for letter in letters)
    return Content.assemble(literal(f"{fit(label, MARGIN - 1, True)} ", "$quiet"), literal(drawn, style))


def _turns(points: Sequence[CurvePoint], cells: int) -> Iterator[Content]:
    """The turns below their first phase, where there is room."""
    line, turn = "", None
    for at, one in enumerate(points):
        if one.turn != turn and len(line) <= at * cells:
            line = f"{line:<{at * cells}}{one.turn} "
            turn = one.turn
    yield literal(f"{fit('turn', MARGIN - 1, True)} {line.rstrip()}", "$quiet")


def _mark(curve: Curve, shown: int, cells: int, width: int) -> Iterator[Content]:
    """The turning point below its phase, with its name on the side that has room, or below."""
    if curve.turning is None:
        return
    turned = curve.points[curve.turning]
    place = curve.turning // ceil(len(curve.points) / shown) * cells
    said = f"turn {turned.turn}, {turned.phase}"
    if MARGIN + place + 2 + width_of(said) <= width:
        yield literal(f"{'':<{MARGIN + place}}▲ {said}", "bold")
    elif width_of(said) < place:
        yield literal(f"{'':<{MARGIN + place - width_of(said) - 1}}{said} ▲", "bold")
    else:
        yield literal(f"{'':<{MARGIN + place}}▲", "bold")
        yield literal(f"  {said}", "bold")


GAP = 2
NUMBER = 5
"""Cells of the number of an entry."""


@frozen
class RetoldLine:
    """One line; `entry` is what it tells of, 0 for none. `section`: it begins one."""

    content: Content
    entry: int = 0
    section: bool = False
    rank: Rank = Rank.ITEM


BLANK = RetoldLine(Content(""), rank=Rank.GAP)


def head_line(text: str) -> RetoldLine:
    """A line that begins a section."""
    return RetoldLine(literal(text, "bold $secondary"), section=True, rank=Rank.HEADING)


def first_lines(report: Report, width: int, high: int) -> Iterator[RetoldLine]:
    """What the report says first: how the battle stands, its curve, so many lines high, and luck."""
    luck = report.section(LUCK_SECTION)
    yield from (_sentence(one, False) for one in (*report.headline, *(luck.sentences if luck else ())))
    if report.curve:
        yield BLANK
        yield head_line("Advantage and luck")
        # A picture is found as a whole.
        yield from (RetoldLine(line, rank=Rank.BELOW) for line in curve_lines(report.curve, width - 2, high))
    if luck is not None and luck.table is not None:
        yield from section_lines(evolve(luck, sentences=()), width)


def other_sections(report: Report, width: int) -> Iterator[RetoldLine]:
    """All else of it but what stands with the battle as it is now."""
    for section in report.sections:
        if section.id not in (LUCK_SECTION, VICTORY_SECTION):
            yield from section_lines(section, width)


def section_lines(section: Section, width: int) -> Iterator[RetoldLine]:
    """A section with its parts."""
    yield BLANK
    yield head_line(section.title)
    yield from _section(section, width)
    for part in section.parts:
        yield RetoldLine(literal(f"  {part.title}", "bold"))
        yield from _section(part, width)


def _section(section: Section, width: int) -> Iterator[RetoldLine]:
    numbered = any(one.entry for one in section.sentences)
    yield from (_sentence(one, numbered) for one in section.sentences)
    if section.table and section.table.rows:
        yield from table_lines(section.table, width)


def _sentence(one: Sentence, numbered: bool) -> RetoldLine:
    """A sentence, behind the number of its entry where its neighbours have one."""
    number = f"{one.entry or '':>{NUMBER}}  " if numbered else "  "
    text = literal(one.text, "bold" if one.strong else "")
    return RetoldLine(
        Content.assemble(literal(number, "$quiet"), text), one.entry, rank=_rank(one.entry, numbered)
    )


def _rank(entry: int, numbered: bool) -> Rank:
    """What has no number among lines that have one goes on with the line above it."""
    return Rank.BELOW if numbered and not entry else Rank.ITEM


def table_lines(table: Table, width: int) -> Iterator[RetoldLine]:
    """A table in columns where they fit; else each row in words under its first cell."""
    rows = table.rows
    numbered = any(row.entry for row in rows)
    widths = [
        max(width_of(column.title), *(width_of(row.cells[at]) for row in rows))
        for at, column in enumerate(table.columns)
    ]
    if sum(widths) + GAP * len(widths) + (NUMBER + GAP if numbered else 0) > width:
        yield from _in_words(table, numbered)
        return
    rights = [column.figures for column in table.columns]
    titles = _cells((column.title for column in table.columns), widths, rights)
    lead = " " * (NUMBER + GAP) if numbered else "  "
    yield RetoldLine(literal(f"{lead}{titles}", "$quiet"), rank=Rank.BELOW)
    for row in rows:
        line = Content.assemble(_lead(row, numbered), literal(_cells(row.cells, widths, rights)))
        yield RetoldLine(line, row.entry, rank=_rank(row.entry, numbered))


def _cells(texts: Iterable[str], widths: list[int], rights: list[bool]) -> str:
    fitted = (fit(text, width, right) for text, width, right in zip(texts, widths, rights, strict=True))
    return (" " * GAP).join(fitted).rstrip()


def _lead(row: TableRow, numbered: bool) -> Content:
    return literal(f"{row.entry or '':>{NUMBER}}  " if numbered else "  ", "$quiet")


def _in_words(table: Table, numbered: bool) -> Iterator[RetoldLine]:
    for row in table.rows:
        first, *rest = row.cells
        named = zip(table.columns[1:], rest, strict=True)
        said = " · ".join(f"{column.title} {text}" for column, text in named if text)
        line = Content.assemble(_lead(row, numbered), literal(first, "bold"), literal(f"  {said}"))
        yield RetoldLine(line, row.entry, rank=_rank(row.entry, numbered))


NAME_MOST = 28
PAGE = 66
"""Cells of a ship's line on the narrowest screen, without its indent."""


def now_lines(source: BattleSource) -> Iterator[RetoldLine]:
    """How the battle stands, and every ship of each side."""
    system, battle = source.system, source.battle
    yield head_line(f"Now: {phase_text(system, battle)}")
    yield from (RetoldLine(line) for line in _counts(source))
    ended = ended_text(system, battle)
    if ended:
        yield RetoldLine(literal(ended, "bold $text-warning"))
    plan = victory(battle)
    if not plan.empty:
        yield from section_lines(plan, PAGE)
    for side in battle.sides:
        own = [ship for ship in battle.ships.values() if ship.side == side.id]
        yield BLANK
        yield RetoldLine(head(f"{side.name}: {_side_counts(system, own)}"), rank=Rank.HEADING)
        yield from (RetoldLine(line) for line in _ships(system, battle, own))


def _counts(source: BattleSource) -> list[Content]:
    timeline = source.timeline
    parked, spare = timeline.in_state(State.PARKED), timeline.in_state(State.SPARE)
    parts = [
        f"{several(len(timeline.play_order), 'entry', 'entries')} in force",
        f"{len(timeline.log) - len(timeline.play_order)} struck entries and corrections",
        *([f"parked: {_numbers(parked)}"] if parked else []),
        *([f"spare: {_numbers(spare)}"] if spare else []),
        *([f"disputed: {_numbers(source.battle.doubts)}"] if source.battle.doubts else []),
    ]
    return [literal(" · ".join(parts), "$quiet")]


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _side_counts(system: RuleSystem, ships: list[Ship]) -> str:
    """How many of a side are in the battle, and how many are what else."""
    gone = [ship.status for ship in ships if ship.status in system.departure_statuses]
    parts = [f"{sum(not system.departed(ship) for ship in ships)} of {len(ships)} in the battle"]
    parts += [f"{gone.count(status)} {status}" for status in dict.fromkeys(gone)]
    return ", ".join(parts)


def _ships(system: RuleSystem, battle: Battle, ships: list[Ship]) -> list[Content]:
    """Each ship with as many columns as a narrow screen has room for, under their titles."""
    name = min(max((width_of(ship.name) for ship in ships), default=4), NAME_MOST)
    columns = _columns(system, PAGE - name)
    widths = [max(column.width, width_of(column.title)) + 2 for column in columns]
    titles = "".join(
        fit(column.title, width - 2, column.right) + "  "
        for column, width in zip(columns, widths, strict=True)
    )
    lines = [literal(f"  {fit('ship', name)}  {titles}", "$quiet")]
    for ship in sorted(ships, key=system.departed):
        cells = [
            _cell(spans(system.cell(battle, ship, column)), width, column.right)
            for column, width in zip(columns, widths, strict=True)
        ]
        lines.append(Content.assemble(literal(f"  {fit(ship.name, name)}  "), *cells))
    return lines


def _columns(system: RuleSystem, room: int) -> list[Column]:
    """The columns of low rank that fit."""
    kept: set[str] = set()
    for column in sorted(system.columns, key=lambda column: column.rank):
        room -= max(column.width, width_of(column.title)) + 2
        if room < 0:
            break
        kept.add(column.name)
    return [column for column in system.columns if column.name in kept]


def _cell(cell: Content, width: int, right: bool) -> Content:
    blank = literal(" " * max(0, width - 2 - cell.cell_length))
    parts = (blank, cell) if right else (cell, blank)
    return Content.assemble(*parts, "  ")


LOOKS = 0.2
"""Seconds between two looks at how far the work has come."""
SAID_MOST = 4
"""Lines of what is said."""
HIGH = ((30, 4), (50, 7), (0, 11))
"""Lines of each chart on a screen lower than so many lines; 0: on any."""
KINDS = {"html": FileKind.HTML, "markdown": FileKind.MARKDOWN}


class ReportScreen(FilterScreen[None]):
    """The report of a battle; letters narrow it to the lines that hold them."""

    places = (REPORT,)

    def __init__(
        self, source: BattleSource, retelling: Retelling, court: Callable[[], object] = lambda: None
    ) -> None:
        """`court` shows the rules court of the battle over this screen."""
        super().__init__()
        self.source, self.retelling, self._court = source, retelling, court
        self._shown: tuple[object, ...] = ()
        self._entries: dict[str, int] = {}
        self._said = ""
        self._made: list[RetoldLine] = []
        self._made_for: tuple[object, ...] = (None, None, (), 0, 0)

    def on_mount(self) -> None:
        if not self.retelling.up_to_date:
            self.retelling.begin()
        self.set_interval(LOOKS, self.look)
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def look(self) -> None:
        """Shows how far the work has come, and the report as soon as it is there."""
        if self._state() == self._shown:
            self.say_more()
        else:
            self.draw()

    def _state(self) -> tuple[object, ...]:
        """What is drawn of the work, but for how far it has come."""
        work = self.retelling
        return work.finished, work.fault_lines, work.working, work.up_to_date

    def draw(self) -> None:
        """Draws all of it for the width that there is."""
        self._shown, finished, source = self._state(), self.retelling.finished, self.source
        self.query_one(KeyBar).refresh()
        title = finished.retold.report.title if finished else str(source.battle.table.get("title", ""))
        search = f"   search: {self.letters}▏" if self.letters else ""
        self.show_title(
            literal(cut(f" {title or source.system.title}{search}", self.size.width), "bold $primary")
        )
        made_for = finished, source.timeline, self.retelling.fault_lines, self._room, self.size.height
        if any(one is not other for one, other in zip(self._made_for, made_for, strict=True)):
            self._made_for, self._made = made_for, list(self._lines())
        self.picks.show(self._picks(self._made))
        self.say_more()

    @property
    def _room(self) -> int:
        return max(10, self.picks.room - len(ELSE))

    def _lines(self) -> Iterator[RetoldLine]:
        source, finished = self.source, self.retelling.finished
        for part in self.retelling.fault_lines[1:]:
            yield RetoldLine(literal(part, "$text-error"))
        if finished:
            high = next(lines for below, lines in HIGH if self.size.height < below or not below)
            yield from first_lines(finished.retold.report, self._room, high)
            yield BLANK
        yield from now_lines(source)
        if finished:
            yield from other_sections(finished.retold.report, self._room)
            return
        said = remarks(source.timeline)
        if not said.empty:
            yield from section_lines(said, self._room)

    def _picks(self, lines: list[RetoldLine]) -> Iterator[PickLine]:
        """The lines that hold the letters, broken to the width; each piece knows the entry of its line."""
        self._entries = {}
        kept = {id(line) for line in matching(lines, self.letters)}
        for at, line in enumerate(lines):
            if id(line) not in kept:
                continue
            for piece, content in enumerate(hanging(line.content, self._room)):
                key = f"{at}.{piece}" if content.plain else ""
                self._entries[key] = line.entry
                yield PickLine(key, partial(_as_it_is, content), section=line.section)

    @property
    def entry(self) -> int:
        """The entry that the line under the cursor tells of, 0 for none."""
        return self._entries.get(self.picks.word, 0)

    def about(self, width: int) -> list[Content]:
        """How far the work has come, what came of the last key, or what the line leads to."""
        text = self._said or self._work() or (f"entry {self.entry}: ? tells why" if self.entry else "")
        return about_lines(text, max(10, self.size.width - 2), SAID_MOST)

    def _work(self) -> str:
        work, key = self.retelling, shown_key(self.key_now("f8"))
        if work.working:
            return f"working the battle out: {work.done} of {work.of} entries; Esc leaves it to go on"
        if work.fault:
            return f"✗ {work.fault_lines[0]}; {key} tries again"
        if work.up_to_date:
            return ""
        if work.stopped:
            return f"stopped: {key} works the battle out after all"
        return (
            f"the battle went on since this was worked out; {key} works it out anew" if work.finished else ""
        )

    def on_pick_list_moved(self) -> None:
        self._said = ""

    def on_pick_list_chosen(self) -> None:
        self.action_explain()

    def narrow(self, letters: str) -> None:
        self.letters = letters
        self.draw()

    def action_part(self, by: int) -> None:
        """Goes to the part before or behind, and shows as much of it as there is room for."""
        self.picks.action_section(by)
        self.picks.jump(self.picks.at)

    def action_explain(self) -> None:
        """Shows the entry of the line in full: dice, cells, clauses."""
        if not self.entry:
            self._say("this line tells of no entry of its own")
            return
        lines = entry_lines(self.source, self.entry)
        self.app.push_screen(Panel(f"Why: entry {self.entry}", lines))

    def action_write(self, kind: str) -> None:
        """Writes the report into a file, and says where."""
        finished = self.retelling.finished
        if finished is None:
            self._say("nothing is written yet: the battle is still being worked out")
            return
        try:
            path = keep_report(finished.retold, self.retelling.save, KINDS[kind])
        except QfError as fault:
            self._say(f"✗ {fault}")
        else:
            self._say(f"written: {_short(path)}")

    def _say(self, text: str) -> None:
        self._said = text
        self.say_more()

    def action_stop(self) -> None:
        """Stops the work, or begins it again."""
        if self.retelling.working:
            self.retelling.stop()
        elif not self.retelling.up_to_date:
            self.retelling.begin()
        self._say("")
        self.draw()

    def title_now(self, action: Action) -> str:
        if action.call.name != "stop" or self.retelling.working:
            return super().title_now(action)
        return "" if self.retelling.up_to_date else "begin"

    def action_court(self) -> None:
        self._court()


def _as_it_is(content: Content, width: int) -> Content:
    return content


def _short(path: Path) -> str:
    """A path, from the user's folder on where it lies in it."""
    try:
        return f"~/{path.resolve().relative_to(Path.home())}"
    except (ValueError, RuntimeError, OSError):
        return str(path)
