"""The report of a battle: its analysis in words, in the order in which they are read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.analysis.pricing import MANY, OF_MANY, ROLLS_MOST, nearest
from qf_tui.analysis.story import count_of
from qf_tui.analysis.throws import origin
from qf_tui.analysis.values import (
    Analysis,
    Count,
    DamageDealt,
    Distribution,
    Fate,
    LeftOut,
    Loss,
    StoryLine,
    ThrownDice,
    TurningPoint,
)
from qf_tui.core.availability import range_slot
from qf_tui.core.decisions import fold
from qf_tui.core.declarations import Event, Worth, of_damage
from qf_tui.core.revisions import ValueChange
from qf_tui.core.schedule import events
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import several
from qf_tui.core.timeline import State, Timeline
from qf_tui.core.values import Battle, Order, Ship, Side, replace
from qf_tui.document.acts import (
    EntrySummary,
    asked,
    capital,
    changed_text,
    effect_of,
    ended_text,
    joined,
    listed,
    order_words,
    phase_text,
    remarks_section,
    some,
    summary,
    turn_text,
)
from qf_tui.document.glance import victory
from qf_tui.document.values import (
    Block,
    Column,
    Curve,
    CurvePoint,
    Document,
    Line,
    Outcomes,
    Row,
    Section,
    Table,
    Tone,
    figure_columns,
    row,
    text_line,
    word_columns,
)
from qf_tui.document.words import codes_text
from qf_tui.session.changes import effect_changes, net

CERTAIN = Fraction(99, 100)
COMMON = Fraction(1, 2)
"""What one in two throws does is not rare."""
RAREST = 1_000_000
RATHER_ONE = 0.75
_DEGREES = ((Fraction(1, 1000), "extremely "), (Fraction(1, 100), "very "))
"""How rare a total is called so; the first that fits."""


def one_in(chance: Fraction, of: str = "") -> str:
    """A chance in words: `1 in 24`, `2 in 3`, `always`; `of` as in `1 time in 24`."""
    one = f"1 {of} in" if of else "1 in"
    if chance <= 0:
        return "never"
    if chance * RAREST < 1:
        return f"less than {one} {RAREST:,}"
    if chance > CERTAIN:
        return "always" if chance == 1 else "nearly always"
    if chance > Fraction(2, 5):
        near = chance.limit_denominator(10)
        return f"{near.numerator} in {near.denominator}" if near < 1 else "nearly always"
    times = round(1 / chance)
    return f"{one} {round(times, 2 - len(str(times))) if times >= 100 else times:,}"


def figure(value: float) -> str:
    """A mean with one decimal, more where that would be none."""
    return f"{value:.1f}" if abs(value) >= 0.05 or not value else f"{value:.2g}"


def standing(chances: Distribution, results: int, *, good: bool = True) -> str:
    """How often as many throws at the same odds do so, without an adjective: `as well 1 time in 24`.

    `good`: more of it is better for who throws.
    """
    if not chances.unusual(results):
        return "nothing unusual"
    well, badly = chances.as_well(results), chances.as_badly(results)
    if well <= badly:
        return f"as {'well' if good else 'much'} {one_in(well, 'time')}"
    return f"as {'badly' if good else 'little'} {one_in(badly, 'time')}"


def degree(chances: Distribution, results: int) -> str:
    """An adjective for the total of a side, "" where nothing is unusual."""
    if not chances.unusual(results):
        return ""
    well, badly = chances.as_well(results), chances.as_badly(results)
    rare = min(well, badly)
    word = "lucky" if well <= badly else "unlucky"
    return f"{next((text for most, text in _DEGREES if rare < most), '')}{word}"


def of_one_throw(chance: Fraction, throws: int) -> str:
    """How rare what a throw brought is: `1 in 24; expect about 5 as rare in 123 throws`.

    Nothing of one that is not rare.
    """
    if chance >= COMMON:
        return ""
    due = float(throws * chance)
    number = f"about {due:,.0f}" if due >= RATHER_ONE else f"{due:.1g}"
    return f"{one_in(chance)}; expect {number} as rare in {several(throws, 'throw')}"


class Names:
    """The words of one battle; what an entry did is worked out once."""

    def __init__(self, system: RuleSystem, timeline: Timeline) -> None:
        self.system, self.timeline = system, timeline
        self.damage_kinds = of_damage(system.results)
        self.harm = {kind.name: kind.harm for kind in system.results if kind.harm}
        self.gunfire = next((kind.lines for kind in system.results if kind.damage), ())
        self._summaries: dict[int, EntrySummary] = {}

    def ship(self, id: str) -> str:
        """A ship by her name."""
        return self.timeline.battle.called(id) if id in self.timeline.battle.ships else id

    def side(self, id: str) -> str:
        """A side by its name."""
        side = self.timeline.battle.side(id)
        return side.name if side else id

    def phase(self, name: str) -> str:
        """A phase by its title."""
        return find_phase(self.system, name).title

    def when(self, turn: int, phase: str) -> str:
        """A turn and a phase of it."""
        return turn_text(self.system, turn, phase)

    def gain(self, luck: float) -> str:
        """Worth that is good for the first side where it is above 0, by the side that it is good for."""
        sides = self.timeline.battle.sides
        side = sides[0 if luck >= 0 or len(sides) < 2 else 1].name
        return f"{side} +{figure(abs(luck))}"

    def summary(self, entry: int) -> EntrySummary:
        """What an entry did, and who did it."""
        if entry not in self._summaries:
            act = self.timeline.log[entry - 1]
            self._summaries[entry] = summary(self.system, self.timeline, act, self.timeline.in_force)
        return self._summaries[entry]

    def lead(self, entry: int) -> str:
        """What the dice of an entry in force came to."""
        return effect_of(self.system, self.timeline, entry).lead

    def events(self, entry: int) -> tuple[Event, ...]:
        """The events of an entry in force."""
        timeline = self.timeline
        before = timeline.battle_at(timeline.place(entry))
        after = fold(before, timeline.rulings[entry].decision.effects, entry)
        return events(self.system, before, after)

    def order(self, entry: int) -> str:
        """An order as people say it; of an answer what was owed. Without dice."""
        declared = self.declared(entry)
        if declared is not None:
            return order_words(self.timeline.battle, declared)
        key = self.timeline.versions[entry].order.key
        owed = asked(self.timeline, entry, key)
        return owed.prompt if owed else key

    def declared(self, entry: int) -> Order | None:
        """The order of an entry, or that whose dice it brought; None of an answer to anything else."""
        order = self.timeline.versions[entry].order
        if not order.is_answer:
            return order
        owed = asked(self.timeline, entry, order.key)
        return owed.order if owed else None

    def dice(self, entry: int) -> str:
        """The faces of an entry: `dice 3 10`, or nothing."""
        faces = " ".join(map(str, self.timeline.versions[entry].order.dice))
        return f"dice {faces}" if faces else ""


@frozen
class Arrived:
    """A ship as she came into the battle, and the battle of that moment; `entry` is 0 for the start."""

    ship: Ship
    battle: Battle
    entry: int = 0


class Arrivals:
    """Every ship as she came, by id, and what that was worth to each side."""

    def __init__(self, timeline: Timeline, worth: Worth) -> None:
        self.of: Mapping[str, Arrived] = _arrived(timeline)
        self._places = {number: place for place, number in enumerate(timeline.play_order)}
        self._sides = [side.id for side in timeline.start.sides]
        self._worth = worth

    def brought(self, side: str) -> float:
        """What all ships of a side were worth as they came."""
        return sum(self._worth.of_ship(one.ship) for one in self.of.values() if one.ship.side == side)

    def before(self, entry: int) -> float:
        """What ships that joined before an entry brought the first side; 0: all that did."""
        place = self._places.get(entry, len(self._places))
        joined = [one for one in self.of.values() if one.entry and self._places[one.entry] < place]
        return sum(self._sign(one.ship) * self._worth.of_ship(one.ship) for one in joined)

    def _sign(self, ship: Ship) -> int:
        """Whether a ship counts for the first side, against it, or is of a third one."""
        at = self._sides.index(ship.side) if ship.side in self._sides else 2
        return (1, -1, 0)[min(at, 2)]


def _arrived(timeline: Timeline) -> Mapping[str, Arrived]:
    # As if its phase began with each battle: nothing is drawn as lost just now.
    start = replace(timeline.start, began=None)
    found = {id: Arrived(ship, start) for id, ship in start.ships.items()}
    for place, number in enumerate(timeline.play_order):
        effects = timeline.rulings[number].decision.effects
        if any(isinstance(effect.value, Ship) for effect in effects):
            after = replace(timeline.battle_at(place + 1), began=None)
            found.update(
                {id: Arrived(ship, after, number) for id, ship in after.ships.items() if id not in found}
            )
    return found


_LEFT_OUT = {
    LeftOut.JUDGED_OTHERWISE: "judged otherwise by the rules as they are today than the save records it",
    LeftOut.TOO_MANY_DICE: "with more dice than can be looked at face by face",
    LeftOut.FORCED: "of an order that the rules could not prepare",
    LeftOut.READ_OUT: "with a cell that the umpire read out from the printed chart",
}


def basis(names: Names, analysis: Analysis, worth: Worth) -> Section:
    """What the report rests on, what was left out of it, and how worth and luck are meant."""
    texts = (
        *_chart_cells(analysis),
        *_left_out(analysis),
        *_cut_short(names.timeline),
        *_struck(names, analysis),
        *_entries(names.timeline),
        *_method(analysis, worth),
    )
    return Section("What it rests on", tuple(map(text_line, texts)), "rests")


def _chart_cells(analysis: Analysis) -> Iterator[str]:
    cells = analysis.cells
    if cells.read:
        read = several(cells.read, "reading")
        ours = f"{cells.reconstructed:,}" if cells.reconstructed else "none"
        yield f"Rests on cells of ours (†): {ours} of {read} of the charts."


def _left_out(analysis: Analysis) -> Iterator[str]:
    for why, words in _LEFT_OUT.items():
        own = [throw.entry for throw in analysis.throws if throw.left_out is why]
        if own:
            yield f"Without luck, and in no sum: {several(len(own), 'throw')} {words} ({listed(own)})."


def _cut_short(timeline: Timeline) -> Iterator[str]:
    owing = (timeline.battle_at(place).owed for place in range(1, len(timeline.play_order) + 1))
    pairs = zip(timeline.play_order, owing, strict=True)
    found = [one for one, owed in pairs if len(owed) > ROLLS_MOST and len(nearest(owed)) < len(owed)]
    if found:
        yield (
            f"Priced in part: behind {several(len(found), 'entry', 'entries')} ({listed(found)}) a ship owes "
            f"more than {ROLLS_MOST} rolls; worth and luck have the first {ROLLS_MOST} (of more than {MANY} "
            f"the first {OF_MANY}), and the others as they are thrown."
        )


def _struck(names: Names, analysis: Analysis) -> Iterator[str]:
    found = [f"{names.side(side)} {count}" for side, count in analysis.struck_throws.items() if count]
    if found:
        yield (
            f"Throws struck after their dice were seen: {joined(found)}. If they were thrown again because "
            "they did not please, the luck told here is not all there was."
        )


def _entries(timeline: Timeline) -> Iterator[str]:
    for state, words in ((State.PARKED, "parked"), (State.SPARE, "spare")):
        found = timeline.in_state(state)
        if found:
            many = several(len(found), f"{words} entry", f"{words} entries")
            yield f"Not counted: {many} ({listed(found)})."
    if timeline.battle.doubts:
        yield f"Disputed: {listed(timeline.battle.doubts)}."


def _method(analysis: Analysis, worth: Worth) -> Iterator[str]:
    yield f"What a ship is worth: {'; '.join(worth.words()) or 'nothing'}."
    if analysis.throws:
        yield (
            "Luck is what a throw brought in worth beside the mean of all its faces, with what it made owed. "
            "What was due is that of as many throws at the same odds, not of other nights."
        )


STRIKERS_MOST = 6
"""Ships that one sentence names."""


def damage(
    names: Names,
    target: str,
    lines: Iterable[StoryLine],
    throws: Mapping[int, ThrownDice],
    *,
    lost: bool = False,
) -> str:
    """What a ship took in a turn: `Fuji takes S G from Pobeda and S from Poltava: heavy ROF 6→5, S hits 0→2`.

    `lost`: she is so in this turn, and what that left on her log is left out.
    """
    found = list(lines)
    by: dict[str, list[str]] = {}
    for line in _not_followed(names, found, throws):
        throw = throws[line.entry]
        by.setdefault(_who(names, line, throw), []).append(_codes(names, line.entry, throw))
    parts = [f"{', '.join(codes)}{who}" for who, codes in by.items()]
    if not target:
        return f"{some(parts, STRIKERS_MOST)}."
    left = "" if lost else _left(names, target, found)
    took = f"{names.ship(target)} takes {some(parts, STRIKERS_MOST)}"
    return f"{took}: {left}." if left else f"{took}."


def _not_followed(
    names: Names, lines: list[StoryLine], throws: Mapping[int, ThrownDice]
) -> Iterator[StoryLine]:
    """The lines without those whose order scored by other dice later, as a torpedo that struck."""
    for at, line in enumerate(lines):
        root, kind = origin(names.timeline, line.entry), throws[line.entry].kind
        later = (one for one in lines[at + 1 :] if throws[one.entry].target)
        if all(origin(names.timeline, one.entry) != root or throws[one.entry].kind == kind for one in later):
            yield line


def _who(names: Names, line: StoryLine, throw: ThrownDice) -> str:
    """What it came from: ` from Mikasa`, ` from a fire`."""
    by = names.harm.get(throw.kind) or (names.ship(line.by) if line.by else "")
    return f" from {by}" if by else ""


def _codes(names: Names, entry: int, throw: ThrownDice) -> str:
    """What the dice scored in the codes of the rules, with what was used unless that is the guns.

    No codes of an order that may harm each ship that it names: they do not say whom.
    """
    order = names.declared(entry)
    if order is not None and order.form.mutual:
        return "damage"
    scored = several(throw.results, "result")
    codes = codes_text(names.timeline.rulings[entry].decision.outcome) or scored
    word = names.timeline.versions[origin(names.timeline, entry)].order.word
    return f"{codes} by {word}" if throw.target and word not in names.gunfire else codes


def _left(names: Names, ship: str, lines: Iterable[StoryLine]) -> str:
    """The values on a ship's log that these entries changed, from and to."""
    timeline, changes = names.timeline, list[ValueChange]()
    for line in lines:
        before = timeline.battle_at(timeline.place(line.entry))
        effects = timeline.rulings[line.entry].decision.effects
        changes += effect_changes(names.system, before, effects, line.entry)
    own = [one for one in changes if one.ship == ship and one.field != "status"]
    return changed_text(names.system, timeline.battle, net(own), ship)


