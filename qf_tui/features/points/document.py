"""Texts for victory points: the sum of each side, and how it adds up."""

from collections.abc import Iterable, Iterator

from qf_tui.core.system import RuleSystem, format_field_title
from qf_tui.core.text import format_count, format_plural
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import EACH_SHIP, WITHDRAWN, Battle, Condition
from qf_tui.document.values import GAP, Block, Section, Tone, build_line
from qf_tui.features.points.sums import (
    Item,
    Rule,
    SideSum,
    compute_sums,
    is_over,
    list_public_rules,
    list_rules,
)

UNKNOWN = "and what others' logs show"
"""Added to a sum that counts less than there may be."""


def format_sums(battle: Battle, sums: Iterable[SideSum]) -> tuple[str, ...]:
    """Format the sum of each side: `Japan: 5 points`."""
    return tuple(format_sum(battle, each) for each in sums)


def format_sum(battle: Battle, side_sum: SideSum) -> str:
    """Format the sum of a side; the text also says if some of its points are unknown."""
    unknown = "" if side_sum.is_known else f" {UNKNOWN}"
    return f"{battle.find_side_name(side_sum.side)}: {format_count(side_sum.points, 'point')}{unknown}"


def build_points_section(system: RuleSystem, timeline: Timeline, *, over: bool = False) -> Section:
    """Build the section of the report about points: how each sum adds up, secret points at the end.

    Args:
        over: True if the battle has ended by agreement, which no rule shows.
    """
    rules = (list_rules if over or is_over(system, timeline.battle) else list_public_rules)(timeline.battle)
    sums = compute_sums(system, timeline, rules)
    return Section("Victory points", tuple(build_working_blocks(system, timeline.battle, sums)), "points")


def build_working_blocks(system: RuleSystem, battle: Battle, sums: Iterable[SideSum]) -> Iterator[Block]:
    """Yield each side's sum with the items that it adds up: who, what, how many, points."""
    for side_sum in sums:
        lines = (
            build_line(text, tone=tone, indent=2)
            for item in side_sum.items
            for text, tone in _list_item_texts(system, battle, item)
        )
        yield Section(format_sum(battle, side_sum), tuple(lines))
        yield GAP


def list_viewer_texts(system: RuleSystem, battle: Battle, sums: Iterable[SideSum]) -> Iterator[str]:
    """Yield the sums for a page of the board, and after each how its secret points add up."""
    for side_sum in sums:
        yield format_sum(battle, side_sum)
        for item in side_sum.items:
            if item.rule.gives.secret:
                rule = format_rule(system, battle, item.rule, half=item.is_half)
                yield f"{rule}: {_format_working(battle, item)}"


def _list_item_texts(system: RuleSystem, battle: Battle, item: Item) -> Iterator[tuple[str, Tone]]:
    """Yield what a rule gives points for, then how its points add up."""
    yield format_rule(system, battle, item.rule, half=item.is_half), Tone.PLAIN
    yield f"  {_format_working(battle, item)}", Tone.STRONG if item.points else Tone.QUIET


def _format_working(battle: Battle, item: Item) -> str:
    """Format how the points of an item add up: `2 × 3 = 6: Asahi, Fuji`."""
    if not item.is_known:
        return "not known here"
    ships = [
        battle.called(id) if count == 1 and _counts_ships(item) else f"{battle.called(id)} {count}"
        for id, count in item.counts.items()
    ]
    names = f": {', '.join(ships)}" if ships else ""
    rule = item.rule
    if not rule.gives.each and not item.is_half:
        return f"{item.total} of {rule.condition.count} = {item.points}{names}"
    points_each = rule.gives.half if item.is_half else rule.gives.points
    return f"{item.total} × {points_each} = {item.points}{names}"


def _counts_ships(item: Item) -> bool:
    """Return whether an item counts ships, not points of a field."""
    return item.is_half or item.rule.gives.each in ("", EACH_SHIP)


def format_rule(system: RuleSystem, battle: Battle, rule: Rule, *, half: bool) -> str:
    """Format how many points a rule gives, and for what; with `half`, those for ships at half worth."""
    condition, gives = rule.condition, rule.gives
    owner = battle.find_side_name(condition.of)
    noun = condition.kind or "ship"
    state = _format_state(condition)
    if half:
        text = f"{gives.half} for each {noun} of {owner} at half her worth or less"
    elif gives.each == EACH_SHIP:
        text = f"{gives.points} for each {noun} of {owner} {state}"
    elif gives.each:
        title = format_field_title(system, gives.each)
        ships = format_plural(noun)
        verb = "taken" if gives.each in system.harm else "lost"
        text = f"{gives.points} for each point of “{title}” {verb} by {ships} of {owner}"
    else:
        ships = format_count(condition.count, noun, format_plural(noun))
        text = f"{gives.points} for {ships} of {owner} {state}"
    if gives.by_turn:
        text += f", by the end of turn {gives.by_turn}"
    if gives.secret:
        text += ", secret"
    return f"{text} ({condition.note})" if condition.note else text


def _format_state(condition: Condition) -> str:
    """Format the statuses of a condition: `sunk or struck`, `off the north edge`."""
    edge = f"off the {condition.edge} edge"
    return " or ".join(
        edge if status == WITHDRAWN and condition.edge else status for status in condition.status
    )


def list_rule_texts(system: RuleSystem, battle: Battle, rule: Rule) -> Iterator[str]:
    """Yield what a rule gives points for: its condition, and ships at half of their worth."""
    for half, points in ((False, rule.gives.points), (True, rule.gives.half)):
        if points:
            yield format_rule(system, battle, rule, half=half)


def list_public_texts(system: RuleSystem, battle: Battle) -> Iterator[str]:
    """Yield what wins points for each side; secret rules are only counted."""
    for rule in list_public_rules(battle):
        winner = battle.find_side_name(rule.condition.side)
        yield from (f"{winner}: {text}" for text in list_rule_texts(system, battle, rule))
    for side in battle.sides:
        secret = sum(rule.gives.secret and rule.condition.side == side.id for rule in list_rules(battle))
        if secret:
            yield f"{side.name}: {format_count(secret, 'secret objective')}"
