"""The story of a battle, its losses and deeds, out of what the log records."""

import pytest
from attrs import evolve

from qf_tui.analysis.story import deeds_of, losses_of, story_of
from qf_tui.analysis.values import DamageDealt, Fate, Loss, StoryLine, ThrownDice
from qf_tui.core.declarations import ResultKind
from qf_tui.core.system import RuleSystem
from qf_tui.session import Session
from tests.console.playing import gunnery
from tests.rules.playing import enter

GUNS, FIRES, BLASTS = "guns", "fires", "blasts"


class _Counted:
    """A rule system that counts gunfire as damage, and fires beside it."""

    def __init__(self, system: RuleSystem) -> None:
        self._system = system
        self.results = (
            ResultKind(GUNS, "guns", ("fire",), ("hits",), damage=True),
            ResultKind(FIRES, "fires", ("fire-check",), ("out",)),
            ResultKind(BLASTS, "blasts", ("explosion",), ("hits",), harm="an explosion"),
        )

    def __getattr__(self, name: str) -> object:
        return getattr(self._system, name)


def counted(session: Session) -> RuleSystem:
    return _Counted(session.system)  # type: ignore[return-value]  # the rest is the system itself


def played(*orders: str) -> Session:
    """The first gunnery phase, which entry 1 began, with some orders."""
    return enter(gunnery(), *orders)


def throw(entry: int, ship: str, target: str, results: int, kind: str = GUNS) -> ThrownDice:
    return ThrownDice(entry, 1, "first-gunnery", "blue", ship, target, "fire", kind, (1,), results)


def told(session: Session, *throws: ThrownDice) -> list[tuple[int, Fate, str, str]]:
    lines = story_of(counted(session), session.timeline, throws)
    return [(line.entry, line.fate, line.ship, line.by) for line in lines]


@pytest.mark.parametrize(
    ("orders", "lines"),
    [
        (("leave ohio sunk",), [(2, Fate.LOST, "ohio", "")]),
        (("leave ohio",), [(2, Fate.LOST, "ohio", "")]),
        (("damage ohio E",), [(2, Fate.EVENT, "ohio", "")]),
        (("damage ohio D", "roll 2/direction/ohio/1 5"), [(3, Fate.OUT_OF_LINE, "ohio", "")]),
        (("mark ohio speed_hits 8",), [(2, Fate.OUT_OF_LINE, "ohio", "")]),
        (("note the wind backs",), []),
        (("fire mikasa heavy borodino long 12",), []),
        (("damage ohio E", "leave ohio sunk"), [(3, Fate.LOST, "ohio", ""), (2, Fate.EVENT, "ohio", "")]),
        (("leave ohio sunk", "strike 2"), []),
    ],
)
def test_a_story_tells_what_happened_the_greatest_first(
    orders: tuple[str, ...], lines: list[tuple[int, Fate, str, str]]
) -> None:
    """Catches events that are read from words, and struck entries that are told."""
    assert told(played(*orders)) == lines


def test_results_of_the_side_that_throws_are_told_and_others_not() -> None:
    session = played("fire mikasa heavy borodino long 4 8", "note so")
    throws = (
        throw(2, "mikasa", "borodino", 2),
        evolve(throw(3, "mikasa", "", 1), kind=FIRES),
    )
    assert told(session, *throws) == [(2, Fate.DAMAGE, "borodino", "mikasa")]


def test_what_harms_the_ship_that_it_is_rolled_for_is_told_of_her() -> None:
    session = played("note so")
    assert told(session, throw(2, "mikasa", "", 1, BLASTS)) == [(2, Fate.DAMAGE, "mikasa", "")]


def test_what_follows_from_a_shot_goes_back_to_who_fired_it() -> None:
    """An explosion and the direction it leaves are the firer's, through the answers that were owed."""
    session = played("fire mikasa heavy borodino 24in 1 1")
    owed = session.battle.owed
    while owed:
        session.enter(f"roll {owed[0].key} {' '.join(str(die.least) for die in owed[0].dice)}")
        owed = session.battle.owed
    lines = story_of(counted(session), session.timeline, ())
    assert all(line.by == "mikasa" for line in lines if line.ship == "borodino")


def test_a_loss_names_who_did_damage_until_then_the_most_first() -> None:
    session = played("note a", "note b", "note c", "leave ohio sunk", "note d")
    throws = (
        throw(2, "mikasa", "ohio", 1),
        throw(3, "borodino", "ohio", 3),
        throw(4, "mikasa", "ohio", 1),
        throw(4, "mikasa", "hannibal", 4),
        throw(6, "mikasa", "ohio", 4),
    )
    ohio = session.battle.ships["ohio"]
    assert losses_of(counted(session), session.timeline, throws) == (
        Loss("ohio", ohio.side, "sunk", 5, 1, session.battle.phase, (("borodino", 3), ("mikasa", 2))),
    )


@pytest.mark.parametrize(
    ("orders", "losses"),
    [
        (("leave ohio", "leave hannibal sunk"), [("ohio", 2), ("hannibal", 3)]),
        (("leave ohio sunk", "mark ohio status afloat"), []),
        (("leave ohio withdrawn", "mark ohio status sunk"), [("ohio", 3)]),
    ],
)
def test_a_ship_is_lost_by_what_became_of_her_last(
    orders: tuple[str, ...], losses: list[tuple[str, int]]
) -> None:
    session = played(*orders)
    found = losses_of(counted(session), session.timeline, ())
    assert [(loss.ship, loss.entry) for loss in found] == losses


def test_deeds_count_throws_those_that_told_and_results() -> None:
    throws = (
        throw(2, "mikasa", "ohio", 0),
        throw(3, "mikasa", "ohio", 2),
        throw(4, "ohio", "mikasa", 3),
        throw(5, "mikasa", "ohio", 0),
        throw(6, "ohio", "", 9),
        evolve(throw(7, "ohio", "mikasa", 9), kind=FIRES),
    )
    assert deeds_of(counted(gunnery()), throws) == (
        DamageDealt("ohio", "mikasa", GUNS, 1, 1, 3),
        DamageDealt("mikasa", "ohio", GUNS, 3, 1, 2),
    )


def test_a_story_without_throws_or_ships_is_empty() -> None:
    session = gunnery()
    assert story_of(session.system, session.timeline, ()) == ()
    assert losses_of(session.system, session.timeline, ()) == ()
    assert StoryLine(1, 1, "", Fate.EVENT).ship == ""
