"""Each throw against all faces entered by order one by one: what they bring, how often how many results."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import islice

import pytest
from attrs import evolve

from qf_tui.analysis.pricing import Pricer, advantage, price
from qf_tui.analysis.throws import branches, throws_of
from qf_tui.analysis.values import LuckStep, ThrownDice, of_chances
from qf_tui.core.decide import may_be_early, play_again
from qf_tui.core.prepare import PreparedEntry, prepare_entry
from qf_tui.core.system import Faces, RuleSystem
from qf_tui.core.timeline import State, Timeline, Version
from qf_tui.core.values import is_pool
from tests.analysis.battles import worths_of
from tests.analysis.by_chance import Chance
from tests.analysis.by_force import every_face
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.long import Share

EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
FEW, MANY = 1, 200
FACES_MOST = 220
"""Faces of a throw that a test has time for."""


def is_by_order(
    system: RuleSystem, timeline: Timeline, step: LuckStep, throw: ThrownDice, most: int = FACES_MOST
) -> bool:
    """Compares a throw with the battles in which each face was entered; False where there are too many."""
    worth = worths_of(system)["everything"]
    battle, version = timeline.battle_at(timeline.play_order.index(step.entry)), timeline.versions[step.entry]
    placed = timeline.rulings_when_placed.get(step.entry)
    entry = prepare_entry(system, battle, version, early=may_be_early(battle, version.order, placed))
    every = list(islice(every_face(entry), most + 1))
    if len(every) > most:
        return False
    kind = next((kind for kind in system.results if kind.name == throw.kind), None)
    apart = Pricer(system, worth)
    found = branches(system, Pricer(system, worth), battle, step.entry, entry, kind)
    assert found is not None
    there = entry.question.faces if entry.question is not None else ()
    grouped = {_does(entry, branch.faces): branch for branch in found}
    chances: dict[int, Fraction] = {}
    brought: list[tuple[Fraction, float]] = []
    decided: dict[Hashable, object] = {}
    for chance, dice in every:
        ruling, after = play_again(system, battle, step.entry, replace_dice(version, dice), placed)
        assert ruling.state is State.STANDS
        does = _does(entry, (*there, *dice))
        branch = grouped[does]
        if entry.prepared.alike is not None and not _is_pool(entry):
            did = ruling.decision.effects, ruling.decision.outcome
            assert decided.setdefault(does, did) == did
        results = kind.counted(dict(ruling.decision.outcome)) if kind is not None else 0
        assert branch.worth == pytest.approx(apart.values(after), abs=1e-9)
        assert branch.results == results
        chances[results] = chances.get(results, Fraction(0)) + chance
        brought.append((chance, advantage(branch.worth)))
    mean = sum(
        count / of * advantage(branch.worth) for branch in grouped.values() for count, of in [branch.weight]
    )
    assert throw.luck == pytest.approx(advantage(step.worth) - mean, abs=1e-9)
    assert throw.luck is not None
    sign = 1 if throw.luck >= 0 else -1
    far = [chance for chance, value in brought if (value - mean) * sign > abs(throw.luck) - 1e-8]
    assert throw.as_far == sum(far)
    if kind is not None and not entry.missing:
        assert throw.chances == of_chances(chances)
    return True


def _does(entry: PreparedEntry, faces: Faces) -> Hashable:
    """What faces that are taken for alike have in common: those in any order of a pool, or what they do."""
    there = len(entry.question.faces) if entry.question is not None else 0
    shown = (*faces[:there], *sorted(faces[there:])) if _is_pool(entry) else faces
    if entry.prepared.alike is not None and not entry.prepared.missing(faces):
        return entry.prepared.alike(shown), len(faces)
    return shown


def _is_pool(entry: PreparedEntry) -> bool:
    """Whether its dice are alike and thrown together; what those in another order do may be written so."""
    there = entry.question.faces if entry.question is not None else ()
    return is_pool(entry.prepared.missing(there))


def replace_dice(version: Version, dice: tuple[int, ...]) -> Version:
    """A version with other dice."""
    return evolve(version, order=evolve(version.order, dice=dice))


@EACH
@pytest.mark.parametrize("battles", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_each_face_brings_what_it_brings_when_it_is_entered_by_order(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    """Catches pools grouped whose order matters, prices and results that are not those of the rules."""
    compared = 0
    for battle in share.of(range(seed, seed + battles)):
        chance = Chance(ground, battle)
        for timeline in (chance.battle(30, strict=battle % 5 == 4), chance.corrected(20, 3)):
            worth = worths_of(ground.system)["everything"]
            for step in throws_of(ground.system, worth, timeline, range(len(timeline.play_order))):
                if step.throw is not None and step.throw.left_out is None:
                    compared += is_by_order(ground.system, timeline, step, step.throw)
    assert compared > battle - seed


@EACH
@pytest.mark.parametrize("battles", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_luck_and_rest_are_all_that_changed_in_corrected_battles(
    ground: Ground, battles: int, seed: int, share: Share
) -> None:
    for battle in share.of(range(seed, seed + battles)):
        timeline = Chance(ground, battle).corrected(30, 4)
        for worth in worths_of(ground.system).values():
            before = advantage(tuple(price(ground.system, worth, timeline.start).values()))
            for step in throws_of(ground.system, worth, timeline, range(len(timeline.play_order))):
                after = advantage(step.worth)
                assert after - before == pytest.approx(step.luck + step.rest, abs=1e-9)
                before = after
                stands = timeline.rulings[step.entry].state is State.STANDS
                assert stands or (step.throw, step.luck, step.rest) == (None, 0, 0)
            assert before == pytest.approx(
                advantage(tuple(price(ground.system, worth, timeline.battle).values())), abs=1e-9
            )
