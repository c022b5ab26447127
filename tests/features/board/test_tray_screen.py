"""The tray by its keys: what players propose and declare, and who may; every name that a player may have."""

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
from tests.features.board.test_screen import until
from tests.systems import load_start

UNSEEN = Saw()
WIDE = "艦長" * 9
PLAYERS = ("[/", LONG, WIDE)
"""Names that break what is drawn carelessly: of the players of Japan, by division."""
SHOT = "fire mikasa heavy tsesarevich 24in"


def battle(path: Path, dice: str = "table") -> Session:
    """A battle in its first gunnery phase, whose players have such names."""
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
    """The server's end of the tray: it writes a proposal and is gone again."""

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
        secret = next(each.secret for each in kept(self).seats if each.id == seat)
        self._append(DeviceAsked(seat, device, compute_token(secret)))

    @property
    def state(self) -> TrayState:
        files = TrayFiles.from_save(self.save, read_save(self.save).first_sum)
        files.look()
        return files.state


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / "battle.qfb")


def in_play(phones: Phones) -> Session:
    return battle(phones.save)


def sealed(phones: Phones) -> Session:
    return battle(phones.save, "sealed")


def unsaved() -> Session:
    return Session.begin(*load_start("yellow-sea-1904"))


async def looked(table: Table) -> None:
    """The console has looked at what was proposed."""
    table.screen.look()
    await table.settle()


def fits(table: Table) -> str:
    """The screen as it is, no line of it wider than the window."""
    text = table.text()
    assert all(cell_len(line) <= table.app.size.width for line in text.splitlines())
    return text


def by(table: Table) -> list[str]:
    """Who proposed the entries of the log that were proposed."""
    return [act.by for act in table.session.timeline.log if act.extra.get("proposal")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PLAYERS)
@with_console(in_play)
async def test_a_line_says_who_waits_and_enter_lets_in_what_is_shown(
    table: Table, phones: Phones, size: Size, name: str
) -> None:
    assert "tray" not in fits(table)
    made = phones.propose(SHOT, 3, 8, by=name)
    await looked(table)
    assert " tray 1  " in fits(table)
    assert name[:7] in table.text()
    await table.press("T")
    assert isinstance(table.top, TrayScreen)
    assert name[:7] in fits(table)
    assert "Tsesarevich: S hits 0 → 1" in table.read_words()
    assert by(table) == []
    await table.press("enter")
    assert by(table) == [name]
    assert table.session.timeline.log[-1].extra.get("proposal") == made.id
    await table.press("escape")
    assert isinstance(table.top, BattleScreen)
    assert "tray" not in fits(table)


@with_console(in_play)
async def test_all_that_come_out_as_shown_enter_at_once_and_the_others_stay(
    table: Table, phones: Phones
) -> None:
    """One that the rules refuse, one that comes out otherwise, two who propose the same."""
    phones.propose(SHOT, 3, 8)
    phones.propose(SHOT.replace("mikasa", "asahi"), 13, by="Boris")
    phones.propose(SHOT.replace("mikasa", "fuji"), 4, 4, by="Carla", saw=Saw(result="x", told="2 hits"))
    for name in ("Dora", "Emil"):
        phones.propose(SHOT.replace("mikasa", "shikishima"), 5, 5, by=name)
    await looked(table)
    await table.type("TA")
    assert by(table) == ["[/"]
    table.expect("let in: 1; for your own Enter: 4", "impossible: a 13", "the player was shown: 2 hits")
    table.expect("the same is proposed by Emil")
    await table.press("enter")
    assert by(table) == ["[/"]
    table.expect("it cannot enter as it is")
    await table.type("down enter")
    assert by(table) == ["[/", "Carla"]
    await table.press("x")
    table.expect("Enter send back")
    await table.type("backspace twice enter")
    assert phones.state.sent_back == {f"{4:032x}": "twice"}
    await table.type("A")
    assert by(table) == ["[/", "Carla", "Emil"]
    await table.press("X")
    assert "a 13" in phones.state.sent_back[f"{2:032x}"]
    table.expect("sent back to Boris", "Nothing waits")