KEPT_MOST = 40
"""Ships that nothing changed on and that are named."""
DEEDS_MOST = 24
"""Rows of who did what to whom."""


def ships(names: Names, arrivals: Arrivals) -> Section:
    """Every ship as she came into the battle, and as she is."""
    end = replace(names.timeline.battle, began=None)
    sides = tuple(
        _side(names, side, own, arrivals, end)
        for side in end.sides
        if (own := [ship for ship in end.ships.values() if ship.side == side.id])
    )
    return Section("Ships before and after", sides, "ships")


def _side(names: Names, side: Side, own: list[Ship], arrivals: Arrivals, end: Battle) -> Section:
    """A side's ships; of those that nothing changed on only the names."""
    came = [arrivals.of[ship.id] for ship in own]
    before = {one.ship.id: _cells(names.system, one.battle, one.ship) for one in came}
    after = {ship.id: _cells(names.system, end, ship) for ship in own}
    changed = [
        column
        for column in names.system.columns
        if any(cells.get(column.name) != after[ship].get(column.name) for ship, cells in before.items())
    ]
    touched = [ship for ship in own if before[ship.id] != after[ship.id] or not ship.afloat]
    kept = [ship.name for ship in own if ship not in touched]
    rows = tuple(
        row(
            ship.name,
            ship.status,
            *(_from_to(before[ship.id][one.name], after[ship.id][one.name]) for one in changed),
        )
        for ship in touched
    )
    columns = word_columns("ship", "is", *(column.title for column in changed))
    unchanged = (text_line(f"As they began: {some(kept, KEPT_MOST)}."),) if kept else ()
    return Section(side.name, (*unchanged, *_table(columns, rows)), f"ships-{side.id}")


