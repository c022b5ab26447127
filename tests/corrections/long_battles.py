"""Long random battles of the Yellow Sea: legal turns, one after another."""

from collections.abc import Iterator
from random import Random

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.session import Session
from tests.systems import load_start

SCENARIO = "yellow-sea-1904"
WOUNDED = {"speed_lost": 5, "speed_hits": 7, "fires": 4}
"""Damage that is repaired by hand between two turns, so that no ship sinks for thousands of entries."""


def play_long_battle(entries: int, seed: int = 1904, phase: str = "") -> Timeline:
    """Play a battle of this many entries, then on to a phase; the same seed gives the same battle."""
    chance = Random(seed)
    session = Session.begin(*load_start(SCENARIO))
    while True:
        for order in _play_phase(session, chance):
            if len(session.timeline.log) >= entries and phase in ("", session.battle.phase):
                return session.timeline
            try:
                session.enter(order)
            except OrderRefused:
                continue


def _play_phase(session: Session, chance: Random) -> Iterator[str]:
    """Yield the orders of one phase and its end; the rules may refuse some."""
    battle = session.battle
    if battle.phase == "movement":
        yield from _repair_by_hand(battle)
    for waiting in session.system.may_act(battle):
        yield from _write_orders(battle, waiting.ship, waiting.what, chance)
        if session.battle.owed:
            yield from _answer_all(session, chance)
    yield from _answer_all(session, chance)
    yield "next"


def _write_orders(battle: Battle, ship: str, what: str, chance: Random) -> Iterator[str]:
    black, white = chance.randint(1, 12), chance.randint(1, 12)
    target = chance.choice([one.id for one in battle.ships.values() if one.side != battle.ships[ship].side])
    if battle.phase == "movement":
        yield f"move {ship} {chance.randint(3, 7)}"
    elif battle.phase == "repair":
        yield f"repair {ship} {what.split(maxsplit=1)[0]} {black}"
    elif "H" in what:
        yield f"fire {ship} heavy {target} {chance.choice(('long', 'long', 'medium'))} {black} {white}"
    elif "L" in what and chance.random() < 0.5:
        yield f"fire {ship} light {target} medium {black} {white}"


def _answer_all(session: Session, chance: Random) -> Iterator[str]:
    """Yield rolls and answers for all owed questions, with faces that sink no ship."""
    while session.battle.owed:
        owed = session.battle.owed[0]
        if not owed.dice:
            yield f"answer {owed.key} {owed.words[0]}"
            continue
        yield f"roll {owed.key} {12 if owed.line == 'sinking' else chance.randint(1, 11)}"


def _repair_by_hand(battle: Battle) -> Iterator[str]:
    for ship in battle.ships.values():
        for field, most in WOUNDED.items():
            if (len(ship.live(field)) if field == "fires" else ship.count(field)) >= most:
                yield f"mark {ship.id} {field} 0"
        for gun in ("heavy", "light"):
            printed = ship.card[f"rof.{gun}"]
            if isinstance(printed, int) and ship.count(f"rof_{gun}") < printed - 2:
                yield f"mark {ship.id} rof_{gun} {printed}"