@with_console(in_play)
async def test_a_correction_made_meanwhile_is_shown_before_anything_enters(
    table: Table, phones: Phones
) -> None:
    phones.propose(SHOT, 3, 8)
    await table.press("T")
    table.expect("Tsesarevich: S hits 0 → 1")
    # Another way into the battle than by these keys, as a roll that enters by itself.
    table.session.enter("mark mikasa rof_heavy 1")
    await table.press("enter")
    assert by(table) == []
    table.expect("the battle has gone on", "heavy ROF 3>1: misses")
    await table.press("enter")
    assert by(table) == ["[/"]


@with_console(in_play)
async def test_what_only_a_rule_refuses_may_be_overruled(table: Table, phones: Phones) -> None:
    phones.propose(SHOT.replace("24in", "240in"), 3, 8)
    await table.type("T enter")
    assert by(table) == []
    table.expect("F2 overrule")
    await table.press("question_mark")
    table.expect("Why it is refused")
    await table.type("escape f2")
    assert by(table) == ["[/"]
    last = table.session.timeline.log[-1]
    assert last.version is not None
    assert last.version.order.forced


@with_console(in_play)
async def test_a_roll_enters_by_itself_only_if_the_umpire_wants_it_and_types_nothing(
    table: Table, phones: Phones
) -> None:
    await table.order(SHOT)
    await table.order(SHOT.replace("mikasa", "asahi"))
    session = table.session
    for owed, need in zip(session.battle.owed, ("as it is", "another"), strict=True):
        needs = tuple(map(str, list_needed_throws(session.system, session.battle, owed)))
        seen = Saw(format_dice(owed.dice), needs if need == "as it is" else ("1 hits",))
        phones.propose(f"roll {owed.key}", 3, 8, by=need, saw=seen)
    await looked(table)
    assert by(table) == []
    save_links(phones.save, Links(rolls=True))
    await table.type("3")
    await looked(table)
    assert by(table) == [], "these dice would be another roll's"
    await table.type("backspace escape")
    await looked(table)
    assert by(table) == ["as it is"]
    assert len(table.battle.owed) == 1
    await table.type("T")
    table.expect("Asahi heavy at Tsesarevich, 24″ 3 8")


@pytest.mark.parametrize("key", ["enter", "X"])
@with_console(in_play)
async def test_no_key_means_what_came_under_the_cursor_by_itself(
    table: Table, phones: Phones, key: str
) -> None:
    """Catches an Enter for a roll that has just entered, which lets in the next one unread."""
    await table.order(SHOT)
    save_links(phones.save, Links(rolls=True))
    await table.press("T")
    (owed,) = table.battle.owed
    needs = tuple(map(str, list_needed_throws(table.session.system, table.battle, owed)))
    phones.propose(f"roll {owed.key}", 3, 9, by="Anna", saw=Saw(format_dice(owed.dice), (*needs, "and more")))
    phones.propose(SHOT.replace("mikasa", "asahi"), by="Boris")
    await looked(table)
    await table.press("home")
    phones.propose(f"roll {owed.key}", 3, 8, by="Anna", saw=Saw(format_dice(owed.dice), needs))
    table.session.enter(f"roll {owed.key} 4 4")
    table.top.tray.send_back(table.top.proposal, "thrown")
    await looked(table)
    assert table.top.proposal.by == "Boris"
    before = len(table.top.tray.waiting)
    await table.press(key)
    assert len(table.top.tray.waiting) == before
    table.expect("came under the cursor by itself")
    await table.press(key)
    assert len(table.top.tray.waiting) == before - 1
    assert by(table) == (["Boris"] if key == "enter" else [])