def _table(columns: tuple[Column, ...], rows: tuple[Row, ...]) -> tuple[Table, ...]:
    """A table, if it has rows."""
    return (Table(columns, rows),) if rows else ()


def _cells(system: RuleSystem, battle: Battle, ship: Ship) -> dict[str, str]:
    """What each column of what stays shows of a ship."""
    return {
        column.name: "".join(span.text for span in system.cell(battle, ship, column)).strip()
        for column in system.columns
        if not column.passing
    }


def _from_to(before: str, after: str) -> str:
    return after if before == after else f"{before or '–'} → {after or '–'}"


def deeds(names: Names, found: Iterable[DamageDealt]) -> Section:
    """Who did what to whom, the most results first; of those without results only how many they were."""
    titles = {kind.name: kind.title for kind in names.system.results}
    scored = [deed for deed in found if deed.results]
    columns = (*word_columns("ship", "at", "what"), *figure_columns("throws", "told", "results"))
    rows = tuple(
        row(
            *(names.ship(deed.ship), names.ship(deed.target), titles.get(deed.kind, deed.kind)),
            *(str(deed.throws), str(deed.effective), str(deed.results)),
        )
        for deed in scored[:DEEDS_MOST]
    )
    left = scored[DEEDS_MOST:]
    results = several(sum(deed.results for deed in left), "result")
    more = (text_line(f"{several(len(left), 'more', 'more')} with {results} in all."),) if left else ()
    return Section("Who did what to whom", (*more, *_table(columns, rows)), "deeds")


