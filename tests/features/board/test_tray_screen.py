"""The tray by its keys: proposals, declarations, phones, and difficult names of players."""

from pathlib import Path

import pytest
from attrs import evolve
from rich.cells import cell_len

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.values import Division, format_dice
from qf_tui.features.board.links import (
    Links,
    compute_device_digest,
    compute_token,
    format_device_code,
    load_links,
    save_links,
)
from qf_tui.features.board.tray import build_round_key
from qf_tui.features.board.tray_files import (
    DeviceAsked,
    Proposal,
    RoundOpened,
    Saw,
    Shown,
    TrayFiles,
    TrayState,
    find_tray_path,
)
from qf_tui.features.board.tray_screen import ASK, TrayScreen
from qf_tui.features.wall_display.actions import open_wall
from qf_tui.journal.reading import read_save
from qf_tui.session import Session
from qf_tui.session.session import list_needed_throws
from tests.console.playing import LONG, SIZES, Size, Table, with_console
from tests.console.test_watch import watch
from tests.features.board.test_screen import wait_until
from tests.systems import load_start

UNSEEN = Saw()
WIDE = "艦長" * 9
PLAYERS = ("[/", LONG, WIDE)
"""Names that break careless drawing: the players of Japan, by division."""
SHOT = "fire mikasa heavy tsesarevich 24in"


def begin_battle(path: Path, dice: str = "table") -> Session:
    """Begin a battle in its first gunnery phase, whose players have such names."""
    system, start = load_start("yellow-sea-1904")
    japan, russia = start.sides
    names = (*PLAYERS, *("" for _ in japan.divisions))
    divisions = tuple(
        evolve(division, player=name) for division, name in zip(japan.divisions, names, strict=False)
    )
    sides = (evolve(japan, divisions=divisions), evolve(russia, divisions=(Division("all", "All", "Emil"),)))
    session = Session.begin(system, evolve(start, sides=sides, table={**start.table, "dice": dice}), path)
    session.enter("force next")
    return session


class Phones:
    """The server's end of the tray, which writes a proposal and closes the file."""

    def __init__(self, save: Path) -> None:
        self.save, self.count = save, 0

    def _append(self, item: Proposal | DeviceAsked) -> None:
        files = TrayFiles.from_save(self.save, read_save(self.save).first_sum)
        files.tray.append(item)
        files.close()

    def propose(
        self, line: str, *dice: int, by: str = "[/", seat: str = "", saw: Saw = UNSEEN, round: str = ""
    ) -> Proposal:
        self.count += 1
        made = Proposal(
            f"{self.count:032x}", seat or f"japan.{self.count}", by, (line,), dice, "", saw, round
        )
        self._append(made)
        return made

    def ask(self, seat: str, device: str) -> None:
        secret = next(each.secret for each in load_kept_links(self).seats if each.id == seat)
        self._append(DeviceAsked(seat, device, compute_token(secret)))

    @property
    def state(self) -> TrayState:
        files = TrayFiles.from_save(self.save, read_save(self.save).first_sum)
        files.look()
        return files.state


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / "battle.qfb")


def begin_in_phase(phones: Phones) -> Session:
    return begin_battle(phones.save)


def begin_sealed(phones: Phones) -> Session:
    return begin_battle(phones.save, "sealed")


def begin_unsaved() -> Session:
    return Session.begin(*load_start("yellow-sea-1904"))


async def look(table: Table) -> None:
    """Make the console read the tray."""
    table.screen.look()
    await table.settle()


def check_width(table: Table) -> str:
    """Return the screen's text after a check that no line is wider than the window."""
    text = table.text()
    assert all(cell_len(line) <= table.app.size.width for line in text.splitlines())
    return text


def list_proposers(table: Table) -> list[str]:
    """Return who proposed each proposed entry of the log."""
    return [act.by for act in table.session.timeline.log if act.extra.get("proposal")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PLAYERS)
@with_console(begin_in_phase)
async def test_a_line_names_who_waits_and_enter_lets_in_the_shown_proposal(
    table: Table, phones: Phones, size: Size, name: str
) -> None:
    assert "tray" not in check_width(table)
    made = phones.propose(SHOT, 3, 8, by=name)
    await look(table)
    assert " tray 1  " in check_width(table)
    assert name[:7] in table.text()
    await table.press("T")
    assert isinstance(table.top, TrayScreen)
    assert name[:7] in check_width(table)
    assert "Tsesarevich: S hits 0 → 1" in table.read_words()
    assert list_proposers(table) == []
    await table.press("enter")
    assert list_proposers(table) == [name]
    assert table.session.timeline.log[-1].extra.get("proposal") == made.id
    await table.press("escape")
    assert isinstance(table.top, BattleScreen)
    assert "tray" not in check_width(table)


