"""Both pieces umpired through the console's keys: declared, owed, answered in words, corrected, explained."""

from pathlib import Path

from qf_tui.session import Session
from tests.console.playing import Table, keys_of, play
from tests.rules.playing import enter
from tests.seam.battles import SYSTEMS, choice, night, report


def test_a_night_shot_from_its_dialog_to_the_steam_line() -> None:
    async def steps(table: Table) -> None:
        await table.press("f")
        assert "the number on the stick" in table.text()
        assert "12-inch · 6-inch" in table.text()
        await table.press(*"12", "space", *"dog", "space", *"8", "enter", "p")
        assert "at night the targeting roll comes first" in table.text()
        await table.press("enter")
        assert table.log()[-1] == "fire ant 12-inch dog straddle 8 penetrates"
        assert "targeting of HMS Ant at HMS Dog" in table.text()
        assert "red D6, blue D6" in table.text()
        await table.press("6", "space", "3", "enter")
        assert "who is there?" in table.text()
        assert "bee or cat or elk or nobody" in table.text()
        await table.press("o", *"ca")
        assert "who is there? ✓ cat" in table.text()
        await table.press("enter")
        assert "HMS Ant at HMS Cat" in table.text()
        assert "white D10, red D10, blue D10" in table.text()
        await table.press(*"2", "space", *"0", "space", *"1", "enter")
        assert "critical hit on HMS Cat" in table.text()
        await table.press("5", "enter")
        assert "a steam line of HMS Cat: 3 slower next turn" in table.text()
        assert report(table.session, "cat")["speed"] == 6

    play(night(), steps)


def test_targeting_amended_shows_what_follows_and_then_asks_who_is_there() -> None:
    session = night(
        "fire ant 12 dog straddle 8 penetrates", "roll 5 4", "roll 2 4 1", "roll 5", "next", "move dog 3"
    )

    async def steps(table: Table) -> None:
        await table.order("amend 3 6 3")
        text = table.text()
        assert "Dice no longer needed" in text
        assert "one ship to the right of HMS Dog, from HMS Ant: who is there?" in text
        assert "HMS Dog: hull lost 2 → 0" in text
        await table.press("enter", "o", *"elk", "space", *"straddle", "space", "6", "enter")
        assert table.session.battle.owed[0].prompt == "critical hit on HMS Elk"
        assert report(table.session, "elk") == {
            "hull_lost": 2,
            "armament_lost": 0.5,
            "speed": 6,
            "steam": 0,
            "status": "afloat",
        }

    play(session, steps)


def test_a_cell_in_halves_is_explained_and_edited_in_halves() -> None:
    session = night("fire ant 12 dog straddle 6", "roll 5 4", "roll 1 4 3")

    async def steps(table: Table) -> None:
        await table.press("x", "down", "right", "right", "question_mark")
        text = table.text()
        assert "Why: HMS Dog, arms" in text
        assert "armament lost: 0 → 0.5" in text
        assert "roll 1 4 3 for" in text
        assert "N-GUN-3" in text
        await table.press("escape", "e")
        assert table.screen.orders.text == "mark dog armament_lost 0.5"
        await table.press(*keys_of("1.5"), "enter")
        assert report(table.session, "dog")["armament_lost"] == 1.5

    play(session, steps)


def test_the_bar_says_which_words_of_a_shot_are_missing() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire ant "))
        assert "12-inch · 6-inch" in table.text()
        await table.write("6 dog ")
        assert "the number on the stick: straddle" in table.text()
        await table.write("straddle ")
        assert "the number on the stick" in table.text()
        await table.write("7 4 4 4")
        assert "fire ant 6-inch dog straddle 7" in table.text()

    play(night(), steps)


def test_a_sinking_ship_is_not_drawn_as_one_that_has_left() -> None:
    async def steps(table: Table) -> None:
        looks = {}
        for status in ("afloat", "sinking", "sunk"):
            await table.order(f"mark bee status {status}")
            row = table.screen.grid.render_line(3)
            looks[status] = next(segment.style for segment in row if "Bee" in segment.text)
        assert looks["afloat"] == looks["sinking"] != looks["sunk"]

    play(night(), steps)


def test_a_repair_is_chosen_in_words_after_its_dice() -> None:
    async def steps(table: Table) -> None:
        await table.press("x", "down", "r", "tab", "enter", "3", "space", "4", "enter")
        assert "what does HMS Dog repair?" in table.text()
        assert "gunnery-heavy or gunnery-light or speed" in table.text()
        await table.press("colon", *"sp", "enter")
        assert table.log()[-1] == "answer 3/choice/dog/1 speed"
        assert "HMS Dog mends speed" in table.text()
        await table.order("amend 3 5 5")
        assert "Dice no longer needed" in table.text()
        await table.press("enter")
        assert report(table.session, "dog")["speed_hits"] == 1

    play(choice(), steps)


def test_tab_takes_a_word_of_the_question_that_the_bar_is_open_for() -> None:
    async def steps(table: Table) -> None:
        await table.press("o", "n", "tab")
        assert table.screen.orders.text == "nobody "
        await table.press("enter")
        assert table.log()[-1] == "answer 2/who/ant/1 nobody"

    play(night("fire ant 12 dog straddle 8", "roll 6 2"), steps)


def test_a_save_is_opened_again_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "night.qfb"
    night("fire ant 12 dog straddle 8", "roll 6 2", save=path).close()
    session = enter(Session.resume(path, SYSTEMS), "answer bee")

    async def steps(table: Table) -> None:
        assert "HMS Ant at HMS Bee" in table.text()
        await table.press("0", "space", "4", "space", "4", "enter")
        assert report(table.session, "bee")["hull_lost"] == 0.5

    play(session, steps)
    session.close()
    assert report(Session.look(path, SYSTEMS), "bee")["hull_lost"] == 0.5