NAMED_MOST = 6
"""Ships that one sentence names."""


def story(names: Names, lines: Iterable[StoryLine], throws: Iterable[ThrownDice]) -> Section:
    """The story, a part a turn; a turn without a line is left out."""
    by_entry = {throw.entry: throw for throw in throws}
    turns: dict[int, list[StoryLine]] = {}
    for line in lines:
        turns.setdefault(line.turn, []).append(line)
    parts = tuple(
        Section(f"Turn {turn}", tuple(_of_turn(names, own, by_entry)), f"turn-{turn}")
        for turn, own in turns.items()
    )
    return Section("Turn by turn", parts, "story")


def _of_turn(names: Names, found: list[StoryLine], throws: dict[int, ThrownDice]) -> Iterator[Line]:
    for fate, describe in _DESCRIBED.items():
        yield from (describe(names, one) for one in found if one.fate is fate)
    joining = [one for one in found if one.fate is Fate.JOINED]
    sides = {ship.id: ship.side for ship in names.timeline.battle.ships.values()}
    for side, own in _grouped(joining, lambda one: sides.get(one.ship, "")):
        ships = some([names.ship(one.ship) for one in own], NAMED_MOST)
        verb = "joins" if len(own) == 1 else "join"
        yield text_line(f"{ships} {verb} {names.side(side)}.", own[0].entry)
    lost = {one.ship for one in found if one.fate is Fate.LOST}
    hits = [one for one in found if one.fate is Fate.DAMAGE]
    for target, own in _grouped(hits, lambda one: one.ship):
        yield text_line(damage(names, target, own, throws, lost=target in lost), own[0].entry)