@with_console(begin_in_phase)
async def test_proposals_that_result_as_shown_enter_together_and_the_others_stay(
    table: Table, phones: Phones
) -> None:
    """Keep one that the rules refuse, one with another result, and two equal ones."""
    phones.propose(SHOT, 3, 8)
    phones.propose(SHOT.replace("mikasa", "asahi"), 13, by="Boris")
    phones.propose(SHOT.replace("mikasa", "fuji"), 4, 4, by="Carla", saw=Saw(result="x", told="2 hits"))
    for name in ("Dora", "Emil"):
        phones.propose(SHOT.replace("mikasa", "shikishima"), 5, 5, by=name)
    await look(table)
    await table.type("TA")
    assert list_proposers(table) == ["[/"]
    table.expect("let in: 1; left for you: 4", "impossible: a 13", "the player saw: 2 hits")
    table.expect("also proposed by Emil")
    await table.press("enter")
    assert list_proposers(table) == ["[/"]
    table.expect("it cannot enter")
    await table.type("down enter")
    assert list_proposers(table) == ["[/", "Carla"]
    await table.press("x")
    table.expect("Enter send back")
    await table.type("backspace twice enter")
    assert phones.state.sent_back == {f"{4:032x}": "twice"}
    await table.type("A")
    assert list_proposers(table) == ["[/", "Carla", "Emil"]
    await table.press("X")
    assert "a 13" in phones.state.sent_back[f"{2:032x}"]
    table.expect("sent back to Boris", "Nothing waits")


@with_console(begin_in_phase)
async def test_a_correction_made_meanwhile_is_shown_before_anything_enters(
    table: Table, phones: Phones
) -> None:
    phones.propose(SHOT, 3, 8)
    await table.press("T")
    table.expect("Tsesarevich: S hits 0 → 1")
    # The entry does not come by these keys, like a roll that enters automatically.
    table.session.enter("mark mikasa rof_heavy 1")
    await table.press("enter")
    assert list_proposers(table) == []
    table.expect("the battle has changed", "heavy ROF 3>1: misses")
    await table.press("enter")
    assert list_proposers(table) == ["[/"]


@with_console(begin_in_phase)
async def test_a_refusal_by_a_rule_may_be_overruled(table: Table, phones: Phones) -> None:
    phones.propose(SHOT.replace("24in", "240in"), 3, 8)
    await table.type("T enter")
    assert list_proposers(table) == []
    table.expect("F2 overrule")
    await table.press("question_mark")
    table.expect("Why it is refused")
    await table.type("escape f2")
    assert list_proposers(table) == ["[/"]
    last = table.session.timeline.log[-1]
    assert last.version is not None
    assert last.version.order.forced


@with_console(begin_in_phase)
async def test_a_roll_enters_automatically_only_if_allowed_and_nothing_is_typed(
    table: Table, phones: Phones
) -> None:
    await table.order(SHOT)
    await table.order(SHOT.replace("mikasa", "asahi"))
    session = table.session
    for owed, need in zip(session.battle.owed, ("as it is", "another"), strict=True):
        needs = tuple(map(str, list_needed_throws(session.system, session.battle, owed)))
        seen = Saw(format_dice(owed.dice), needs if need == "as it is" else ("1 hits",))
        phones.propose(f"roll {owed.key}", 3, 8, by=need, saw=seen)
    await look(table)
    assert list_proposers(table) == []
    save_links(phones.save, Links(rolls=True))
    await table.type("3")
    await look(table)
    assert list_proposers(table) == [], "these dice would be another roll's"
    await table.type("backspace escape")
    await look(table)
    assert list_proposers(table) == ["as it is"]
    assert len(table.battle.owed) == 1
    await table.type("T")
    table.expect("Asahi heavy at Tsesarevich, 24″ 3 8")


