"""The report of a battle: its analysis in words, in the order in which they are read."""

from collections.abc import Iterator

from qf_tui.analysis.values import Analysis, Fate
from qf_tui.core.declarations import Worth
from qf_tui.core.schedule import standings, to_come
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import several
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.report import luck_words, ship_words, story_words, throw_words
from qf_tui.report.basis import basis, remarks
from qf_tui.report.chances import figure
from qf_tui.report.names import Arrivals, Names, joined, some
from qf_tui.report.values import Curve, CurvePoint, Report, Section, Sentence
from qf_tui.session.act_words import ended_text, phase_text

EVEN = 0.02
"""Shares of their worth that sides may have lost more or less, and neither has the better of it."""
NAMED_MOST = 6
"""Ships that the headline names."""
LUCK, VICTORY = luck_words.LUCK, "victory"
"""The sections of luck, and of what wins the battle."""
FLAT = 0.05
"""Worth that nobody sees on a curve."""


def make_report(
    system: RuleSystem, timeline: Timeline, analysis: Analysis, worth: Worth | None = None
) -> Report:
    """The report of a battle; `worth` is that of the analysis, where it is not the rule system's own."""
    names, weights = Names(system, timeline), worth or system.worth
    arrivals = Arrivals(timeline, weights)
    turn = analysis.turning_point
    throws = tuple(throw_words.rows(names, analysis.throws))
    sections = (
        luck_words.luck(names, analysis, arrivals),
        *((throw_words.turning_point(names, analysis, turn),) if turn else ()),
        throw_words.mattered(names, analysis),
        story_words.story(names, analysis.story, analysis.throws),
        story_words.losses(names, analysis.losses),
        ship_words.deeds(names, analysis.deeds),
        ship_words.ships(names, arrivals),
        victory(timeline.battle),
        remarks(timeline),
        basis(names, analysis, weights),
    )
    return Report(
        _title(system, timeline),
        tuple(_headline(names, analysis, weights, arrivals)),
        _curve(names, analysis, weights, arrivals),
        tuple(section for section in sections if not section.empty),
        throws,
    )


def _title(system: RuleSystem, timeline: Timeline) -> str:
    battle = timeline.battle
    title = str(battle.table.get("title") or system.title)
    entries = several(len(timeline.play_order), "entry", "entries")
    return f"{title} · {several(battle.turn, 'turn')}, {entries}"


def _headline(names: Names, analysis: Analysis, worth: Worth, arrivals: Arrivals) -> Iterator[Sentence]:
    """Who has the better of it, who was lost and who is out of the line; or that no dice were thrown."""
    if not analysis.throws:
        yield Sentence("No dice have been thrown yet: there is no luck to tell of.")
    if len(analysis.sides) == 2:
        yield Sentence(_better(names, analysis, arrivals, worth), strong=True)
        yield Sentence(
            "Worth is the sum of what ships have left: “What it rests on” says how much each thing counts."
        )
    lost = [f"{names.ship(one.ship)} {one.status} (turn {one.turn})" for one in analysis.losses]
    if lost:
        yield Sentence(f"{some(lost, NAMED_MOST)}.", strong=True)
    battle, system = names.timeline.battle, names.system
    left = {line.ship: line.turn for line in analysis.story if line.fate is Fate.OUT_OF_LINE}
    out = [
        f"{names.ship(ship)} out of the line from turn {turn}"
        for ship, turn in left.items()
        if battle.ships[ship].afloat and system.out_of_line(battle, battle.ships[ship])
    ]
    if out:
        yield Sentence(f"{some(out, NAMED_MOST)}.")
    ended = ended_text(system, battle)
    yield Sentence(f"{ended}." if ended else f"It stands at {phase_text(system, battle)}.")


def _better(names: Names, analysis: Analysis, arrivals: Arrivals, worth: Worth) -> str:
    """Which side has lost the smaller share of its worth, with the rolls that are owed priced in."""
    shares, told = [], []
    end = analysis.phases[-1].worth if analysis.phases else {}
    for side in analysis.sides:
        whole = arrivals.brought(side)
        left = end[side] if side in end else worth.of_side(names.timeline.battle, side)
        shares.append((whole - left) / whole if whole else 0.0)
        told.append(f"{names.side(side)} {figure(whole - left)} of {figure(whole)}")
    gap = shares[1] - shares[0]
    lost = f"worth lost by {joined(told)}"
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
    turn = analysis.turning_point
    if turn is None:
        return None
    places = [
        at for at, one in enumerate(analysis.phases) if (one.turn, one.phase) == (turn.turn, turn.phase)
    ]
    return max(places, key=lambda at: abs(points[at].gained), default=None)


def victory(battle: Battle) -> Section:
    """Where each condition of victory stands, and what is still to come."""
    texts = (*standings(battle), *(f"To come: {text}" for text in to_come(battle)))
    return Section(VICTORY, "Victory", tuple(Sentence(text) for text in texts))
