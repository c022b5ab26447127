"""The tray of an open battle: what would come of a proposal now, what enters, and nothing twice."""

from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from secrets import token_hex

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.values import format_dice
from qf_tui.features.board.tray import FollowedTray, Tray, TrayNews, build_round_key, compute_result_digest
from qf_tui.features.board.tray_files import Proposal, Saw, TrayFiles, build_part_id
from qf_tui.journal.reading import read_save
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from qf_tui.session.session import list_needed_throws
from tests.killing import Tell, run_until_killed
from tests.long import Share
from tests.systems import find_our_systems, load_start

UNSEEN = Saw()
ROUNDS_A_SAVE = 20


class Table:
    """A battle in its first gunnery phase, its tray, and the server's end of it."""

    def __init__(self, folder: Path, dice: str = "table") -> None:
        self.save = folder / "battle.qfb"
        system, start = load_start("yellow-sea-1904")
        start = evolve(start, table={**start.table, "dice": dice})
        self.session = Session.begin(system, start, self.save)
        self.session.enter("force next")
        self.tray = self.opened()
        self._count = 0

    def opened(self) -> Tray:
        tray = Tray.from_session(self.session)
        assert tray is not None
        return tray

    def propose(
        self, line: str, *dice: int, saw: Saw = UNSEEN, by: str = "Anna", round: str = ""
    ) -> Proposal:
        """Proposes as the server does, which writes its file and is gone again."""
        self._count += 1
        made = Proposal(f"{self._count:032x}", by.lower(), by, (line,), dice, "", saw, round)
        files = TrayFiles.from_save(self.save, read_save(self.save).first_sum)
        files.tray.append(made)
        files.close()
        self.tray.look()
        return made

    def left(self) -> None:
        """The console is left."""
        self.tray.close()
        self.session.close()

    def again(self) -> None:
        """The console is left and comes back."""
        self.left()
        self.session = Session.resume(self.save, find_our_systems())
        self.tray = self.opened()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def shot_of(table: Table) -> str:
    ships = table.session.battle.ships
    enemy = next(id for id, ship in ships.items() if ship.side == "russia")
    return f"fire mikasa heavy {enemy} 24in"


def test_a_proposal_waits_enters_and_says_who(table: Table) -> None:
    made = table.propose(shot_of(table), 3, 8)
    assert table.tray.waiting == (made,)
    entered = table.tray.let_in(table.tray.weigh(made))
    assert (entered.act.extra.get("proposal"), entered.act.by) == (made.id, "Anna")
    assert not table.tray.waiting
    table.again()
    last = table.session.timeline.log[-1]
    assert (last.extra.get("proposal"), last.by) == (made.id, "Anna")
    assert not table.tray.waiting


def test_what_is_in_never_enters_again_though_it_is_undone(table: Table) -> None:
    made = table.propose(shot_of(table), 3, 8)
    weighed = table.tray.weigh(made)
    table.tray.let_in(weighed)
    for undone in (False, True):
        if undone:
            table.session.enter("undo")
        with pytest.raises(OrderRefused, match="in already"):
            table.tray.let_in(table.tray.weigh(made))
        assert not table.tray.waiting
    table.again()
    assert not table.tray.waiting


def test_it_is_worked_out_on_the_battle_as_it_is_now(table: Table) -> None:
    """A battle that has gone on since is another: what was shown is compared with what would come."""
    line = shot_of(table)
    shown = compute_result_digest(table.session.work_out(table.session.read(f"{line} 3 8").require_order()))
    made = table.propose(line, 3, 8, saw=Saw(result=shown, told="1 hit"))
    assert table.tray.weigh(made).as_shown
    table.session.enter("mark mikasa rof_heavy 1")
    weighed = table.tray.weigh(made)
    assert weighed.revision is not None
    assert "1 hit" in weighed.differs
    assert list(table.tray.let_in_as_shown()) == []
    assert table.tray.waiting == (made,)


def test_a_result_is_the_same_whatever_number_its_entry_has(table: Table) -> None:
    order = table.session.read(f"{shot_of(table)} 3 8").require_order()
    first = compute_result_digest(table.session.work_out(order))
    table.session.enter("note later")
    assert compute_result_digest(table.session.work_out(order)) == first != ""


def test_what_the_rules_refuse_stays_until_it_is_sent_back(table: Table) -> None:
    made = table.propose(shot_of(table), 13)
    weighed = table.tray.weigh(made)
    assert weighed.findings
    assert not weighed.as_shown
    with pytest.raises(OrderRefused):
        table.tray.let_in(weighed)
    assert list(table.tray.let_in_as_shown()) == []
    table.tray.send_back(made, "a D12 has no 13")
    assert not table.tray.waiting
    table.again()
    assert table.tray.state.sent_back == {made.id: "a D12 has no 13"}


