"""What ships that joined brought, and from which entry on."""

from pathlib import Path

import pytest

from qf_tui.document.report import Arrivals
from qf_tui.session import Session
from tests.systems import our_systems


def test_a_ship_counts_for_her_side_behind_the_entry_by_which_she_joined() -> None:
    session = Session.look(Path("saves/yellow-sea-1904.qfb"), our_systems())
    timeline, worth = session.timeline, session.system.worth
    arrivals = Arrivals(timeline, worth)
    entry = arrivals.of["asama"].entry
    behind = timeline.play_order[timeline.place(entry) + 1]
    together = [one.ship for one in arrivals.of.values() if one.entry == entry]
    assert {ship.side for ship in together} == {"japan"}
    brought = sum(map(worth.of_ship, together))
    assert arrivals.before(behind) - arrivals.before(entry) == pytest.approx(brought)
    start = sum(worth.of_ship(one.ship) for one in arrivals.of.values() if not one.entry)
    joined = sum(worth.of_ship(one.ship) for one in arrivals.of.values() if one.entry)
    assert arrivals.brought("japan") + arrivals.brought("russia") == pytest.approx(start + joined)
