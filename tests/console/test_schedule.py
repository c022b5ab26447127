"""A schedule at the console: who arrives is asked for on its turn; where victory stands, and a banner."""

from typing import Any, cast

from qf_tui.console.entry.bar import Banner
from qf_tui.console.reading.document_view import contents
from qf_tui.console.setup.order_of_battle import by_division
from qf_tui.document.scripts import battle_row
from qf_tui.document.text import plain_lines
from qf_tui.document.transcript import consequences_document, entered_lines
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, play

ARRIVES = "Japan: fifth and sixth arrive from the north-east edge"
STANDS = "battleships off the south-east edge (those with six"


def turn_4() -> Session:
    """The Yellow Sea as its fourth turn begins: each turn has six phases."""
    session = Session.begin(*load_scenario(find_scenario("yellow-sea-1904"), find_systems()))
    for _ in range(18):
        session.enter("next")
    return session


def test_the_scenario_shows_who_arrives_later() -> None:
    """Catches a division that the start screen leaves out because it is not there yet."""
    found = {title for _, divisions in by_division(turn_4().timeline.start) for title, _ in divisions}
    assert {"first · Anna", "fifth · Clara · arrives on turn 4", "sixth · Clara · arrives on turn 4"} <= found
    sides = [title for title, _ in by_division(turn_4().timeline.start)]
    assert sides == ["Japan: 21 ships, 7 later", "Russia: 18 ships"]


def test_an_arrival_undone_takes_one_line_a_ship() -> None:
    """Catches seven ships that leave a correction by each of their boxes."""
    session = turn_4()
    session.enter("join japan hashidate chin-yen")
    revision = session.preview("undo")
    told = [line.plain.strip() for line in contents(consequences_document(session.system, revision).blocks)]
    at = told.index("On the logs")
    gone = ["Hashidate is not in the battle", "Chin Yen is not in the battle", "On the table"]
    assert told[at + 1 : at + 4] == gone
    assert "       Hashidate is not in the battle" in plain_lines(entered_lines(session, revision))


def test_scripts_are_told_what_is_asked_and_where_victory_stands() -> None:
    session = turn_4()
    row = cast(dict[str, Any], battle_row(session.system, session.timeline)["battle"])
    assert row["owed"][0]["order"].startswith("join japan hashidate")
    assert row["owed"][0]["words"] == ["no"]
    assert row["victory"] == [f"Russia: 0 of 3 {STANDS} speed boxes or more)"]


def test_a_division_is_asked_for_by_name_and_comes_at_two_keys() -> None:
    session = turn_4()

    async def steps(table: Table) -> None:
        assert ARRIVES in table.text()
        assert "Hashidate" not in table.text()
        await table.press("n")
        assert "These rolls are still owed" in table.text()
        assert f"0 of 3 {STANDS}" in table.text()
        await table.press("enter")
        assert "> join japan hashidate chin-yen matsushima asama akashi suma akitsushima" in table.text()
        await table.press("enter")
        assert table.log()[-1] == "join japan hashidate chin-yen matsushima asama akashi suma akitsushima"
        assert table.battle.owed == ()
        assert table.battle.ships["akashi"].division == "sixth"
        await table.press("u", "enter")
        assert f"owed 1  {ARRIVES}" in table.text()
        await table.order("answer no")
        assert table.log()[-1] == "answer 18/schedule//1 no"
        assert table.battle.owed == ()

    play(session, steps)


def test_victory_is_told_where_it_stands_and_once_when_it_is_reached() -> None:
    session = turn_4()

    def told(table: Table) -> tuple[str, ...]:
        events = table.screen.query_one(Banner).events
        return tuple(event for event in events if event.startswith("victory"))

    async def steps(table: Table) -> None:
        for ship in ("tsesarevich", "retvizan", "pobeda"):
            assert told(table) == ()
            await table.order(f"leave {ship} withdrawn south-east")
        assert told(table)[0].startswith("victory is reached: Russia: 3 of 3 battleships off")
        await table.order("leave peresvet withdrawn south-east")
        assert len(told(table)) == 1
        await table.press("equals_sign")
        assert f"4 of 3 {STANDS}" in table.text()
        assert "turn 12: light dusk · Dusk: the boats may attack." in table.text()

    play(session, steps)