@pytest.mark.parametrize("key", ["enter", "X"])
@with_console(begin_in_phase)
async def test_no_key_acts_on_a_row_that_just_moved_under_the_cursor(
    table: Table, phones: Phones, key: str
) -> None:
    """Guard against an Enter for a roll that has just entered, which lets in the next one unread."""
    await table.order(SHOT)
    save_links(phones.save, Links(rolls=True))
    await table.press("T")
    (owed,) = table.battle.owed
    needs = tuple(map(str, list_needed_throws(table.session.system, table.battle, owed)))
    phones.propose(f"roll {owed.key}", 3, 9, by="Anna", saw=Saw(format_dice(owed.dice), (*needs, "and more")))
    phones.propose(SHOT.replace("mikasa", "asahi"), by="Boris")
    await look(table)
    await table.press("home")
    phones.propose(f"roll {owed.key}", 3, 8, by="Anna", saw=Saw(format_dice(owed.dice), needs))
    table.session.enter(f"roll {owed.key} 4 4")
    table.top.tray.send_back(table.top.proposal, "thrown")
    await look(table)
    assert table.top.proposal.by == "Boris"
    before = len(table.top.tray.waiting)
    await table.press(key)
    assert len(table.top.tray.waiting) == before
    table.expect("the cursor moved here by itself")
    await table.press(key)
    assert len(table.top.tray.waiting) == before - 1
    assert list_proposers(table) == (["Boris"] if key == "enter" else [])


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_in_phase)
async def test_a_phase_ends_in_the_tray_which_stays_open(table: Table, phones: Phones, size: Size) -> None:
    """Enter nothing of the new phase if Enter is pressed once too often."""
    phones.propose(SHOT, 1, 8)
    await table.press("T")
    assert "First gunnery" in check_width(table)
    await table.type("A n")
    table.expect("End turn 1, First gunnery?")
    await table.type("enter escape")
    assert isinstance(table.top, TrayScreen)
    assert "Second gunnery" in check_width(table)
    assert "Now turn 1, Second gunnery" in table.read_words()
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await look(table)
    await table.press("enter")
    assert list_proposers(table) == ["[/"]
    table.expect("the cursor moved here by itself")
    await table.type("A d n")
    table.expect("declarations are open")
    assert table.battle.phase == "second-gunnery"


@with_console(begin_in_phase, SHOT)
async def test_questions_that_hold_a_phase_open_are_answered_at_the_logs(
    table: Table, phones: Phones
) -> None:
    await table.type("T n")
    table.expect("answers the first")
    await table.type("enter 3 8 enter")
    assert isinstance(table.top, BattleScreen)
    assert not table.battle.owed
    assert table.battle.phase == "first-gunnery"


@with_console(begin_in_phase)
async def test_a_proposal_that_came_while_a_panel_was_open_does_not_enter_unread(
    table: Table, phones: Phones
) -> None:
    """Forward the key that closes the panel to the tray, which only then lists the new proposal."""
    phones.propose(SHOT, 3, 8)
    await table.press("T")
    table.app.push_screen(Panel("To be read", [literal("something")]))
    await table.settle()
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await look(table)
    await table.press("A")
    assert list_proposers(table) == ["[/"]
    table.expect("look at them first: 1")
    await table.press("A")
    assert list_proposers(table) == ["[/", "Boris"]


@with_console(begin_in_phase)
async def test_one_key_sends_back_with_the_finding_or_a_request(table: Table, phones: Phones) -> None:
    phones.propose(SHOT.replace("24in", "240in"), 3, 8)
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await table.type("T X X")
    back = phones.state.sent_back
    assert "240in" in back[f"{1:032x}"]
    assert back[f"{2:032x}"] == ASK
    await table.press("X")
    assert list_proposers(table) == []


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_in_phase)
async def test_declarations_show_only_names_until_they_are_closed(
    table: Table, phones: Phones, size: Size
) -> None:
    """Declare once by phone and once by the umpire; closing names the other players."""
    await table.type("Td")
    table.expect("Declarations are open: First gunnery", "not yet")
    key = build_round_key(table.battle)
    seat = Links().add_seats(table.battle).seats[0]
    phones.propose(SHOT, by=seat.name, seat=seat.id, round=key)
    await look(table)
    assert "declared" in check_width(table)
    assert "mikasa" not in table.text()
    await table.type("home down")
    await table.type("t fire_asahi_heavy_asahi_24 enter")
    assert "✗" in table.text()
    await table.type("escape t next enter")
    table.expect("only the umpire enters this")
    await table.type(f"escape t {SHOT.replace(' ', '_')}_3_8 enter")
    table.expect("its dice are thrown after it is entered")
    await table.type("escape t fire_kasuga_heavy_tsesarevich_24in enter")
    assert "kasuga" not in check_width(table)
    await table.press("escape")
    text = check_width(table)
    assert "declared: [/" in text
    assert "asuga" not in text.splitlines()[-4]
    await table.press("n")
    table.expect("declarations are open")
    assert table.battle.phase == "first-gunnery"
    await table.type("T home v")
    table.expect(SHOT)
    assert Shown(key, seat.id) in phones.state.replies
    await table.type("escape d")
    table.expect("Close declarations?", "Emil has not declared")
    await table.press("enter")
    assert {owed.ship for owed in table.battle.owed} == {"mikasa", "kasuga"}
    assert set(list_proposers(table)) == set(PLAYERS[:2])


