"""What the console shows of Quickfire-Clone that no other game asks of it."""

import pytest

from qf_tui.session import Session
from tests.console.playing import Table, play
from tests.systems import started


@pytest.mark.clause("QFC-GUN-5")
@pytest.mark.clause("QFC-GUN-14")
def test_bare_figures_of_a_shot_are_centimetres_and_the_base_is_on_the_card() -> None:
    """Catches 30 typed for 30 cm and fired at point blank, a known base asked for, an aspect unasked."""
    session = Session.begin(*started("yellow-sea-1904-clone"))
    session.enter("next")

    async def steps(table: Table) -> None:
        await table.press("f", "h", *"tses", "enter", *"30", "enter", "up", "up")
        assert "the guess, in cm, if any" in table.text()
        assert "target base, cm, if any" in table.text()
        assert "= 30cm" in table.text()
        await table.press(*"31", "enter")
        assert "= 31cm" in table.text()
        assert "is Tsesarevich seen `abeam` or `end-on`?" in table.text()
        await table.press("a", "2", "space", "3", "enter")
        assert table.log()[-1] == "fire mikasa heavy tsesarevich 30cm guess 31cm abeam"

    play(session, steps, (80, 24))
