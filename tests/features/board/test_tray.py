"""The tray of an open battle: the result of a proposal now, what enters, and nothing twice."""

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
    """A battle in its first gunnery phase, its tray, and the server's end of the tray."""

    def __init__(self, folder: Path, dice: str = "table") -> None:
        self.save = folder / "battle.qfb"
        system, start = load_start("yellow-sea-1904")
        start = evolve(start, table={**start.table, "dice": dice})
        self.session = Session.begin(system, start, self.save)
        self.session.enter("force next")
        self.tray = self.open_tray()
        self._count = 0

    def open_tray(self) -> Tray:
        tray = Tray.from_session(self.session)
        assert tray is not None
        return tray

    def propose(
        self, line: str, *dice: int, saw: Saw = UNSEEN, by: str = "Anna", round: str = ""
    ) -> Proposal:
        """Write a proposal to the tray and close it, as the server does."""
        self._count += 1
        made = Proposal(f"{self._count:032x}", by.lower(), by, (line,), dice, "", saw, round)
        files = TrayFiles.from_save(self.save, read_save(self.save).first_sum)
        files.tray.append(made)
        files.close()
        self.tray.look()
        return made

    def leave(self) -> None:
        """Leave the console."""
        self.tray.close()
        self.session.close()

    def restart(self) -> None:
        """Leave the console and start it again."""
        self.leave()
        self.session = Session.resume(self.save, find_our_systems())
        self.tray = self.open_tray()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def build_shot(table: Table) -> str:
    ships = table.session.battle.ships
    enemy = next(id for id, ship in ships.items() if ship.side == "russia")
    return f"fire mikasa heavy {enemy} 24in"


def test_a_proposal_waits_and_enters_with_its_player_s_name(table: Table) -> None:
    made = table.propose(build_shot(table), 3, 8)
    assert table.tray.waiting == (made,)
    entered = table.tray.let_in(table.tray.weigh(made))
    assert (entered.act.extra.get("proposal"), entered.act.by) == (made.id, "Anna")
    assert not table.tray.waiting
    table.restart()
    last = table.session.timeline.log[-1]
    assert (last.extra.get("proposal"), last.by) == (made.id, "Anna")
    assert not table.tray.waiting


def test_a_proposal_that_is_in_never_enters_again_even_if_undone(table: Table) -> None:
    made = table.propose(build_shot(table), 3, 8)
    weighed = table.tray.weigh(made)
    table.tray.let_in(weighed)
    for undone in (False, True):
        if undone:
            table.session.enter("undo")
        with pytest.raises(OrderRefused, match="is already entered"):
            table.tray.let_in(table.tray.weigh(made))
        assert not table.tray.waiting
    table.restart()
    assert not table.tray.waiting


def test_a_proposal_is_computed_on_the_present_battle(table: Table) -> None:
    """Compare the result that the player saw with the result now."""
    line = build_shot(table)
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
    order = table.session.read(f"{build_shot(table)} 3 8").require_order()
    first = compute_result_digest(table.session.work_out(order))
    table.session.enter("note later")
    assert compute_result_digest(table.session.work_out(order)) == first != ""


def test_a_proposal_that_the_rules_refuse_stays_until_it_is_sent_back(table: Table) -> None:
    made = table.propose(build_shot(table), 13)
    weighed = table.tray.weigh(made)
    assert weighed.findings
    assert not weighed.as_shown
    with pytest.raises(OrderRefused):
        table.tray.let_in(weighed)
    assert list(table.tray.let_in_as_shown()) == []
    table.tray.send_back(made, "a D12 has no 13")
    assert not table.tray.waiting
    table.restart()
    assert table.tray.state.sent_back == {made.id: "a D12 has no 13"}


def test_two_equal_proposals_wait_for_the_umpire(table: Table) -> None:
    one, other = (table.propose(build_shot(table), 3, 8, by=by) for by in ("Anna", "Boris"))
    assert table.tray.weigh(one).rivals == ("Boris",)
    assert list(table.tray.let_in_as_shown()) == []
    table.tray.let_in(table.tray.weigh(other))
    assert table.tray.weigh(one).findings


def test_orders_of_one_declaration_and_remarks_of_two_are_no_rivals(table: Table) -> None:
    """Guard against two remarks that wait for the umpire because both are remarks."""
    tray = table.tray
    tray.open_round()
    for number, name in enumerate(("Anna", "Boris")):
        orders = (
            (f"note to all: {number}", build_shot(table), build_shot(table))
            if number
            else ("note to all: one",)
        )
        tray.declare_for(Proposal(f"{number:032x}", name.lower(), name, orders))
    tray.close_round()
    entered = list(tray.let_in_declared(build_round_key(table.session.battle)))
    assert len(entered) == 3
    (left,) = tray.waiting
    assert left.id == build_part_id(f"{1:032x}", 2)
    assert tray.weigh(left).findings


def test_an_owed_roll_enters_automatically_only_if_the_player_saw_it_unchanged(table: Table) -> None:
    """Compare its key, dice and need."""
    table.session.enter(build_shot(table))
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