def _grouped(
    lines: Iterable[StoryLine], by: Callable[[StoryLine], str]
) -> Iterable[tuple[str, list[StoryLine]]]:
    found: dict[str, list[StoryLine]] = {}
    for line in lines:
        found.setdefault(by(line), []).append(line)
    return found.items()


def happened(names: Names, event: StoryLine) -> Line:
    """One event: what happened to whom, by whom, and the dice that decided it."""
    found = [one.text for one in names.events(event.entry) if one.ship == event.ship]
    text = " and ".join(map(capital, found)) or names.summary(event.entry).effect
    return text_line(_with_dice(names, event, text), event.entry, Tone.STRONG)


def left_line(names: Names, event: StoryLine) -> Line:
    """A ship that cannot keep her place, and what did that to her."""
    text = f"{names.ship(event.ship)} falls out of the line ({names.lead(event.entry)})"
    return text_line(_with_dice(names, event, text), event.entry, Tone.STRONG)


_DESCRIBED: dict[Fate, Callable[[Names, StoryLine], Line]] = {
    Fate.LOST: happened,
    Fate.EVENT: happened,
    Fate.OUT_OF_LINE: left_line,
}


def _with_dice(names: Names, event: StoryLine, text: str) -> str:
    """A text with the order and the dice behind it, and who did it where the order does not name her."""
    dice = names.dice(event.entry)
    detail = f"{names.order(event.entry)}, {dice}" if dice else ""
    by = names.ship(event.by) if event.by else ""
    who = f", by {by}" if by and by not in detail else ""
    return f"{text}{who}{f': {detail}' if detail else ''}."


def losses(names: Names, found: Iterable[Loss]) -> Section:
    """The ships that are out of the battle: when, by which entry, and who did damage to them."""
    columns = (
        *word_columns("ship", "side", "is"),
        *figure_columns("turn"),
        *word_columns("phase", "damage before"),
    )
    rows = tuple(
        row(
            *(names.ship(loss.ship), names.side(loss.side), loss.status, str(loss.turn)),
            names.phase(loss.phase),
            ", ".join(f"{names.ship(ship)} {count}" for ship, count in loss.by),
            entry=loss.entry,
        )
        for loss in found
    )
    return Section("Losses", _table(columns, rows), "losses")


MATTERED = 5
"""Throws that are listed."""
COUNTS = 0.1
"""The share of the greatest luck of a phase from which on a throw of it is told of."""


THROW_COLUMNS = (
    *figure_columns("turn"),
    *word_columns("phase", "side", "firer", "target", "weapon"),
    *figure_columns("odds", "dice"),
    *word_columns("result", "damage"),
    *figure_columns("entry"),
    *word_columns("counted"),
    *figure_columns("results", "expected", "luck"),
    *word_columns("thrown"),
)
"""The columns of a table of all throws: `weapon` is what was used, or what the dice were for."""