def test_two_who_propose_the_same_wait_for_the_umpire(table: Table) -> None:
    one, other = (table.propose(shot_of(table), 3, 8, by=by) for by in ("Anna", "Boris"))
    assert table.tray.weigh(one).rivals == ("Boris",)
    assert list(table.tray.let_in_as_shown()) == []
    table.tray.let_in(table.tray.weigh(other))
    assert table.tray.weigh(one).findings


def test_orders_of_one_declaration_and_remarks_of_two_are_no_rivals(table: Table) -> None:
    """Catches two remarks that wait for the umpire because both are remarks."""
    tray = table.tray
    tray.open_round()
    for number, name in enumerate(("Anna", "Boris")):
        orders = (
            (f"note to all: {number}", shot_of(table), shot_of(table)) if number else ("note to all: one",)
        )
        tray.declare_for(Proposal(f"{number:032x}", name.lower(), name, orders))
    tray.close_round()
    entered = list(tray.let_in_declared(build_round_key(table.session.battle)))
    assert len(entered) == 3
    (left,) = tray.waiting
    assert left.id == build_part_id(f"{1:032x}", 2)
    assert tray.weigh(left).findings


def test_an_owed_roll_enters_by_itself_only_as_it_was_seen(table: Table) -> None:
    """By its key, its dice and its need."""
    table.session.enter(shot_of(table))
    owed = table.session.battle.owed[0]
    needs = tuple(map(str, list_needed_throws(table.session.system, table.session.battle, owed)))
    seen = Saw(format_dice(owed.dice), needs)
    line = f"roll {owed.key}"
    other = table.propose(line, 3, 8, saw=Saw(seen.dice, ("1 hits",)))
    assert "now it is" in table.tray.weigh(other).differs
    table.tray.send_back(other, "look again")
    right = table.propose(line, 3, 8, saw=seen)
    (weighed,) = table.tray.list_owed_as_seen()
    assert weighed.proposal == right
    table.tray.let_in(weighed)
    assert table.session.battle.find_question(owed.key) is None


def test_declarations_stand_at_once_in_an_order_by_lot(table: Table) -> None:
    tray, session = table.tray, table.session
    tray.open_round()
    with pytest.raises(OrderRefused, match="open already"):
        tray.open_round()
    key = build_round_key(session.battle)
    one = table.propose(shot_of(table), round=key)
    tray.declare_for(Proposal("f" * 32, "boris", "Boris", ("note to all",)))
    assert not tray.waiting
    table.again()
    tray = table.tray
    assert tray.reveal_declaration("anna") == one
    tray.close_round()
    assert {each.id for each in tray.waiting} == {build_part_id(one.id, 0), build_part_id("f" * 32, 0)}
    assert len(list(tray.let_in_as_shown())) == 2
    assert [owed.declared_order.line for owed in table.session.battle.owed] == [shot_of(table)]
    with pytest.raises(OrderRefused, match="were closed"):
        tray.open_round()


def test_a_battle_without_a_save_has_none() -> None:
    system, start = load_start("yellow-sea-1904")
    assert Tray.from_session(Session.begin(system, start)) is None


def test_it_tells_who_and_never_what(table: Table) -> None:
    """Also to whoever follows the save: how often a player changed it shows nowhere."""
    seats = (("anna", "Anna"), ("boris", "Boris"))
    follower = Follower(table.save, find_our_systems())
    followed = FollowedTray(follower, table.save, follower.battle_id)
    table.propose(shot_of(table), 3, 8, by="Carla")
    table.tray.open_round()
    key = build_round_key(table.session.battle)
    table.propose(shot_of(table), round=key)
    once = table.tray.collect_news(seats)
    assert once == TrayNews((("Carla", 1),), "First gunnery", ("Anna",), ("Boris",))
    table.propose("note all: no", round=key)
    assert table.tray.collect_news(seats) == once
    assert followed.look()
    assert followed.collect_news(seats) == once
    files = sorted(each.name for each in table.save.parent.iterdir())
    assert "battle.qfb.tray" in files


@pytest.mark.parametrize(
    "line",
    ["next", "undo", "force next", "strike 1", "mark mikasa rof_heavy 9", "leave mikasa", "force note x"],
)
def test_what_is_the_umpires_alone_is_refused_of_a_player(table: Table, line: str) -> None:
    """Catches a phase that a player ends."""
    weighed = table.tray.weigh(table.propose(line))
    assert not weighed.accepted
    assert [finding.text for finding in weighed.findings] == ["only the umpire enters this"]