@pytest.mark.parametrize("size", SIZES)
@with_console(in_play)
async def test_a_phase_ends_in_the_tray_which_stays(table: Table, phones: Phones, size: Size) -> None:
    """An Enter too many, for a question that was not asked, enters nothing of the phase that began."""
    phones.propose(SHOT, 1, 8)
    await table.press("T")
    assert "First gunnery" in fits(table)
    await table.type("A n")
    table.expect("End turn 1, First gunnery?")
    await table.type("enter escape")
    assert isinstance(table.top, TrayScreen)
    assert "Second gunnery" in fits(table)
    assert "Now turn 1, Second gunnery" in table.read_words()
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await looked(table)
    await table.press("enter")
    assert by(table) == ["[/"]
    table.expect("came under the cursor by itself")
    await table.type("A d n")
    table.expect("declarations are open")
    assert table.battle.phase == "second-gunnery"


@with_console(in_play, SHOT)
async def test_what_holds_a_phase_is_answered_at_the_logs(table: Table, phones: Phones) -> None:
    await table.type("T n")
    table.expect("answers the first")
    await table.type("enter 3 8 enter")
    assert isinstance(table.top, BattleScreen)
    assert not table.battle.owed
    assert table.battle.phase == "first-gunnery"


@with_console(in_play)
async def test_what_came_behind_a_panel_does_not_enter_with_what_was_listed(
    table: Table, phones: Phones
) -> None:
    """A key that closes a panel goes on to the tray, which lists only then what came meanwhile."""
    phones.propose(SHOT, 3, 8)
    await table.press("T")
    table.app.push_screen(Panel("To be read", [literal("something")]))
    await table.settle()
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await looked(table)
    await table.press("A")
    assert by(table) == ["[/"]
    table.expect("look at them first: 1")
    await table.press("A")
    assert by(table) == ["[/", "Boris"]


@with_console(in_play)
async def test_one_key_sends_back_with_what_stands_against_it_or_asks(table: Table, phones: Phones) -> None:
    phones.propose(SHOT.replace("24in", "240in"), 3, 8)
    phones.propose(SHOT.replace("mikasa", "asahi"), 4, 4, by="Boris")
    await table.type("T X X")
    back = phones.state.sent_back
    assert "240in" in back[f"{1:032x}"]
    assert back[f"{2:032x}"] == ASK
    await table.press("X")
    assert by(table) == []


@pytest.mark.parametrize("size", SIZES)
@with_console(in_play)
async def test_declarations_show_who_until_they_are_closed(table: Table, phones: Phones, size: Size) -> None:
    """One from a phone, one that the umpire types; the others are named as he closes them."""
    await table.type("Td")
    table.expect("Declarations are open: First gunnery", "not yet")
    key = build_round_key(table.battle)
    seat = Links().add_seats(table.battle).seats[0]
    phones.propose(SHOT, by=seat.name, seat=seat.id, round=key)
    await looked(table)
    assert "declared" in fits(table)
    assert "mikasa" not in table.text()
    await table.type("home down")
    await table.type("t fire_asahi_heavy_asahi_24 enter")
    assert "✗" in table.text()
    await table.type("escape t next enter")
    table.expect("only the umpire enters this")
    await table.type(f"escape t {SHOT.replace(' ', '_')}_3_8 enter")
    table.expect("its dice are thrown once it is entered")
    await table.type("escape t fire_kasuga_heavy_tsesarevich_24in enter")
    assert "kasuga" not in fits(table)
    await table.press("escape")
    text = fits(table)
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
    assert set(by(table)) == set(PLAYERS[:2])