def throws_table(names: Names, throws: Iterable[ThrownDice]) -> Table:
    """All throws, flat, with names and titles as people read them."""
    titles = {kind.name: kind.title for kind in names.system.results}
    rows = (Row(_throw(names, titles, throw), throw.entry) for throw in throws)
    return Table(THROW_COLUMNS, tuple(rows))


def _throw(names: Names, titles: Mapping[str, str], throw: ThrownDice) -> tuple[str, ...]:
    return (
        str(throw.turn),
        names.phase(throw.phase),
        names.side(throw.side),
        names.ship(throw.ship) if throw.ship else "",
        names.ship(throw.target) if throw.target else "",
        _weapon(names, throw),
        six_places(float(throw.chances.as_well(1)) if throw.kind else None),
        " ".join(map(str, throw.dice)),
        names.summary(throw.entry).effect,
        codes_text(names.timeline.rulings[throw.entry].decision.outcome),
        str(throw.entry),
        titles.get(throw.kind, ""),
        *((str(throw.results), six_places(float(throw.chances.mean))) if throw.kind in titles else ("", "")),
        six_places(throw.luck),
        "console" if throw.by_console else "table",
    )


def six_places(value: float | None) -> str:
    """A figure to six places, "" for none."""
    return "" if value is None else f"{value:.6f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0)


def _weapon(names: Names, throw: ThrownDice) -> str:
    """What was used: the words of the order beside its ships and its range; of a check what it was for."""
    order = names.declared(throw.entry)
    if order is None:
        return throw.line.replace("-", " ")
    ranged, ships = range_slot(order.form), names.timeline.battle.ships
    values = (order.slots.get(slot.name) for slot in order.form.slots if slot is not ranged)
    return " ".join(one for one in values if isinstance(one, str) and one not in ships) or order.word


def mattered(names: Names, analysis: Analysis) -> Section:
    """The throws that did most, whichever side they were good for."""
    most = sorted((one for one in analysis.throws if one.luck), key=lambda one: -abs(one.luck or 0.0))
    lines = tuple(text_line(throw_text(names, analysis, throw), throw.entry) for throw in most[:MATTERED])
    return Section("The throws that mattered", lines, "throws")


def throw_text(names: Names, analysis: Analysis, throw: ThrownDice) -> str:
    """A throw: who threw what at whom and what it did, how rare that was, and what it brought."""
    dice = names.dice(throw.entry)
    order = ", ".join(part for part in (names.order(throw.entry), dice) if part)
    parts = [f"{order}: {names.summary(throw.entry).effect}."]
    rare = of_one_throw(throw.as_far, len(analysis.throws)) if throw.as_far is not None else ""
    if rare:
        parts.append(f"{rare}.")
    if throw.luck is not None:
        parts.append(f"{names.gain(throw.luck)}.")
    return " ".join(parts)


def turning_point(names: Names, analysis: Analysis, turn: TurningPoint) -> Section:
    """The phase in which luck did most, what happened in it, and its throws by size.

    Beside it stands the phase in which the advantage moved most.
    """
    by_entry = {one.entry: one for one in analysis.throws}
    most = [by_entry[entry] for entry in turn.throws[:MATTERED]]
    counted = [one for one in most if abs(one.luck or 0.0) >= abs(most[0].luck or 0.0) * COUNTS]
    shown = {one.entry for one in counted}
    lead = f"{capital(names.when(turn.turn, turn.phase))}: luck gave {names.gain(turn.luck)}."
    lines = [text_line(lead, tone=Tone.STRONG)]
    if analysis.advantage_moved is not None:
        at, phase, gained = analysis.advantage_moved
        same = (at, phase) == (turn.turn, turn.phase)
        where = "in this phase too" if same else f"in {names.when(at, phase)}"
        moved = f"The advantage moved most {where}: by luck and all else {names.gain(gained)}."
        lines.append(text_line(moved))
    for event in analysis.story:
        describe = _DESCRIBED.get(event.fate)
        here = (event.turn, event.phase) == (turn.turn, turn.phase)
        if describe and here and event.entry not in shown:
            lines.append(describe(names, event))
    lines += [text_line(throw_text(names, analysis, one), one.entry) for one in counted]
    if turn.throw not in shown:
        one = by_entry[turn.throw]
        lead = f"The single throw that did most, {names.when(one.turn, one.phase)}: "
        lines.append(text_line(f"{lead}{throw_text(names, analysis, one)}", one.entry))
    return Section("The phase of most luck", tuple(lines), "turning-point")


_FIGURES = (*figure_columns("throws", "results", "due"), *word_columns("at the same odds"))
_BY_KIND = (*word_columns("side", "what"), *_FIGURES)
_BY_DICE = (*word_columns("side", "dice"), *_FIGURES, *figure_columns("luck"))
LUCK = "luck"
"""The section of luck."""


