"""Absurd figures and effects in a save that no rules wrote: refused with a message, and without a hang."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from re import sub

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.cli import main
from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import list_card_names
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import LogAct, build_timeline
from qf_tui.core.values import Battle
from qf_tui.features.simulation.jobs import Job, play_share
from qf_tui.features.simulation.simulate import build_spec
from qf_tui.journal.lines import seal, unseal
from qf_tui.session import Session
from qf_tui.session.saves import build_checked_timeline, check_sense
from tests.core.playing import battle as tiny_battle
from tests.rules.playing import enter
from tests.systems import EVERYBODYS, OURS, load_our_battles, load_start
from tests.tiny import SYSTEM as TINY
from tests.tiny import Tiny

ABSURD = 10**14


def change_figures(start: Battle, more: dict[str, Scalar], *, card: bool) -> Battle:
    """Change figures on the card, or in the log, of the first ship."""
    ship = next(iter(start.ships.values()))
    ship = evolve(ship, card={**ship.card, **more}) if card else evolve(ship, log={**ship.log, **more})
    return evolve(start, ships={**start.ships, ship.id: ship}, began=None)


@pytest.mark.parametrize("rules", OURS)
@pytest.mark.parametrize("figure", [ABSURD, -ABSURD, 1e300])
def test_an_absurd_figure_of_a_ship_is_refused(rules: str, figure: float) -> None:
    """Open no save that would hang the program or fill its memory with boxes."""
    system, start = next(one for one in load_our_battles().values() if one[0].name == rules)
    ship = next(iter(start.ships.values()))
    for card, values in ((True, ship.card), (False, ship.log)):
        for name, value in values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                wrong = change_figures(start, {name: figure}, card=card)
                with pytest.raises(QfError, match=rf"{name} of {ship.id} is "):
                    build_checked_timeline(system, wrong, ())
                with pytest.raises(QfError, match="cannot make sense"):
                    check_sense(system, build_timeline(wrong, ()).battle)


class _Vast(Tiny):
    """The tiny system with hulls of any size."""

    fields = tuple(evolve(field, most=ABSURD) if field.name == "hull" else field for field in Tiny.fields)


def test_a_rule_system_may_state_larger_figures() -> None:
    """Open a save that is within the limits of its own rules."""
    vast = change_figures(tiny_battle(), {"hull": ABSURD}, card=False)
    assert build_checked_timeline(_Vast(), vast, ()).battle.start == vast
    with pytest.raises(QfError, match="hull of"):
        build_checked_timeline(TINY, vast, ())


def test_only_names_that_the_card_has_are_listed() -> None:
    """List them for a card that states an absurd number of batteries."""
    start = change_figures(load_our_battles()["gq2-dogger-bank-1915"][1], {"battery": ABSURD}, card=True)
    ship = next(iter(start.ships.values()))
    assert len(list_card_names(ship, "battery")) < len(ship.card)


DAMAGE = ("damage mikasa G S", "damage asahi D F F", "force next")
EVENINGS = {
    "advanced-quickfire": ("move @first 4", "next", "fire mikasa heavy tsesarevich long 4 8", *DAMAGE),
    "quickfire": ("move @first 4", "next", "fire mikasa heavy tsesarevich short 3 3 2", *DAMAGE),
    "quickfire-clone": ("move @first 90mm", "next", "fire mikasa heavy tsesarevich 100cm", *DAMAGE),
    "gq2": ("move @first 4", "next", "damage mikasa H A", "force next"),
}
"""Orders of one battle, by rule system."""
HOSTILE: tuple[Scalar, ...] = ("", "x", "12in", "1/0", "1e99999", "½", True, None, -5, "-3", 0.5, "7/2")


@cache
def play_evening(rules: str) -> Session:
    """Play the orders of a rule system."""
    return enter(Session.begin(*load_start(EVERYBODYS, rules)), *EVENINGS[rules])


def find_ship_effects(log: Sequence[LogAct]) -> Iterator[tuple[int, int, int]]:
    """Yield each effect that sets a field of a ship, as act, entry and place in the ruling."""
    for at, act in enumerate(log):
        for number, ruling in act.rulings.items():
            for place, effect in enumerate(ruling.decision.effects):
                if effect.op in (Op.SET, Op.CARD):
                    yield at, number, place


def change_effect(act: LogAct, number: int, place: int, value: Scalar) -> LogAct:
    ruling = act.rulings[number]
    effects = list(ruling.decision.effects)
    effects[place] = evolve(effects[place], value=value)
    after = evolve(ruling, decision=evolve(ruling.decision, effects=tuple(effects)))
    return evolve(act, rulings={**act.rulings, number: after})


@pytest.mark.parametrize("rules", EVENINGS)
@given(data=st.data())
def test_a_foreign_value_is_refused_or_does_no_harm(rules: str, data: st.DataObject) -> None:
    """Raise no traceback when such a save is opened, reviewed or simulated."""
    session, value = play_evening(rules), data.draw(st.sampled_from(HOSTILE))
    system, played = session.system, session.timeline
    at, number, place = data.draw(st.sampled_from(list(find_ship_effects(played.log))))
    log = [*played.log[:at], change_effect(played.log[at], number, place, value)]
    try:
        timeline = build_checked_timeline(system, played.start, log)
        for moment in range(len(timeline.play_order) + 1):
            check_sense(system, timeline.battle_at(moment))
        spec = build_spec(system, timeline.battle, "1")
        play_share(Job(evolve(spec, turns=timeline.battle.turn), ("hold", "hold"), 0, 1))
    except QfError:
        return


@pytest.mark.parametrize("command", ["check", "verify", "show", "simulate"])
def test_text_in_place_of_a_number_is_reported_with_its_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stranger.qfb"
    enter(Session.begin(*load_start(EVERYBODYS, "quickfire-clone"), path), "move @first 90mm").close()
    save, before, previous = b"", "", ""
    for line in path.read_bytes().splitlines():
        opened = unseal(line, before)
        assert opened is not None
        before = opened[1]
        body = sub(rb'\["set","([^"]*)","distance","\d+"', rb'["set","\1","distance",""', opened[0])
        sealed, previous = seal(body, previous)
        save += sealed
    path.write_bytes(save)
    assert main([command, str(path)]) != 0
    said = "".join(capsys.readouterr())
    assert "“” is not a number for distance" in said
    assert "line 2 (act 1), the effect on mikasa" in said