@pytest.mark.parametrize("dice", ["sealed", "console"])
def test_a_throw_that_is_asked_for_brings_no_faces(tmp_path: Path, dice: str) -> None:
    """The console's dice are thrown as it enters; where a call throws them nothing enters without one."""
    table = Table(tmp_path, dice)
    shot = table.propose(shot_of(table))
    table.tray.let_in(table.tray.weigh(shot))
    if dice == "console":
        (entry,) = table.session.timeline.log[-1:]
        assert entry.version is not None
        assert entry.version.order.dice
        return
    (owed,) = table.session.battle.owed
    asked = table.propose(f"roll {owed.key}", saw=Saw(format_dice(owed.dice)))
    weighed = table.tray.weigh(asked)
    assert weighed.accepted
    assert table.tray.is_call_needed(weighed)
    assert list(table.tray.let_in_as_shown()) == []
    with pytest.raises(OrderRefused):
        table.tray.let_in(weighed)
    assert table.tray.waiting == (asked,)


def test_what_was_closed_and_had_not_entered_waits_when_the_console_comes_back(table: Table) -> None:
    """A console that died between its reply and the entries, and between two of them."""
    table.tray.open_round()
    key = build_round_key(table.session.battle)
    line = shot_of(table)
    for name, order in (("Anna", line), ("Boris", line.replace("mikasa", "asahi"))):
        table.propose(order, by=name, round=key)
    table.propose(line.replace("mikasa", "tsesarevich"), by="Carla", round=key)
    table.tray.close_round()
    table.again()
    assert len(table.tray.waiting) == 3
    entering = table.tray.let_in_declared(key)
    first = next(entering)
    table.again()
    assert len(table.tray.waiting) == 2
    rest = list(table.tray.let_in_declared(key))
    assert {first.act.by, *(each.act.by for each in rest)} == {"Anna", "Boris"}
    (left,) = table.tray.waiting
    assert left.by == "Carla"
    assert table.tray.weigh(left).findings
    assert len(table.session.battle.owed) == 2


@pytest.mark.parametrize(("dice", "declared"), [("console", False), ("sealed", False), ("table", True)])
def test_faces_are_taken_only_where_the_player_throws_them(tmp_path: Path, dice: str, declared: bool) -> None:
    """Not where the console throws or a call does, and not in a declaration, whose dice follow."""
    table = Table(tmp_path, dice)
    key = ""
    if declared:
        table.tray.open_round()
        key = build_round_key(table.session.battle)
        table.propose(f"{shot_of(table)} 3 8", round=key)
        table.tray.close_round()
        assert list(table.tray.let_in_declared(key)) == []
    else:
        table.propose(shot_of(table), 3, 8)
    (made,) = table.tray.waiting
    assert not table.tray.weigh(made).accepted


def propose_for_ever(save: Path, tell: Tell) -> None:
    """The server: a proposal after the other, each told once it is kept."""
    files = TrayFiles.from_save(save, read_save(save).first_sum)
    files.look()
    for number in count(len(files.state.proposals)):
        id = f"{number:032x}"
        files.tray.append(Proposal(id, "anna", "Anna", (f"note to all: {number}",)))
        tell(id)


def take_for_ever(save: Path, tell: Tell) -> None:
    """The console: lets in, sends back, and closes declarations in phase after phase."""
    session = Session.resume(save, find_our_systems())
    tray = Tray.from_session(session)
    assert tray is not None
    for number in count():
        for proposal in tray.waiting[:3]:
            if proposal.id.endswith("0"):
                tray.send_back(proposal, "not now")
            else:
                tray.let_in(tray.weigh(proposal))
            tell(proposal.id)
        if tray.round is None and build_round_key(session.battle) not in tray.state.closed:
            tray.open_round()
        if tray.round is not None:
            made = Proposal(token_hex(16), "boris", "Boris", ("note to all: one", f"note to all: {number}"))
            tray.declare_for(made)
            tray.close_round()
            tell(build_part_id(made.id, 0))
            tell(build_part_id(made.id, 1))
        for _ in tray.let_in_declared(build_round_key(session.battle)):
            tell("in")
        session.enter("force next")


@pytest.mark.parametrize("rounds", [3, pytest.param(200, marks=pytest.mark.long)])
def test_killed_at_any_moment_nothing_is_lost_and_nothing_enters_twice(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Server and console, one after the other, by `kill -9`: between append and answer, answer and entry."""
    chance, told = Random(seed), set[str]()
    for round in share.take(range(rounds)):
        if round % ROUNDS_A_SAVE == 0:
            (tmp_path / str(round)).mkdir()
            table, told = Table(tmp_path / str(round)), set()
            table.left()
        for work, least in ((propose_for_ever, 5), (take_for_ever, 6)):
            told |= set(run_until_killed(partial(work, table.save), least, chance.uniform(0, 0.02))) - {"in"}
        table.again()
        entered = [act.extra["proposal"] for act in table.session.timeline.log if "proposal" in act.extra]
        waiting = {each.id for each in table.tray.waiting}
        assert len(entered) == len(set(entered))
        assert told <= {*entered, *waiting, *table.tray.state.sent_back}
        assert not waiting & {*entered, *table.tray.state.sent_back}
        table.left()