def luck(names: Names, analysis: Analysis, arrivals: Arrivals, *, drawn: bool) -> Section:
    """What each side threw, against what was due; typed dice and the console's apart.

    `drawn`: a page draws it, as it draws the curve.
    """
    titles = {kind.name: kind.title for kind in names.system.results}
    rows = tuple(
        row(names.side(one.side), titles[one.kind], *_figures(one, one.kind in names.damage_kinds))
        for one in analysis.counts
    )
    apart = tuple(_apart(names, analysis))
    blocks: tuple[Block, ...] = (
        *_totals(names, analysis),
        *_in_worth(names, analysis, arrivals),
        *(_outcomes(names, analysis) if drawn else ()),
        *_table(_BY_KIND, rows),
    )
    if apart:
        dice = Section("Dice typed and dice thrown by the console", _table(_BY_DICE, apart), "dice")
        blocks = (*blocks, dice)
    return Section("Luck", blocks, LUCK)


def _outcomes(names: Names, analysis: Analysis) -> Iterator[Outcomes]:
    """What each of the first two sides threw among all that it could have."""
    for count in analysis.damage[:2]:
        if count.throws:
            chances = count.chances
            yield Outcomes(
                names.side(count.side),
                count.side == analysis.sides[0],
                count.results,
                float(chances.mean),
                tuple(chances.ways),
                chances.of,
            )


def _totals(names: Names, analysis: Analysis) -> Iterator[Line]:
    """Each side's total, the one place for an adjective."""
    for found in analysis.damage:
        if not found.throws:
            continue
        word, results = degree(found.chances, found.results), several(found.results, "result")
        lead = f"{names.side(found.side)} was {word}" if word else names.side(found.side)
        due = f"{results} where {figure(float(found.chances.mean))} were due"
        stands = standing(found.chances, found.results)
        often = f"; the same throws do {stands}" if word else f", {stands}"
        yield text_line(f"{lead}: {due}{often}.")


def _in_worth(names: Names, analysis: Analysis, arrivals: Arrivals) -> Iterator[Line]:
    """What the dice brought in worth, beside the ships that joined and all else."""
    if len(analysis.sides) != 2 or not analysis.phases or not analysis.throws:
        return
    last = analysis.phases[-1]
    came = arrivals.before(last.entry)
    parts = [f"by the dice {names.gain(last.luck)}"]
    parts += [f"by ships that joined {names.gain(came)}"] if came else []
    rest = last.rest - came
    parts.append(f"by all else {names.gain(rest)}" if round(rest, 1) else "by all else next to nothing")
    yield text_line(f"Worth gained: {joined(parts)}.")


def _apart(names: Names, analysis: Analysis) -> Iterator[Row]:
    """A row for each side and who threw its dice, where both did."""
    thrown = {throw.by_console for throw in analysis.throws}
    if len(thrown) < 2:
        return
    for side in analysis.sides:
        for by_console, thrown_by in ((False, "typed"), (True, "by the console")):
            own = [one for one in analysis.throws if one.side == side and one.by_console is by_console]
            if own:
                found = count_of(own, side, *names.damage_kinds)
                brought = names.gain(sum(one.luck or 0.0 for one in own))
                yield row(names.side(side), thrown_by, *_figures(found, True), brought)


def _figures(one: Count, good: bool) -> tuple[str, ...]:
    """Throws, results, what was due, and how that stands; `good`: more is better for who throws."""
    due = figure(float(one.chances.mean))
    return str(one.throws), str(one.results), due, standing(one.chances, one.results, good=good)


EVEN = 0.02
"""Shares of their worth that sides may have lost more or less, and neither has the better of it."""
FLAT = 0.05
"""Worth that nobody sees on a curve."""


@frozen
class BattleReport:
    """The report of a battle: what is found of it, that in words, and every throw in a row."""

    analysis: Analysis
    document: Document
    throws: Table


