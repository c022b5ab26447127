"""Values in a save's effects that no rules wrote: refused in words, or nobody trips over them afterwards."""

from collections.abc import Iterator
from pathlib import Path
from re import sub

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.cli import main
from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import LogAct
from qf_tui.journal.lines import seal, unseal
from qf_tui.journal.reading import Save, read_save
from qf_tui.session.saves import check_sense, rules_by, timeline_by
from qf_tui.simulation.jobs import Job, play
from qf_tui.simulation.simulate import spec_of
from tests.systems import our_systems

SYSTEMS = our_systems()
OLD = Path(__file__).parent.parent / "journal" / "format_1"
SAVES = {
    name: read_save(OLD / f"{name}.qfb", rules_by(SYSTEMS))
    for name in ("advanced-quickfire-open", "quickfire-open", "quickfire-clone-open", "gq2-open")
}
HOSTILE: tuple[Scalar, ...] = ("", "x", "12in", "1/0", "1e99999", "½", True, None, -5, "-3", 0.5, "7/2")


def _written(save: Save) -> Iterator[tuple[int, int, int]]:
    """Where the log writes a field of a ship: the act, the entry that it rules on, and the effect."""
    for at, act in enumerate(save.log):
        for number, ruling in act.rulings.items():
            for place, effect in enumerate(ruling.decision.effects):
                if effect.op in (Op.SET, Op.CARD):
                    yield at, number, place


def _with(act: LogAct, number: int, place: int, value: Scalar) -> LogAct:
    ruling = act.rulings[number]
    effects = list(ruling.decision.effects)
    effects[place] = evolve(effects[place], value=value)
    after = evolve(ruling, decision=evolve(ruling.decision, effects=tuple(effects)))
    return evolve(act, rulings={**act.rulings, number: after})


@pytest.mark.parametrize("name", SAVES)
@given(data=st.data())
def test_a_value_that_no_rules_wrote_is_refused_or_does_no_harm(name: str, data: st.DataObject) -> None:
    """Catches a save that opens, and costs a traceback where it is looked back upon or played out."""
    save, value = SAVES[name], data.draw(st.sampled_from(HOSTILE))
    at, number, place = data.draw(st.sampled_from(list(_written(save))))
    system = SYSTEMS[save.header.system]
    log = [*save.log[:at], _with(save.log[at], number, place, value)]
    try:
        timeline = timeline_by(system, save.header.start, log)
        for moment in range(len(timeline.play_order) + 1):
            check_sense(system, timeline.battle_at(moment))
        spec = spec_of(system, timeline.battle, "1")
        play(Job(evolve(spec, turns=timeline.battle.turn), ("hold", "hold"), 0, 1))
    except QfError:
        return


@pytest.mark.parametrize("command", ["check", "verify", "show", "simulate"])
def test_a_text_where_a_number_stands_is_told_with_its_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save, before, previous = b"", "", ""
    for line in (OLD / "quickfire-clone-open.qfb").read_bytes().splitlines():
        opened = unseal(line, before)
        assert opened is not None
        before = opened[1]
        body = sub(rb'\["set","([^"]*)","distance","\d+"', rb'["set","\1","distance",""', opened[0])
        sealed, previous = seal(body, previous)
        save += sealed
    path = tmp_path / "stranger.qfb"
    path.write_bytes(save)
    assert main([command, str(path)]) != 0
    said = "".join(capsys.readouterr())
    assert "“” is no number for distance" in said
    assert "line 2 (act 1), what it writes on mikasa" in said
