"""What is shown before and after: who may still act, what a correction changes, what to read aloud."""

from collections.abc import Iterable

from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.panel import by_side, head
from qf_tui.console.widgets.text import fit, literal, width_of
from qf_tui.core.availability import who_can_reach
from qf_tui.core.revisions import Consequences, Revision
from qf_tui.core.schedule import standings
from qf_tui.core.system import RuleSystem, find_field, find_phase
from qf_tui.core.values import Battle
from qf_tui.document.acts import ended_text, phase_text, ruling_text, title_text
from qf_tui.session.changes import corrected_lines
from qf_tui.session.session import to_throw_text


def _sides(battle: Battle) -> list[tuple[str, str]]:
    return [(side.id, side.name) for side in battle.sides]


def advice_of(system: RuleSystem, battle: Battle) -> tuple[str, ...]:
    """What to remind people of now: the end of the battle if it is offered, then the phase's advice.

    The phase's own line is used only if the system has no fuller one.
    """
    advice = system.advice(battle) or (find_phase(system, battle.phase).advice,)
    return tuple(text for text in (ended_text(system, battle), *advice) if text)


def next_lines(source: BattleSource) -> list[Content]:
    """Who may still act in this phase, by side and by what they may do, if any."""
    battle = source.battle
    together: dict[tuple[str, str], list[str]] = {}
    for one in who_can_reach(source.system, source.timeline):
        if one.ship in battle.ships:
            ship = battle.ships[one.ship]
            together.setdefault((ship.side, one.what), []).append(ship.name)
    if not together:
        return []
    wide = max(width_of(what) for _, what in together)
    found = [(side, f"{fit(what, wide)}  {', '.join(names)}") for (side, what), names in together.items()]
    return [literal("These may still act:"), Content(""), *by_side(_sides(battle), found, numbered=False)]


def held_lines(source: BattleSource) -> list[Content]:
    """What holds the phase: the rolls owed, by side, and the entries in doubt; nothing if nothing does."""
    battle = source.battle
    lines: list[Content] = []
    if battle.owed:
        of = {ship.id: ship.side for ship in battle.ships.values()}
        found = [(of.get(one.ship, ""), to_throw_text(source.system, battle, one)) for one in battle.owed]
        sides = [*_sides(battle), *([("", "Nobody's")] if any(not side for side, _ in found) else [])]
        lines += [
            literal("These rolls are still owed:", "bold $text-warning"),
            *by_side(sides, found),
            Content(""),
        ]
    if battle.doubts:
        numbers = ", ".join(str(number) for number in battle.doubts)
        lines += [literal(f"Still in doubt: entry {numbers}", "bold $text-warning"), Content("")]
    return lines


def victory_lines(battle: Battle) -> list[Content]:
    """Where each condition of victory stands, if any was set."""
    found = standings(battle)
    return [Content(""), head("Victory"), *(literal(f"  {text}") for text in found)] if found else []


def reading_list(battle: Battle, changes: Iterable[tuple[str, str]]) -> list[Content]:
    """What hands must change on the table, numbered, by side."""
    return by_side(_sides(battle), changes)


def reaches_further(entered: Revision) -> bool:
    """Whether a correction changes more than the entry itself, or brings one back that does not count."""
    follows = entered.consequences
    differ = any(not one.same for one in follows.reread)
    return bool(differ or follows.parked or follows.spare or follows.owed or entered.unasked)


def to_mend(source: BattleSource, entered: Revision) -> tuple[tuple[str, str], ...]:
    """What hands must change on the table after a correction: (side, words).

    What the present phase does is read aloud at its end; only what it began with has been put on the table.
    """
    if not entered.consequences.table:
        return ()
    return source.system.on_table(entered.before.battle.start, entered.after.battle.start)


def consequence_lines(source: BattleSource, entered: Revision) -> list[Content]:
    """What a correction changes: later entries, what is owed, the logs, the table."""
    follows, battle = entered.consequences, entered.after.battle
    lines = [*_kept(entered), *_reread(follows)]
    for title, numbers in (
        ("Parked: a rule stands against them", follows.parked),
        ("Dice no longer needed", follows.spare),
    ):
        if numbers:
            lines.append(head(title))
            lines.extend(literal(_state_text(entered, number)) for number in numbers)
    for title, owed, style in (
        ("Now owed", follows.owed, "bold $text-warning"),
        ("No longer owed", entered.unasked, ""),
    ):
        if owed:
            lines.append(head(title))
            lines.extend(literal(f"      {one.prompt}", style) for one in owed)
    lines.extend(_on_logs(source.system, entered))
    if follows.table:
        lines.extend([head("On the table"), *by_side(_sides(battle), follows.table)])
    stands = phase_text(source.system, battle)
    if stands != phase_text(source.system, entered.before.battle):
        lines.insert(0, literal(f"The battle then stands at {stands}."))
    return lines or [literal("The entry alone: the logs and what is owed stay as they are.")]


def _kept(entered: Revision) -> list[Content]:
    """How many later entries are unchanged."""
    kept = entered.consequences.kept
    said = "1 later entry stands as it did" if kept == 1 else f"{kept} later entries stand as they did"
    return [literal(f"{said}.")] if kept else []


def _reread(follows: Consequences) -> list[Content]:
    """The entries that are decided differently now.

    Those of the same result share a line, the others are listed as they were and are.
    """
    same = ", ".join(str(one.entry) for one in follows.reread if one.same)
    lines = [literal(f"By other figures to the same result: {same}.")] if same else []
    differ = [one for one in follows.reread if not one.same]
    if differ:
        lines.append(head("Read again, with another result"))
    for one in differ:
        lines.append(literal(f"{one.entry:>4}  was: {ruling_text(one.was) or 'nothing'}", "$quiet"))
        lines.append(literal(f"      now: {ruling_text(one.now) or 'nothing'}"))
    return lines


def _on_logs(system: RuleSystem, entered: Revision) -> list[Content]:
    """The values of the logs that change; what follows from them is listed with the changes on the table.

    A list, as that of critical hits, is what a log has of several fields.
    """
    changes = entered.consequences.changes
    written = [one for one in changes if find_field(system, one.field) or isinstance(one.after, list)]
    told = corrected_lines(system, entered.before.battle, entered.after.battle, written)
    lines = [literal(f"      {text}") for text in told]
    return [head("On the logs"), *lines] if lines else []


def _state_text(entered: Revision, number: int) -> str:
    version, ruling = entered.after.versions[number], entered.after.rulings[number]
    why = "; ".join(finding.text for finding in ruling.findings)
    return f"{number:>4}  {title_text(entered.after, number, version)}: {why}"


def word_after(
    source: BattleSource, entered: Revision, turned: bool = False, passed: tuple[str, ...] = ()
) -> str:
    """The message after an entry: the phase that begins, or what the entry made owed."""
    if not turned:
        return f"now owed: {'; '.join(one.prompt for one in entered.owed)}" if entered.owed else ""
    skipped = f"passed, as nothing can happen in it: {', '.join(passed)}. " if passed else ""
    # While nothing is owed the line above has the advice.
    advice = advice_of(source.system, source.battle) if source.battle.owed else ()
    now = f"Now {phase_text(source.system, source.battle)}"
    return f"{skipped}{now}: {'; '.join(advice)}" if advice else f"{skipped}{now}."
