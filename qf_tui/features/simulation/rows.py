"""A simulation as JSON, for scripts."""

from collections.abc import Sequence

from attrs import asdict

from qf_tui.document.scripts import Json, build_fields_row
from qf_tui.features.simulation.document import Subject
from qf_tui.features.simulation.even import Tried
from qf_tui.features.simulation.jobs import Pair
from qf_tui.features.simulation.simulate import Contribution, SimulationResult
from qf_tui.features.simulation.tally import Tally


def simulation_row(
    subject: Subject,
    result: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[Tried] | None = None,
) -> Json:
    """Build the JSON of a simulation."""
    more: Json = {}
    if contributions is not None:
        more["never_matter"] = [each.ship for each in contributions if each.unseen]
    if tried is not None:
        more["levers"] = list(map(_tried_row, tried))
    return {
        "title": subject.battle.table.get("title"),
        "rules": subject.system.name,
        "seed": subject.seed,
        "turn": subject.battle.turn,
        "complete": result.whole,
        "sides": {side.id: side.name for side in subject.battle.sides},
        "doctrines": subject.doctrines(result),
        "pairs": [_pair_row(subject, pair, tally) for pair, tally in result.tallies.items()],
        **more,
    }


def _tried_row(tried: Tried) -> Json:
    return {
        "lever": tried.lever,
        "step": tried.step.says,
        "score": asdict(tried.score),
        "checked": tried.checked and asdict(tried.checked),
        "by_doctrines": dict(zip(("least", "most"), tried.spread, strict=True)),
        "verdict": tried.verdict.value,
    }


def _pair_row(subject: Subject, pair: Pair, tally: Tally) -> Json:
    sides = [side.id for side in subject.battle.sides]
    return {
        "doctrines": dict(zip(sides, pair, strict=True)),
        **build_fields_row(tally, "battles", "apart"),
        "why_apart": tally.why[1] if tally.why else None,
        "wins": {side: asdict(tally.wins(side)) for side in sides},
        "nobody_wins": asdict(tally.wins("")),
        "score": {side: asdict(tally.score(side)) for side in sides},
        "over_early": asdict(tally.early),
        "turns": _turns_row(tally.length),
        "broken": {
            side: {**asdict(tally.broken(side)), "turn": _turns_row(tally.breaks_on(side))} for side in sides
        },
        "ships_lost": {
            side: dict(zip(("mean", "half"), tally.mean_lost(side), strict=True)) for side in sides
        },
        "lost": {ship.id: asdict(tally.loss(ship.id)) for ship in subject.ships()},
        "by_ships_lost": {side: tally.losses_of(side) for side in sides},
        "by_turn": dict(tally.turns),
    }


def _turns_row(turns: tuple[int, int, int]) -> Json:
    return dict(zip(("middle", "tenth", "ninth_tenth"), turns, strict=True))