@pytest.mark.parametrize("wall", [False, True])
def test_who_only_watches_sees_who(tmp_path: Path, phones: Phones, wall: bool) -> None:
    writer = battle(phones.save)
    key = build_round_key(writer.battle)

    async def steps(table: Table) -> None:
        files = TrayFiles.from_save(phones.save, read_save(phones.save).first_sum)
        files.replies.append(RoundOpened(key, "First gunnery"))
        files.close()
        seat = Links().add_seats(writer.battle).seats[0]
        phones.propose(SHOT, by=seat.name, seat=seat.id, round=key)
        await until(lambda: "declared: [/" in table.text())
        text = fits(table)
        assert "Emil" in text
        assert "ikasa" not in "".join(line for line in text.splitlines() if "declared" in line)
        if not wall:
            phones.propose(SHOT, 3, 8, by="Fanny")
            await until(lambda: "tray 1  Fanny 1" in table.text())

    watch(phones.save, steps, (200, 60), open_wall if wall else None)
    writer.close()


@with_console(sealed)
async def test_where_a_call_throws_the_umpire_types_it(table: Table, phones: Phones) -> None:
    """A shot enters as declared and asks for its call; a roll that a player asks for too, and is his."""
    phones.propose(SHOT)
    phones.propose(SHOT.replace("mikasa", "asahi"))
    await table.type("T enter")
    await table.type("enter")
    assert by(table) == ["[/", "[/"]
    table.expect("call")
    await table.type("escape")
    asked = phones.propose(f"roll {table.battle.owed[0].key}", by="Carla")
    await table.type("T enter")
    assert by(table) == ["[/", "[/"]
    await table.type("38 enter")
    assert by(table) == ["[/", "[/", "Carla"]
    assert table.session.timeline.log[-1].extra.get("proposal") == asked.id
    key = table.session.timeline.versions[table.session.timeline.log[-1].number].order.key
    table.session.enter("undo")
    table.screen.controller.enter(table.session.read(f"roll {key} call 38").require_order())
    assert [act.extra.get("proposal") for act in table.session.timeline.log].count(asked.id) == 1


@pytest.mark.parametrize("size", SIZES)
@with_console(in_play)
async def test_who_may_propose_and_from_which_phone(table: Table, phones: Phones, size: Size) -> None:
    one, other = compute_device_digest("one"), compute_device_digest("other")
    await table.type("Bp")
    assert "Links that may propose: off" in fits(table)
    assert "plain HTTP" in table.read_words()
    await table.press("enter")
    assert "links that may propose are off: p turns them on" in table.read_words()
    await table.type("pr")
    table.expect("Links that may propose: on", "enter by themselves: yes")
    seat = kept(phones).seats[0]
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
    assert kept(phones).seats[0].device == one, "one more Enter lets no other phone in"
    assert "put the cursor on the number" in table.read_words()
    await table.type("h shikish enter")
    assert kept(phones).seats[0].ships == ("shikishima",)
    assert "Shikishima" in fits(table)
    await table.press("x")
    revoked = kept(phones).seats[0]
    assert (revoked.device, revoked.secret == seat.secret) == ("", False)
    await table.type("escape")
    assert "forge" in table.read_words()


def kept(phones: Phones) -> Links:
    links = load_links(phones.save)
    assert links is not None
    return links


@with_console(unsaved)
async def test_a_battle_that_is_not_saved_has_none(table: Table) -> None:
    await table.press("T")
    assert "no save" in table.text()


@with_console(in_play, size=SIZES[0])
async def test_a_damaged_tray_is_reported_and_what_waited_still_waits(table: Table, phones: Phones) -> None:
    """Catches proposals that vanish without a word, before and after the board is started again."""
    for face in (1, 2, 3):
        phones.propose(SHOT, 3, face, by=f"Anna{face}")
    await looked(table)
    path = find_tray_path(phones.save)
    path.write_bytes(path.read_bytes().replace(b"Anna2", b"Anna5", 1))
    await looked(table)
    table.screen.warn()
    await table.settle()
    table.expect("was damaged at line 3: 1 line is lost", "tray 3")
    phones.propose(SHOT, 3, 4, by="Anna4")
    await looked(table)
    await table.press("T")
    table.expect("send it again", "Anna1", "Anna2", "Anna3", "Anna4")
    await table.press("escape")
    table.screen.warn()
    await table.settle()
    assert "was damaged" not in table.text()
