"""The results of a simulation as JSON, for scripts."""

from collections.abc import Sequence

from attrs import asdict

from qf_tui.document.scripts import Json, build_fields_row
from qf_tui.features.simulation.document import Subject
from qf_tui.features.simulation.even import TriedStep
from qf_tui.features.simulation.jobs import Pair
from qf_tui.features.simulation.simulate import Contribution, SimulationResult
from qf_tui.features.simulation.tally import Tally


def build_simulation_row(
    subject: Subject,
    result: SimulationResult,
    contributions: Sequence[Contribution] | None = None,
    tried: Sequence[TriedStep] | None = None,
) -> Json:
    """Build the JSON of a simulation; without contributions or levers, their keys are missing."""
    optional_keys: Json = {}
    if contributions is not None:
        optional_keys["never_matter"] = [
            contribution.ship for contribution in contributions if contribution.no_effect_seen
        ]
    if tried is not None:
        optional_keys["levers"] = list(map(_build_tried_row, tried))
    return {
        "title": subject.battle.table.get("title"),
        "rules": subject.system.name,
        "seed": subject.seed,
        "turn": subject.battle.turn,
        "complete": result.complete,
        "sides": {side.id: side.name for side in subject.battle.sides},
        "doctrines": subject.list_doctrine_texts(result),
        "pairs": [_build_pair_row(subject, pair, tally) for pair, tally in result.tallies.items()],
        **optional_keys,
    }


def _build_tried_row(tried: TriedStep) -> Json:
    """Build the JSON of a tried lever."""
    return {
        "lever": tried.lever,
        "step": tried.step.text,
        "score": asdict(tried.score),
        "checked": tried.checked and asdict(tried.checked),
        "by_doctrines": dict(zip(("least", "most"), tried.spread, strict=True)),
        "verdict": tried.verdict.value,
    }


def _build_pair_row(subject: Subject, pair: Pair, tally: Tally) -> Json:
    """Build the JSON of the results of a pair of doctrines."""
    sides = [side.id for side in subject.battle.sides]
    return {
        "doctrines": dict(zip(sides, pair, strict=True)),
        **build_fields_row(tally, "battles", "apart"),
        "why_apart": tally.first_fault[1] if tally.first_fault else None,
        "wins": {side: asdict(tally.estimate_wins(side)) for side in sides},
        "nobody_wins": asdict(tally.estimate_wins("")),
        "score": {side: asdict(tally.estimate_score(side)) for side in sides},
        "over_early": asdict(tally.over_early),
        "turns": _build_turns_row(tally.end_turns),
        "broken": {
            side: {
                **asdict(tally.estimate_broken(side)),
                "turn": _build_turns_row(tally.find_break_turns(side)),
            }
            for side in sides
        },
        "ships_lost": {
            side: dict(zip(("mean", "half"), tally.compute_mean_lost(side), strict=True)) for side in sides
        },
        "lost": {ship.id: asdict(tally.estimate_loss(ship.id)) for ship in subject.list_ships()},
        "by_ships_lost": {side: tally.count_losses(side) for side in sides},
        "by_turn": dict(tally.turns),
    }


def _build_turns_row(turns: tuple[int, int, int]) -> Json:
    """Build the JSON of a turn: the median, the first and the last decile."""
    return dict(zip(("middle", "tenth", "ninth_tenth"), turns, strict=True))
