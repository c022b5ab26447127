"""What is known of a thousand battles for scripts: plain values, parts from 0 to 1."""

from collections.abc import Sequence

from qf_tui.simulation.jobs import Interval, Pair, Tally
from qf_tui.simulation.playout import DOCTRINES
from qf_tui.simulation.simulate import Contribution, SimulationResult, Tried
from qf_tui.simulation.tables import Subject, doctrines_of

Json = dict[str, object]


def row_of(
    subject: Subject,
    found: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[Tried] | None = None,
) -> Json:
    """All of it for a script."""
    return {
        "title": subject.battle.table.get("title"),
        "rules": subject.system.name,
        "seed": subject.seed,
        "turn": subject.battle.turn,
        "complete": found.whole,
        "sides": {side.id: side.name for side in subject.battle.sides},
        "doctrines": {name: DOCTRINES[name].says for name in doctrines_of(tuple(found.tallies))},
        "pairs": [_pair_row(subject, pair, tally) for pair, tally in found.tallies.items()],
        **(
            {}
            if contributions is None
            else {"never_matter": [one.ship for one in contributions if one.unseen]}
        ),
        **({} if tried is None else {"levers": [_tried_row(one) for one in tried]}),
    }


def _tried_row(one: Tried) -> Json:
    return {
        "lever": one.lever,
        "step": one.step.says,
        "chance": _interval_row(one.score),
        "again": _interval_row(one.again) if one.again else None,
        "by_doctrines": dict(zip(("least", "most"), one.spread, strict=True)),
        "even": one.even,
        "helps": one.helps,
    }


def _pair_row(subject: Subject, pair: Pair, tally: Tally) -> Json:
    sides = [side.id for side in subject.battle.sides]
    return {
        "doctrines": dict(zip(sides, pair, strict=True)),
        "battles": tally.battles,
        "apart": tally.apart,
        "why_apart": tally.why[1] if tally.why else None,
        "wins": {side: _interval_row(tally.wins(side)) for side in sides},
        "nobody_wins": _interval_row(tally.wins("")),
        "score": {side: _interval_row(tally.score(side)) for side in sides},
        "over_early": _interval_row(tally.early),
        "turns": _turns_row(tally.length),
        "broken": {
            side: {**_interval_row(tally.broken(side)), "turn": _turns_row(tally.breaks_on(side))}
            for side in sides
        },
        "ships_lost": {
            side: dict(zip(("mean", "half"), tally.mean_lost(side), strict=True)) for side in sides
        },
        "lost": {ship.id: _interval_row(tally.loss(ship.id)) for ship in subject.ships()},
    }


def _interval_row(one: Interval) -> Json:
    return {"part": one.part, "least": one.least, "most": one.most}


def _turns_row(turns: tuple[int, int, int]) -> Json:
    return dict(zip(("middle", "tenth", "ninth_tenth"), turns, strict=True))
