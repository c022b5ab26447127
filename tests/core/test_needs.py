"""The faces that are named for a result are those for which the judgement gives it."""

import pytest

from qf_tui.core.decide import prepare_entry
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Needed, faces_text, needed
from qf_tui.core.system import Faces, Need, PreparedOrder, RuleSystem
from qf_tui.core.timeline import Version
from qf_tui.core.values import Battle, Die, Order
from tests.analysis.battles import GOLDEN, golden

D6 = Die(6)
BLACK, WHITE = Die(6, "black"), Die(6, "white")


def _full_throws(ready: PreparedOrder, given: Faces = ()) -> list[Faces]:
    """Every throw that ends the roll, die by die."""
    missing = ready.missing(given)
    if not missing:
        return [given]
    return [faces for face in missing[0].faces for faces in _full_throws(ready, (*given, face))]


def _holds(ready: PreparedOrder, need: Need, told: Needed, faces: Faces) -> None:
    judged = ready.judge(faces)
    if len(faces) > max(need.dice) and (need.when is None or judged[need.when]):
        total = sum(faces[place] for place in need.dice)
        assert (total in told.faces) == bool(judged[need.place]), (need, faces)
        assert total in told.of


@pytest.mark.parametrize("name", GOLDEN)
def test_the_faces_named_are_those_that_bring_the_result(name: str) -> None:
    """The fault it catches: a need that says otherwise than the dice then decide."""
    system, timeline = golden(name)
    seen: set[tuple[str, ...]] = set()
    for place, number in enumerate(timeline.play_order):
        order = timeline.versions[number].order
        ready = _ready(system, timeline.battle_at(place), order)
        if ready is not None and ready.needs and not ready.findings and len(ready.dice) < 5:
            named = {each.does: each for each in needed(ready)}
            throws = _full_throws(ready) if len(seen) < 60 else []
            for need in ready.needs:
                if need.does in named and not need.each:
                    for faces in throws:
                        _holds(ready, need, named[need.does], faces)
            seen.add((order.word, *(str(each) for each in named.values())))
    assert len({word for word, *_ in seen}) > 1


def _ready(system: RuleSystem, battle: Battle, order: Order) -> PreparedOrder | None:
    """The order without its dice, prepared on the battle before it; None where it came otherwise."""
    try:
        return prepare_entry(system, battle, Version(order.bare)).prepared
    except (OrderRefused, KeyError):
        return None


def test_a_result_that_other_dice_decide_too_is_not_named() -> None:
    ready = PreparedOrder(
        dice=(BLACK, WHITE),
        judge=lambda faces: (int(faces[0] <= 3), int(faces[1] <= faces[0])),
        needs=(Need("fires"), Need("hits", 1, (1,))),
    )
    assert [str(one) for one in needed(ready)] == ["fires on black 3 or less"]


def test_what_must_come_before_is_taken_for_granted() -> None:
    def missing(faces: Faces) -> tuple[Die, ...]:
        return (BLACK, WHITE)[len(faces) :] if not faces or faces[0] <= 2 else ()

    ready = PreparedOrder(
        dice=(BLACK, WHITE),
        missing=missing,
        judge=lambda faces: (int(faces[0] <= 2), int(len(faces) > 1 and faces[1] in (1, 2, 5))),
        needs=(Need("fires"), Need("hits", 1, (1,), when=0, at="150% line")),
    )
    assert [str(one) for one in needed(ready)] == [
        "fires on black 2 or less",
        "hits on white 2 or less, 5 (150% line)",
    ]
    assert [str(one) for one in needed(ready, (1,))] == ["hits on white 2 or less, 5 (150% line)"]
    assert needed(ready, (6,)) == ()


def test_totals_and_dice_of_a_pool_are_named_as_such() -> None:
    two = PreparedOrder(
        dice=(D6, D6), judge=lambda f: (int(sum(f) in (4, 5)),), needs=(Need("mends", 0, (0, 1)),)
    )
    assert str(*needed(two)) == "mends on total 4-5"
    pool = PreparedOrder(
        dice=(D6,) * 9, judge=lambda f: (sum(face > 4 for face in f),), needs=(Need("hits", each=True),)
    )
    assert str(*needed(pool)) == "hits on each die 5 or more"


@pytest.mark.parametrize(
    ("faces", "text"),
    [((1,), "1"), ((1, 2), "2 or less"), ((3, 4, 6), "3-4, 6"), ((2, 5, 6), "2, 5 or more"), ((), "none")],
)
def test_faces_in_words(faces: tuple[int, ...], text: str) -> None:
    assert faces_text(faces, tuple(range(1, 7))) == text


def test_no_face_and_every_face() -> None:
    assert str(Needed("fires", "black", (), (1, 2))) == "never fires"
    assert str(Needed("fires", "black", (1, 2), (1, 2))) == "always fires"
