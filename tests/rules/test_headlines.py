"""What an entry did to whom stands first, from what it changed and not from its sentences."""

import pytest

from qf_tui.core.decisions import Op
from qf_tui.core.timeline import Entry
from qf_tui.document.acts import EntrySummary, order_words, summary
from qf_tui.session import Session
from tests.analysis.battles import GOLDEN, golden
from tests.console.playing import gunnery
from tests.rules.gq2 import tables

LIT = "loses ½ hull box and is lit by fires"


def last(session: Session, *orders: str) -> EntrySummary:
    for order in orders:
        session.enter(order)
    return summary(session.system, session.timeline, session.timeline.log[-1])


@pytest.mark.parametrize(
    ("orders", "effect", "by"),
    [
        (
            ("fire mikasa heavy borodino long 4 8",),
            "Borodino: S G · S hits 0→1, heavy ROF 6→5",
            "Mikasa heavy at Borodino, long · dice 4 8",
        ),
        (
            ("fire mikasa heavy borodino 41in 12",),
            "Mikasa: misses",
            "Mikasa heavy at Borodino, 41″ · dice 12",
        ),
        (("fire mikasa heavy borodino long",), "Mikasa heavy at Borodino, long", ""),
        (("fire mikasa heavy borodino ~41in",), "Mikasa heavy at Borodino, ~41″", ""),
        (
            ("damage ohio E D", "roll 2/direction/ohio/1 5"),
            "Ohio: turns 45° left until repaired · direction hits 45 left",
            "direction of Ohio · dice 5",
        ),
        (("leave ohio sunk",), "OHIO SINKS", "leave Ohio sunk"),
        (
            ("mark ohio rof_heavy 2", *["next"] * 3, "repair ohio heavy 1"),
            "Ohio: repair of heavy fails; point kept",
            "Ohio repairs heavy · dice 1",
        ),
        (("note the wind backs",), "the wind backs", ""),
    ],
)
def test_the_outcome_stands_first_then_who_did_it(orders: tuple[str, ...], effect: str, by: str) -> None:
    """Catches a line that must be read to its end for what the target lost."""
    told = last(gunnery(), *orders)
    assert (told.effect, told.by) == (effect, by)


def test_a_correction_is_told_in_words_and_not_as_an_order() -> None:
    """Catches `amend 19 roll 16/explosion/mikasa/1 1` in the latest acts and in the history."""
    shot, explosion = "Mikasa heavy at Borodino, long", "explosion on Mikasa"
    played = gunnery()
    for order in ("fire mikasa heavy borodino long 4 8", "damage mikasa E", "roll 3/explosion/mikasa/1 6"):
        played.enter(order)
    for order, effect in (
        ("amend 4 2", f"amends 4: {explosion} · dice 2"),
        ("amend 2 force fire mikasa heavy borodino long 5 11", f"amends 2: {shot} (forced) · dice 5 11"),
        ("shift 3 after 1", "3 with 1 answer goes behind 1: damage Mikasa E"),
        ("strike 2", f"strikes 2: {shot} (forced) · dice 5 11"),
        ("strike 8", "strikes 8: the strike of 2"),
        ("undo 2", "strikes 9: the strike of 8; 7: the shift of 3, 4"),
        ("restore 2", f"restores 2: {shot} (forced) · dice 5 11"),
        ("shift 2 after 0 force", f"2 goes to the start: {shot} (forced)"),
    ):
        told = last(played, order)
        assert (told.effect, told.by) == (effect, "")


def test_what_is_said_of_several_points_is_said_once_with_its_count() -> None:
    """Catches a sentence for each point that damage takes."""
    assert last(gunnery(), "mark ohio rof_heavy 0", "damage ohio G S G G").why == (
        "Ohio: G S G G, by the umpire's word · Ohio: G takes light ROF ×3"
    )


def test_an_answer_that_nothing_asks_for_any_more_is_told_by_what_it_was_about() -> None:
    played = gunnery()
    for order in ("damage mikasa E", "roll 2/explosion/mikasa/1 6", "amend 2 damage mikasa G"):
        played.enter(order)
    told = summary(played.system, played.timeline, played.timeline.log[2])
    assert told.effect == "explosion of Mikasa · dice 6"


@pytest.mark.parametrize(
    ("battle", "number", "effect"),
    [
        ("yellow-sea-1904-clone", 6, "Tsesarevich: S · S hits 0→1 · Mikasa: auto shot used yes"),
        ("gq2-dogger-bank-1915", 122, "Southampton: struck (standard) · Graudenz: torpedoes left 2→1"),
        ("port-arthur-1904-evening", 79, "Asahi: a strike"),
        ("gq2-fourth-flotilla-1916", 94, "Ambuscade: finds Posen"),
        ("gq2-dogger-bank-1915", 83, "Tiger: barbette (A)"),
        ("gq2-fourth-flotilla-1916", 40, f"Nassau: {LIT} · damage control hits 0→1, hull boxes lost 2→2.5"),
        ("yellow-sea-1904", 43, "Mikasa: burns on †"),
        ("port-arthur-1904-evening", 83, "Rastoropny: G † · boat guns 1→0"),
        ("yellow-sea-1904", 217, "Tsesarevich: turns 90° left until repaired · direction hits 90 left"),
        ("gq2-dogger-bank-1915", 13, "Moltke: straddles Lion"),
        ("gq2-dogger-bank-1915", 43, "Lion: A1 H0.5 · armament boxes lost 0→1, hull boxes lost 1→1.5"),
    ],
)
def test_codes_stand_by_the_ship_that_they_are_scored_on(battle: str, number: int, effect: str) -> None:
    """Catches a shot whose codes are told of the firer, because her own log changed first."""
    system, timeline = golden(battle)
    assert summary(system, timeline, timeline.log[number - 1]).effect == effect