@pytest.mark.parametrize("wall", [False, True])
def test_a_watcher_sees_names_only(tmp_path: Path, phones: Phones, wall: bool) -> None:
    writer = begin_battle(phones.save)
    key = build_round_key(writer.battle)

    async def steps(table: Table) -> None:
        files = TrayFiles.from_save(phones.save, read_save(phones.save).first_sum)
        files.replies.append(RoundOpened(key, "First gunnery"))
        files.close()
        seat = Links().add_seats(writer.battle).seats[0]
        phones.propose(SHOT, by=seat.name, seat=seat.id, round=key)
        await wait_until(lambda: "declared: [/" in table.text())
        text = check_width(table)
        assert "Emil" in text
        assert "ikasa" not in "".join(line for line in text.splitlines() if "declared" in line)
        if not wall:
            phones.propose(SHOT, 3, 8, by="Fanny")
            await wait_until(lambda: "tray 1  Fanny 1" in table.text())

    watch(phones.save, steps, (200, 60), open_wall if wall else None)
    writer.close()


@with_console(begin_sealed)
async def test_the_umpire_types_the_call_that_throws(table: Table, phones: Phones) -> None:
    """Ask for the call of a declared shot, and of a roll that a player requests and that stays his."""
    phones.propose(SHOT)
    phones.propose(SHOT.replace("mikasa", "asahi"))
    await table.type("T enter")
    await table.type("enter")
    assert list_proposers(table) == ["[/", "[/"]
    table.expect("call")
    await table.type("escape")
    asked = phones.propose(f"roll {table.battle.owed[0].key}", by="Carla")
    await table.type("T enter")
    assert list_proposers(table) == ["[/", "[/"]
    await table.type("38 enter")
    assert list_proposers(table) == ["[/", "[/", "Carla"]
    assert table.session.timeline.log[-1].extra.get("proposal") == asked.id
    key = table.session.timeline.versions[table.session.timeline.log[-1].number].order.key
    table.session.enter("undo")
    table.screen.controller.enter(table.session.read(f"roll {key} call 38").require_order())
    assert [act.extra.get("proposal") for act in table.session.timeline.log].count(asked.id) == 1


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_in_phase)
async def test_the_umpire_chooses_who_may_propose_and_from_which_phone(
    table: Table, phones: Phones, size: Size
) -> None:
    one, other = compute_device_digest("one"), compute_device_digest("other")
    await table.type("Bp")
    assert "Links that may propose: off" in check_width(table)
    assert "plain HTTP" in table.read_words()
    await table.press("enter")
    assert "links that may propose are off: p turns them on" in table.read_words()
    await table.type("pr")
    table.expect("Links that may propose: on", "enter by themselves: yes")
    seat = load_kept_links(phones).seats[0]
    await table.press("enter")
    assert f"no phone asks for {seat.name}" in table.read_words()
    for device in (one, other):
        phones.ask(seat.id, device)
    table.screen.look()
    table.top.show()
    await table.settle()
    table.expect(format_device_code(one), format_device_code(other))
    await table.type("home enter")
    assert "put the cursor on the number" in table.read_words()
    await table.type("down enter enter")
    assert load_kept_links(phones).seats[0].device == one, "one more Enter lets no other phone in"
    assert "put the cursor on the number" in table.read_words()
    await table.type("h shikish enter")
    assert load_kept_links(phones).seats[0].ships == ("shikishima",)
    assert "Shikishima" in check_width(table)
    await table.press("x")
    revoked = load_kept_links(phones).seats[0]
    assert (revoked.device, revoked.secret == seat.secret) == ("", False)
    await table.type("escape")
    assert "forge" in table.read_words()


def load_kept_links(phones: Phones) -> Links:
    links = load_links(phones.save)
    assert links is not None
    return links


@with_console(begin_unsaved)
async def test_a_battle_that_is_not_saved_has_no_tray(table: Table) -> None:
    await table.press("T")
    assert "no save" in table.text()


@with_console(begin_in_phase, size=SIZES[0])
async def test_a_damaged_tray_is_reported_and_its_proposals_still_wait(table: Table, phones: Phones) -> None:
    """Guard against proposals that vanish silently, before and after a restart of the board."""
    for face in (1, 2, 3):
        phones.propose(SHOT, 3, face, by=f"Anna{face}")
    await look(table)
    path = find_tray_path(phones.save)
    path.write_bytes(path.read_bytes().replace(b"Anna2", b"Anna5", 1))
    await look(table)
    table.screen.warn()
    await table.settle()
    table.expect("was damaged at line 3: 1 line is lost", "tray 3")
    phones.propose(SHOT, 3, 4, by="Anna4")
    await look(table)
    await table.press("T")
    table.expect("send it again", "Anna1", "Anna2", "Anna3", "Anna4")
    await table.press("escape")
    table.screen.warn()
    await table.settle()
    assert "was damaged" not in table.text()
