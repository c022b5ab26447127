"""The results of a simulation, as a document for a terminal, a screen and a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

import qf_tui
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.core.values import Battle, Ship
from qf_tui.document.glance import build_crew_lines
from qf_tui.document.html import render
from qf_tui.document.text import NOTHING
from qf_tui.document.values import (
    GAP,
    Block,
    Document,
    Drawing,
    Row,
    Section,
    TableColumn,
    Tone,
    build_line,
    build_number_columns,
    build_table_blocks,
    build_text_columns,
)
from qf_tui.features.simulation.again import Choice
from qf_tui.features.simulation.doctrines import find_doctrine
from qf_tui.features.simulation.even import LeverResult, TriedStep
from qf_tui.features.simulation.jobs import Pair
from qf_tui.features.simulation.model import find_unit
from qf_tui.features.simulation.playout import Ending
from qf_tui.features.simulation.reach import list_reach_notes
from qf_tui.features.simulation.simulate import Contribution, SimulationResult
from qf_tui.features.simulation.tally import EARLY, Interval, compute_swing, sum_tallies
from qf_tui.library.declared import APPROACH, RUNS

BAR, BAR_MOST = "█", 20
"""The character of a bar, and the length of the bar for all battles."""
WITHIN_EVEN = "within 8 points of even"
"""The words for a lever that makes a battle even, by the bounds of `even`."""
NEVER_LOST = 0.005
"""Share of battles below which the loss of a ship is not listed."""
FILM = (
    "With `--save median.qfb` the same command plays the median battle again into a save, with `--play "
    "luckiest` the luckiest; `qf-tui replay median.qfb --html --out film.html` makes its film."
)


@frozen
class ShownInterval:
    """A proportion from 0 to 1 with its interval and its label."""

    label: str
    part: float
    least: float
    most: float


@frozen
class Intervals(Drawing):
    """A drawing of proportions with their intervals under a title.

    Attributes:
        title: Its title.
        about: Text for readers who cannot see the drawing.
        rows: The proportions.
    """

    title: str
    about: str
    rows: tuple[ShownInterval, ...]


@frozen
class Subject:
    """The battle that was played out.

    Attributes:
        system: The rule system.
        battle: The start that all battles share.
        seed: The seed of all dice.
        within: Precision at which playing stops, or None.
    """

    system: RuleSystem
    battle: Battle
    seed: str
    within: float | None = None

    def list_ships(self) -> tuple[Ship, ...]:
        """List the ships of the battle and those that may still join it."""
        coming = (ship for id, ship in self.battle.reserve.items() if id not in self.battle.ships)
        return (*self.battle.ships.values(), *coming)

    @property
    def by_doctrines(self) -> str:
        """The end of titles of tables with a column for each pair of doctrines."""
        return f"by the doctrines of {' and '.join(side.name for side in self.battle.sides)}"

    def list_doctrine_texts(self, result: SimulationResult) -> dict[str, str]:
        """Return the sentence of each doctrine that was played, by its name."""
        names = dict.fromkeys(name for pair in result.tallies for name in pair)
        return {name: find_doctrine(name).says for name in names}


def format_interval(estimate: Interval) -> str:
    """Format a proportion with its interval: `62% (59–65)`."""
    return f"{estimate.part:.0%} ({100 * estimate.least:.0f}–{100 * estimate.most:.0f})"


def build_simulation_document(
    subject: Subject,
    result: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[TriedStep] | None = None,
) -> Document:
    """Build the document of all results.

    Args:
        subject: The battle that was played out.
        result: The results.
        contributions: What each ship contributes, or None if that was not computed.
        tried: The levers that were tried, or None if none were.
    """
    sections = [
        _build_outcomes(subject, result),
        _build_breaks(subject, result),
        _build_losses(subject, result),
        *_build_spreads(subject, result),
        _build_swings(subject, result),
    ]
    if contributions is not None:
        sections.append(_build_contributions(subject, result, contributions))
    if tried:
        sections.append(_build_levers(subject, tried))
    blocks: tuple[Block, ...] = (
        build_line(_format_how_played(subject, result), tone=Tone.QUIET),
        *(
            build_line(f"{name}: {sentence}.", tone=Tone.QUIET)
            for name, sentence in subject.list_doctrine_texts(result).items()
        ),
        *(build_line(line.text, tone=Tone.QUIET) for line in build_crew_lines(subject.battle)),
        *(build_line(text, tone=Tone.QUIET) for text in list_reach_notes(subject.battle)),
        _build_chances(subject, result),
        *(section for section in sections if section.blocks),
        GAP,
        *(
            build_line(text, tone=Tone.QUIET)
            for text in _list_footnotes(subject, result, contributions, tried)
        ),
    )
    return Document(str(subject.battle.table.get("title") or "battle"), blocks)


def build_page_document(document: Document) -> Document:
    """Return the document with a last line for a page: how to watch one of the battles."""
    return evolve(document, blocks=(*document.blocks, build_line(FILM, tone=Tone.QUIET)))


def _format_how_played(subject: Subject, result: SimulationResult) -> str:
    """Format how many battles were played, by which rules and seed, with scripted ranges or fleeing sides."""
    played = sum(tally.battles for tally in result.tallies.values())
    turn = subject.battle.turn
    from_here = f", from turn {turn} on" if turn > 1 or subject.battle.opened else ""
    script = subject.battle.table.get(APPROACH)
    fleeing_sides = [
        side.name for side in subject.battle.sides if subject.battle.table.get(f"{RUNS}.{side.id}")
    ]
    movement = ""
    if script:
        # If ranges are scripted, no side flees.
        movement = f" Ranges as scripted, turn by turn: {script} {find_unit(subject.battle)}."
    elif fleeing_sides:
        movement = f" Once half of it is gone, {' or '.join(fleeing_sides)} flees and is followed."
    stopped = "" if result.complete else " Stopped early: this is what is known so far."
    return (
        f"{format_count(played, 'battle')} by {subject.system.title}{from_here}, seed {subject.seed}."
        " In brackets: the 95% interval."
        f"{movement}{stopped}"
    )


def _build_chances(subject: Subject, result: SimulationResult) -> Intervals:
    """Build the drawing of how often the first side wins, by pair of doctrines."""
    first_side = subject.battle.sides[0]
    title = f"How often {first_side.name} wins"
    wins = (
        (format_pair(subject, pair), tally.estimate_wins(first_side.id))
        for pair, tally in result.tallies.items()
    )
    rows = (ShownInterval(label, share.part, share.least, share.most) for label, share in wins)
    return Intervals(title, f"{title}, by the doctrines, with intervals", tuple(rows))


def _build_section(title: str, columns: tuple[TableColumn, ...], rows: Iterable[tuple[str, ...]]) -> Section:
    """Build a section with a table; without rows it has only the title."""
    return Section(title, build_table_blocks(columns, map(Row, rows)))


def format_choice(subject: Subject, choice: Choice, ending: Ending) -> str:
    """Format which battle was played again, and how it ended."""
    won = f"{subject.battle.find_side_name(ending.winner)} wins" if ending.winner else "no side wins"
    lost = format_count(len(ending.lost), "ship")
    number = f"number {choice.index + 1} of {format_pair(subject, choice.pair)}"
    return f"The {choice.which.value} battle, {number}: {won} on turn {ending.turn}, {lost} lost"


def format_pair(subject: Subject, pair: Pair) -> str:
    """Format a pair of doctrines: `Japan hold, Russia close`."""
    return ", ".join(f"{side.name} {name}" for side, name in zip(subject.battle.sides, pair, strict=True))


def _build_outcomes(subject: Subject, result: SimulationResult) -> Section:
    """Build the table of who wins and on which turn, by pair of doctrines."""
    sides = subject.battle.sides
    # Without draws, a score only repeats how often a side wins. The second side has the rest of the score.
    score_sides = sides[:1] if any(tally.won.get("") for tally in result.tallies.values()) else ()
    titles = (
        "battles",
        *(f"{side.name} wins" for side in sides),
        "drawn",
        *(f"{side.name} scores" for side in score_sides),
        "turns",
    )
    rows = (
        (
            format_pair(subject, pair),
            f"{tally.battles:,}",
            *(format_interval(tally.estimate_wins(side)) for side in (*(side.id for side in sides), "")),
            *(format_interval(tally.estimate_score(side.id)) for side in score_sides),
            _format_turns(tally.end_turns),
        )
        for pair, tally in result.tallies.items()
    )
    columns = (*build_text_columns("doctrines"), *build_number_columns(*titles))
    return _build_section("Who wins, and on which turn it ends", columns, rows)


def _format_turns(turns: tuple[int, int, int]) -> str:
    """Format the median turn with its first and last decile in brackets; `NOTHING` without battles."""
    return f"{turns[0]} ({turns[1]}–{turns[2]})" if turns[0] else NOTHING


def _build_breaks(subject: Subject, result: SimulationResult) -> Section:
    """Build the table of how often each side breaks, how many ships it loses, and how often it ends early."""
    titles: list[str] = []
    for side in subject.battle.sides:
        titles += [f"{side.name} broken", "on turn", f"{side.name} ships lost"]
    rows = []
    for pair, tally in result.tallies.items():
        cells = [format_pair(subject, pair)]
        for side in subject.battle.sides:
            mean, half = tally.compute_mean_lost(side.id)
            lost = f"{mean:.1f}" if half is None else f"{mean:.1f} ±{half:.1f}"
            cells += [
                format_interval(tally.estimate_broken(side.id)),
                _format_turns(tally.find_break_turns(side.id)),
                lost,
            ]
        rows.append((*cells, format_interval(tally.over_early)))
    columns = (*build_text_columns("doctrines"), *build_number_columns(*titles, f"over before turn {EARLY}"))
    return _build_section("Who breaks, and what it costs", columns, rows)


def _build_losses(subject: Subject, result: SimulationResult) -> Section:
    """Build the table of how often each ship is lost; ships that hardly ever are lost are left out."""
    rows = []
    for ship in subject.list_ships():
        estimates = [tally.estimate_loss(ship.id) for tally in result.tallies.values()]
        if any(estimate.part >= NEVER_LOST for estimate in estimates):
            rows.append(
                (ship.name, subject.battle.find_side_name(ship.side), *map(format_interval, estimates))
            )
    columns = (*build_text_columns("lost", "side"), *build_number_columns(*map(", ".join, result.tallies)))
    return _build_section(f"How often each ship is lost, {subject.by_doctrines}", columns, rows)


def _build_spreads(subject: Subject, result: SimulationResult) -> Iterator[Section]:
    """Yield two tables: how often each number of ships is lost, and how often each turn is the last."""
    total = sum_tallies(result.tallies.values())
    losses = {side.name: total.count_losses(side.id) for side in subject.battle.sides}
    yield _build_spread("How many ships each side loses, all doctrines together", "ships lost", losses)
    yield _build_spread("On which turn it ends, all doctrines together", "turn", {"battles": total.turns})


def _build_spread(title: str, values: str, counts: Mapping[str, Mapping[int, int]]) -> Section:
    """Build a table of how often each value occurs, with bars.

    Args:
        title: Title of the table.
        values: Title of the column of values.
        counts: The number of battles with each value, by the title of their column.
    """
    columns = list(build_number_columns(values))
    for name in counts:
        columns += [*build_number_columns(name), *build_text_columns("")]
    rows = []
    for value in sorted({value for turns_or_losses in counts.values() for value in turns_or_losses}):
        cells = [str(value)]
        for count_by_value in counts.values():
            part = count_by_value.get(value, 0) / sum(count_by_value.values())
            cells += [f"{part:.0%}", BAR * round(part * BAR_MOST)] if part else ["", ""]
        rows.append(tuple(cells))
    return _build_section(title, tuple(columns), rows)


def _build_swings(subject: Subject, result: SimulationResult) -> Section:
    """Build the table of the ships whose loss certainly changes the outcome, the strongest effect first."""
    swings = (
        (ship, compute_swing(result.tallies.values(), ship.id, ship.side)) for ship in subject.list_ships()
    )
    certain_swings = [(ship, swing) for ship, swing in swings if swing and not swing.least <= 0 <= swing.most]
    total = sum_tallies(result.tallies.values())
    rows = (
        (
            ship.name,
            subject.battle.find_side_name(ship.side),
            format_interval(total.estimate_loss(ship.id)),
            f"{100 * swing.part:+.0f} ({100 * swing.least:+.0f} to {100 * swing.most:+.0f})",
        )
        for ship, swing in sorted(certain_swings, key=lambda ship_and_swing: -abs(ship_and_swing[1].part))
    )
    columns = (*build_text_columns("ship", "side"), *build_number_columns("lost", "her side scores"))
    title = "Which ships decide it: her side's score without her less that with her, by the same doctrines"
    return _build_section(title, columns, rows)


def _build_contributions(
    subject: Subject, result: SimulationResult, contributions: Sequence[Contribution]
) -> Section:
    """Build the table of how the score changes without each ship."""
    most = max(tally.battles for tally in result.tallies.values())
    names = {ship.id: (ship.name, subject.battle.find_side_name(ship.side)) for ship in subject.list_ships()}
    rows = (
        (
            *names[contribution.ship],
            *(f"{round(100 * contribution.score_changes[pair]):+}" for pair in result.tallies),
            f"no effect seen in {format_count(most, 'battle')}" if contribution.no_effect_seen else "",
        )
        for contribution in contributions
    )
    columns = (
        *build_text_columns("left out", "side"),
        *build_number_columns(*map(", ".join, result.tallies), ""),
    )
    title = "How far a side's score moves without the ship, in per cent"
    return _build_section(f"{title}, {subject.by_doctrines}", columns, rows)


def _build_levers(subject: Subject, tried: Sequence[TriedStep]) -> Section:
    """Build the table of the levers that help, each at its best step, and lines about those that do not."""
    helping = [step_tried for step_tried in tried if step_tried.verdict is not LeverResult.NO_HELP]
    rows = (
        (
            best.lever,
            best.step.text,
            format_interval(best.score),
            format_interval(best.checked) if best.checked else NOTHING,
            f"{100 * best.spread[0]:.0f}–{100 * best.spread[1]:.0f}",
            WITHIN_EVEN if best.verdict is LeverResult.EVEN else best.verdict.value,
        )
        for best in sorted(
            helping, key=lambda best: (best.verdict is not LeverResult.EVEN, best.distance_from_even)
        )
    )
    scores = f"{subject.battle.sides[0].name} scores"
    figures = build_number_columns(scores, "with fresh seeds", "by doctrines")
    columns = (*build_text_columns("lever", "at its best"), *figures, *build_text_columns(""))
    no_help = "; ".join(step_tried.lever for step_tried in tried if step_tried.verdict is LeverResult.NO_HELP)
    nearest = min(tried, key=lambda step_tried: (not step_tried.fought, step_tried.distance_from_even))
    step = f"{nearest.lever} ({nearest.step.text}): {scores} {format_interval(nearest.score)}"
    return Section(
        "What would make it even, all doctrines together",
        (
            *build_table_blocks(columns, map(Row, rows)),
            *(() if helping else (build_line(f"Nothing that was tried helps. The nearest is {step}."),)),
            *((build_line(f"No help: {no_help}."),) if no_help else ()),
        ),
    )


def _list_footnotes(
    subject: Subject,
    result: SimulationResult,
    contributions: Sequence[Contribution] | None,
    tried: Sequence[TriedStep] | None,
) -> Iterator[str]:
    """Yield the notes on how battles were counted, and on battles that could not continue."""
    yield (
        "A side breaks when half its worth is gone or its first ship has withdrawn. Drawn: no side wins. "
        "A score counts a win as 1 and a draw as ½. Turns: the middle battle; in brackets 8 battles of 10."
    )
    if subject.within is not None:
        yield f"Until wins and draws are known within {100 * subject.within:g} per cent, or all are played."
    if tried:
        yield (
            f"{WITHIN_EVEN.capitalize()}: with fresh seeds the interval of the score is from 42 to 58%, so a "
            "side may be favoured by less. About even: neither side is favoured, as far as it was tried. "
            "Nearer: closer to 50% than unchanged, and not by chance. Intervals hold however often it was "
            "looked. By doctrines: the lowest and the highest score of any pair."
        )
    if contributions is not None:
        yield "No effect seen: without her the score moves by less than half its interval, by any doctrines."
    tallies = result.tallies.values()
    apart = sum(tally.apart for tally in tallies)
    if apart:
        index, fault = min(tally.first_fault for tally in tallies if tally.first_fault is not None)
        yield (
            f"Not counted: {format_count(apart, 'battle')} that could not go on; the first is number "
            f"{index + 1}: {fault}"
        )


def render_page(document: Document) -> str:
    """Render a document of results as a page."""
    return render("features/simulation/simulation.html", document=document, version=qf_tui.__version__)
