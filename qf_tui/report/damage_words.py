"""What a ship took in a turn: the codes of the rules by who scored them, and what that left on her log."""

from collections.abc import Iterable, Iterator, Mapping

from qf_tui.analysis.story import origin
from qf_tui.analysis.values import StoryLine, ThrownDice
from qf_tui.core.revisions import ValueChange
from qf_tui.core.text import several
from qf_tui.report.names import Names, some
from qf_tui.session.changes import changed_text, effect_changes, net
from qf_tui.session.headlines import codes_text

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

    `lost`: she is so in this turn, and what that left on her log is told of no more.
    """
    told = list(lines)
    by: dict[str, list[str]] = {}
    for line in _not_followed(names, told, throws):
        throw = throws[line.entry]
        by.setdefault(_who(names, line, throw), []).append(_codes(names, line.entry, throw))
    parts = [f"{', '.join(codes)}{who}" for who, codes in by.items()]
    if not target:
        return f"{some(parts, STRIKERS_MOST)}."
    left = "" if lost else _left(names, target, told)
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
    changes = [one for line in lines for one in _changes(names, line.entry) if one.ship == ship]
    return changed_text(names.system, names.timeline.battle, net(changes), ship)


def _changes(names: Names, entry: int) -> Iterator[ValueChange]:
    timeline = names.timeline
    before = timeline.battle_at(timeline.place(entry))
    effects = timeline.rulings[entry].decision.effects
    return (one for one in effect_changes(names.system, before, effects, entry) if one.field != "status")
