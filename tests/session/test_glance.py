"""The summary of a battle: what is known at a glance."""

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.glance import build_glance, find_battle_before_changes
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import build_consequences_document
from qf_tui.hooks import Feature
from qf_tui.session import Session
from tests.console.playing import begin_examples, begin_gunnery

SHOT = "fire mikasa heavy borodino long 4 8"


def test_a_new_battle_has_a_phase_and_no_entries() -> None:
    session = begin_examples()
    seen = build_glance(session.system, session.timeline)
    assert (seen.turn, seen.phase, seen.last, seen.owed) == (1, "Movement", None, 0)
    assert (seen.events, seen.to_throw, seen.on_table) == ((), (), ())


def test_ships_that_may_act_are_counted_by_side() -> None:
    session = begin_gunnery()
    before = dict(build_glance(session.system, session.timeline).to_act)
    assert set(before) == {side.name for side in session.battle.sides}
    session.enter("leave ohio sunk")
    after = dict(build_glance(session.system, session.timeline).to_act)
    side = session.battle.find_side(session.battle.ships["ohio"].side)
    assert side is not None
    assert after[side.name] == before[side.name] - 1


def test_an_owed_roll_is_shown_with_the_dice_it_needs() -> None:
    session = begin_gunnery()
    session.enter("fire mikasa heavy borodino long")
    (told,) = build_glance(session.system, session.timeline).to_throw
    assert told.startswith("Mikasa heavy at Borodino, long: fires on black 7 or less")


@pytest.mark.parametrize(
    ("orders", "effect", "by"),
    [
        ((SHOT,), "Borodino: S G", "Mikasa heavy at Borodino, long · dice 4 8"),
        ((SHOT, "amend 2 10 8"), "Mikasa: misses", "amends 2: Mikasa heavy at Borodino, long · dice 10 8"),
        ((SHOT, "undo"), "strikes 2: Mikasa heavy at Borodino, long · dice 4 8", ""),
        ((SHOT, "undo", "redo"), "Borodino: S G", "restores 2: Mikasa heavy at Borodino, long · dice 4 8"),
        ((SHOT, "amend 2 10 8", "undo"), "Borodino: S G", "strikes 3: the amendment of 2"),
        ((SHOT, "strike 2"), "strikes 2: Mikasa heavy at Borodino, long", ""),
    ],
)
def test_the_last_act_is_summarized_by_its_outcome(orders: tuple[str, ...], effect: str, by: str) -> None:
    session = begin_gunnery()
    for order in orders:
        session.enter(order)
    seen = build_glance(session.system, session.timeline)
    assert seen.number == len(orders) + 1
    assert seen.last is not None
    assert seen.last.effect.startswith(effect)
    assert seen.last.by.startswith(by)


def test_events_of_this_turn_and_the_last_are_listed_newest_first() -> None:
    session = begin_gunnery()
    session.enter("leave ohio sunk")
    session.enter("leave massena sunk")
    told = build_glance(session.system, session.timeline).events
    assert [event.ship for event in told] == ["massena", "ohio"]
    session.enter("undo")
    assert [event.ship for event in build_glance(session.system, session.timeline).events] == ["ohio"]
    _play_to_turn(session, 2)
    assert build_glance(session.system, session.timeline).events == told[1:]
    _play_to_turn(session, 3)
    assert build_glance(session.system, session.timeline).events == ()


def _play_to_turn(session: Session, turn: int) -> None:
    while session.battle.turn < turn:
        session.enter("force next")


def test_table_changes_of_the_turn_list_the_last_entry_first() -> None:
    session = begin_gunnery()
    session.enter("damage mikasa S")
    session.enter("damage ohio S S")
    told = build_glance(session.system, session.timeline).on_table
    assert told == (
        (_find_side_name(session, "ohio"), told[0][1]),
        (_find_side_name(session, "mikasa"), told[1][1]),
    )
    assert told[0][1].startswith("Ohio: ")
    session.enter("next")
    assert build_glance(session.system, session.timeline).on_table[0][1].startswith("Mikasa: ")


def test_table_changes_of_the_last_phase_stay_until_a_phase_is_played() -> None:
    """Keep the list over empty phases and over the first orders of the new turn."""
    session = begin_gunnery()
    session.enter("damage ohio S S")
    _play_to_turn(session, 2)
    seen = build_glance(session.system, session.timeline)
    assert seen.began
    assert any(words.startswith("Ohio: speed") for _, words in seen.on_table)
    session.enter("note hands are slow")
    assert build_glance(session.system, session.timeline).on_table == seen.on_table
    assert find_battle_before_changes(session.timeline).turn == 1
    session.enter("force next")
    assert find_battle_before_changes(session.timeline).turn == 2
    assert not build_glance(session.system, session.timeline).on_table


def test_a_correction_shows_a_standing_that_only_one_of_the_battles_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Detect a preview that pairs the texts of a feature although their number differs."""

    def list_losses(system: RuleSystem, timeline: Timeline) -> list[str]:
        return ["Ohio is sunk"] if timeline.battle.ships["ohio"].status == "sunk" else []

    losses = Feature("losses", list_standings=list_losses)
    monkeypatch.setattr("qf_tui.document.glance.find_features", lambda: (losses,))
    session = begin_gunnery()
    session.enter("leave ohio sunk")
    preview = build_consequences_document(session.system, session.preview("undo"))
    assert list(lay_out_blocks(preview.blocks))[-3:] == [
        "Victory",
        "      was: Ohio is sunk",
        "      now: nothing",
    ]


def _find_side_name(session: Session, ship: str) -> str:
    side = session.battle.find_side(session.battle.ships[ship].side)
    return side.name if side else ""