def test_closed_declarations_enter_together_in_random_order(table: Table) -> None:
    tray, session = table.tray, table.session
    tray.open_round()
    with pytest.raises(OrderRefused, match="open already"):
        tray.open_round()
    key = build_round_key(session.battle)
    one = table.propose(build_shot(table), round=key)
    tray.declare_for(Proposal("f" * 32, "boris", "Boris", ("note to all",)))
    assert not tray.waiting
    table.restart()
    tray = table.tray
    assert tray.reveal_declaration("anna") == one
    tray.close_round()
    assert {each.id for each in tray.waiting} == {build_part_id(one.id, 0), build_part_id("f" * 32, 0)}
    assert len(list(tray.let_in_as_shown())) == 2
    assert [owed.declared_order.line for owed in table.session.battle.owed] == [build_shot(table)]
    with pytest.raises(OrderRefused, match="were closed"):
        tray.open_round()


def test_a_battle_without_a_save_has_no_tray() -> None:
    system, start = load_start("yellow-sea-1904")
    assert Tray.from_session(Session.begin(system, start)) is None


def test_the_news_of_a_tray_name_players_and_no_orders(table: Table) -> None:
    """Hide from followers of the save, too, how often a player changed a declaration."""
    seats = (("anna", "Anna"), ("boris", "Boris"))
    follower = Follower(table.save, find_our_systems())
    followed = FollowedTray(follower, table.save, follower.battle_id)
    table.propose(build_shot(table), 3, 8, by="Carla")
    table.tray.open_round()
    key = build_round_key(table.session.battle)
    table.propose(build_shot(table), round=key)
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
def test_a_player_cannot_propose_an_order_of_the_umpire(table: Table, line: str) -> None:
    """Guard against a phase that a player ends."""
    weighed = table.tray.weigh(table.propose(line))
    assert not weighed.accepted
    assert [finding.text for finding in weighed.findings] == ["only the umpire enters this"]


@pytest.mark.parametrize("dice", ["sealed", "console"])
def test_a_requested_throw_brings_no_faces(tmp_path: Path, dice: str) -> None:
    """Throw the console's dice as it enters; if a call throws them, enter nothing without a call."""
    table = Table(tmp_path, dice)
    shot = table.propose(build_shot(table))
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


def test_closed_declarations_that_had_not_entered_wait_after_a_restart(table: Table) -> None:
    """Restart between the reply and the first entry, and between two entries."""
    table.tray.open_round()
    key = build_round_key(table.session.battle)
    line = build_shot(table)
    for name, order in (("Anna", line), ("Boris", line.replace("mikasa", "asahi"))):
        table.propose(order, by=name, round=key)
    table.propose(line.replace("mikasa", "tsesarevich"), by="Carla", round=key)
    table.tray.close_round()
    table.restart()
    assert len(table.tray.waiting) == 3
    entering = table.tray.let_in_declared(key)
    first = next(entering)
    table.restart()
    assert len(table.tray.waiting) == 2
    rest = list(table.tray.let_in_declared(key))
    assert {first.act.by, *(each.act.by for each in rest)} == {"Anna", "Boris"}
    (left,) = table.tray.waiting
    assert left.by == "Carla"
    assert table.tray.weigh(left).findings
    assert len(table.session.battle.owed) == 2


@pytest.mark.parametrize(("dice", "declared"), [("console", False), ("sealed", False), ("table", True)])
def test_faces_are_taken_only_if_the_player_throws_them(tmp_path: Path, dice: str, declared: bool) -> None:
    """Refuse them if the console or a call throws, and in a declaration, whose dice come later."""
    table = Table(tmp_path, dice)
    key = ""
    if declared:
        table.tray.open_round()
        key = build_round_key(table.session.battle)
        table.propose(f"{build_shot(table)} 3 8", round=key)
        table.tray.close_round()
        assert list(table.tray.let_in_declared(key)) == []
    else:
        table.propose(build_shot(table), 3, 8)
    (made,) = table.tray.waiting
    assert not table.tray.weigh(made).accepted


def propose_for_ever(save: Path, tell: Tell) -> None:
    """Append proposals like the server, and tell each id once it is kept."""
    files = TrayFiles.from_save(save, read_save(save).first_sum)
    files.look()
    for number in count(len(files.state.proposals)):
        id = f"{number:032x}"
        files.tray.append(Proposal(id, "anna", "Anna", (f"note to all: {number}",)))
        tell(id)


def take_for_ever(save: Path, tell: Tell) -> None:
    """Let in, send back and close declarations like the console, phase after phase."""
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
def test_a_kill_at_any_moment_loses_nothing_and_enters_nothing_twice(
    tmp_path: Path, rounds: int, seed: int, share: Share
) -> None:
    """Kill server and console in turn by `kill -9`: between append and answer, answer and entry."""
    chance, told = Random(seed), set[str]()
    for round in share.take(range(rounds)):
        if round % ROUNDS_A_SAVE == 0:
            (tmp_path / str(round)).mkdir()
            table, told = Table(tmp_path / str(round)), set()
            table.leave()
        for work, least in ((propose_for_ever, 5), (take_for_ever, 6)):
            told |= set(run_until_killed(partial(work, table.save), least, chance.uniform(0, 0.02))) - {"in"}
        table.restart()
        entered = [act.extra["proposal"] for act in table.session.timeline.log if "proposal" in act.extra]
        waiting = {each.id for each in table.tray.waiting}
        assert len(entered) == len(set(entered))
        assert told <= {*entered, *waiting, *table.tray.state.sent_back}
        assert not waiting & {*entered, *table.tray.state.sent_back}
        table.leave()