def test_what_befell_one_of_two_ships_of_a_name_is_told_of_her_by_her_id() -> None:
    """Catches a ship that is named twice, by a sentence that begins with another name than hers."""
    played = gunnery({"ohio": "Borodino"})
    told = last(played, "damage ohio D", "roll 2/direction/ohio/1 8")
    assert told.effect == "Borodino (ohio): turns 45° right until repaired · direction hits 45 right"


def test_the_checks_of_a_division_name_each_ship_themselves() -> None:
    """Catches the first ship of a division before what befell others, or where all hold their place."""
    abreast = ("formation @blue-line abreast", "move ajax 8", "move boyne 7.5in", "next")
    for dice, said in (
        ("6 1 7 1 1 7", "Ajax ½″ aft, Boyne ½″ aft"),
        ("6 6 9 6 6 7", "Boyne ½″ aft"),
        ("6 6 9 6 6 9", "holds its place"),
    ):
        played = tables.played(tables.battle(phase="movement", light="day"), *abreast)
        assert last(played, f"roll {dice}").effect == said


def test_a_sinking_and_an_explosion_are_events() -> None:
    assert last(gunnery(), "leave ohio sunk").event
    assert last(gunnery(), "damage ohio E").effect.startswith("EXPLOSION ON OHIO")
    assert not last(gunnery(), "fire mikasa heavy borodino long 4 8").event


@pytest.mark.parametrize("name", GOLDEN)
def test_every_entry_says_what_it_did_and_names_each_ship_that_it_changed(name: str) -> None:
    system, timeline = golden(name)
    for number in timeline.play_order:
        act = timeline.act(number)
        assert isinstance(act, Entry)
        told, order = summary(system, timeline, act), timeline.versions[number].order
        assert told.effect
        sunk = [one.ship for one in timeline.rulings[number].decision.effects if one.op is Op.STATUS]
        for ship in sunk:
            assert timeline.battle.ships[ship].name.upper() in told.effect
        assert "{" not in order_words(timeline.battle, order)


def test_ships_that_are_set_off_stand_apart_and_none_is_named_twice() -> None:
    """Catches `Ajax: Ajax ½″ aft Boyne ½″ aft`."""
    session = tables.played(tables.battle(phase="movement"), "formation @blue-line abreast")
    told = last(session, "move ajax 8", "move boyne 10", "next", "roll 6 6 2 6 6 9")
    assert told.effect == "Ajax ½″ aft, Boyne ½″ aft"
    session.enter("amend 5 6 6 8 6 6 9")
    told = summary(session.system, session.timeline, session.timeline.log[4])
    assert told.effect == "Boyne ½″ aft", "not of the ship that the row begins with"


def test_the_hit_of_a_flotilla_stands_by_its_target() -> None:
    """Catches a torpedo that strikes the second ship of the flotilla that launched it."""
    ships = (tables.destroyer("dun"), tables.destroyer("dee"), tables.ship("ajax"))
    told = last(tables.played(tables.battle(*ships, phase="torpedo")), "torpedo dun,dee ajax stick 8 0")
    assert told.effect.startswith("Ajax: struck (light)")


def test_ships_that_a_log_names_are_called_by_their_names() -> None:
    """Catches `searchlights on ajax, boyne`."""
    session = tables.played(tables.battle(phase="searchlights", light="night"), "light rook ajax")
    assert last(session, "roll 3 4").effect.endswith("searchlights on Ajax")


@pytest.mark.parametrize(
    ("phase", "order", "words"),
    [
        ("movement", "move ajax 10 evasive turns 2", "move Ajax 10 turns 2 evasive"),
        (
            "gunnery",
            "fire ajax 6 rook straddle 7 rapid he penetrates low 1",
            "Ajax 6-inch at Rook, band 7, penetrates, rapid, he, low 1",
        ),
        (
            "torpedo",
            "torpedo kobold ajax stick 4 spread 2 stern",
            "Kobold torpedo at Ajax, stick 4, spread 2, stern",
        ),
    ],
)
def test_an_order_in_words_holds_all_that_was_said(phase: str, order: str, words: str) -> None:
    """Catches rapid fire, HE, a spread or an aspect that the history has lost."""
    told = last(tables.played(tables.battle(phase=phase)), order)
    assert (told.by or told.effect) == words