def make_report(
    system: RuleSystem, timeline: Timeline, analysis: Analysis, worth: Worth | None = None
) -> BattleReport:
    """The report of a battle; `worth` is that of the analysis, where it is not the rule system's own.

    Behind the lines that come first stands the curve, where the battle has two sides and something was
    gained; then the sections, each left out where it would be empty.
    """
    names, weights = Names(system, timeline), worth or system.worth
    arrivals = Arrivals(timeline, weights)
    turn, curve = analysis.turning_point, _curve(names, analysis, weights, arrivals)
    sections = (
        luck(names, analysis, arrivals, drawn=curve is not None),
        *((turning_point(names, analysis, turn),) if turn else ()),
        mattered(names, analysis),
        story(names, analysis.story, analysis.throws),
        losses(names, analysis.losses),
        deeds(names, analysis.deeds),
        ships(names, arrivals),
        victory(timeline.battle),
        remarks_section(timeline),
        basis(names, analysis, weights),
    )
    blocks: tuple[Block, ...] = (
        *_lead(names, analysis, weights, arrivals),
        *((curve,) if curve else ()),
        *(section for section in sections if section.blocks),
    )
    return BattleReport(
        analysis, Document(_title(system, timeline), blocks), throws_table(names, analysis.throws)
    )


def _title(system: RuleSystem, timeline: Timeline) -> str:
    battle = timeline.battle
    title = str(battle.table.get("title") or system.title)
    entries = several(len(timeline.play_order), "entry", "entries")
    return f"{title} · {several(battle.turn, 'turn')}, {entries}"


def _lead(names: Names, analysis: Analysis, worth: Worth, arrivals: Arrivals) -> Iterator[Line]:
    """Who has the better of it, who was lost and who is out of the line; or that no dice were thrown."""
    if not analysis.throws:
        yield text_line("No dice have been thrown yet: there is no luck to tell of.")
    if len(analysis.sides) == 2:
        yield text_line(_better(names, analysis, arrivals, worth), tone=Tone.STRONG)
        yield text_line(
            "Worth is the sum of what ships have left: “What it rests on” says how much each thing counts."
        )
    lost = [f"{names.ship(one.ship)} {one.status} (turn {one.turn})" for one in analysis.losses]
    if lost:
        yield text_line(f"{some(lost, NAMED_MOST)}.", tone=Tone.STRONG)
    battle, system = names.timeline.battle, names.system
    left = {event.ship: event.turn for event in analysis.story if event.fate is Fate.OUT_OF_LINE}
    out = [
        f"{names.ship(ship)} out of the line from turn {turn}"
        for ship, turn in left.items()
        if battle.ships[ship].afloat and system.out_of_line(battle, battle.ships[ship])
    ]
    if out:
        yield text_line(f"{some(out, NAMED_MOST)}.")
    ended = ended_text(system, battle)
    yield text_line(f"{ended}." if ended else f"It stands at {phase_text(system, battle)}.")


def _better(names: Names, analysis: Analysis, arrivals: Arrivals, worth: Worth) -> str:
    """Which side has lost the smaller share of its worth, with the rolls that are owed priced in."""
    shares, losses = [], []
    end = analysis.phases[-1].worth if analysis.phases else {}
    for side in analysis.sides:
        whole = arrivals.brought(side)
        left = end[side] if side in end else worth.of_side(names.timeline.battle, side)
        shares.append((whole - left) / whole if whole else 0.0)
        losses.append(f"{names.side(side)} {figure(whole - left)} of {figure(whole)}")
    gap = shares[1] - shares[0]
    lost = f"worth lost by {joined(losses)}"
    if abs(gap) < EVEN:
        return f"Neither side has the better of it: {lost}."
    return f"{names.side(analysis.sides[0 if gap > 0 else 1])} has the better of it: {lost}."


def _curve(names: Names, analysis: Analysis, worth: Worth, arrivals: Arrivals) -> Curve | None:
    """Advantage and luck from phase to phase; None without two sides, or where neither was gained."""
    if len(analysis.sides) != 2 or not analysis.phases:
        return None
    first, second = analysis.sides
    points: list[CurvePoint] = []
    before = 0.0
    for one in analysis.phases:
        sides = one.worth[first], one.worth[second]
        gained, before = one.luck - before, one.luck
        phase = names.phase(one.phase)
        advantage = one.luck + one.rest - arrivals.before(one.entry)
        points.append(CurvePoint(one.turn, phase, sides, advantage, one.luck, gained))
    if max(max(abs(one.advantage), abs(one.luck)) for one in points) < FLAT:
        return None
    return Curve(
        (names.side(first), names.side(second)),
        tuple(points),
        _turning(analysis, points),
        f"{names.side(first)} gains",
        f"{names.side(second)} gains",
        "; ".join(worth.words()),
    )


def _turning(analysis: Analysis, points: list[CurvePoint]) -> int | None:
    """The place of the turning point; of a phase that a turn had several times the one with most luck."""
    turn, phases = analysis.turning_point, [(phase.turn, phase.phase) for phase in analysis.phases]
    places = [at for at, phase in enumerate(phases) if turn and phase == (turn.turn, turn.phase)]
    return max(places, key=lambda at: abs(points[at].gained), default=None)
