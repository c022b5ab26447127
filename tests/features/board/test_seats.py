"""Players' links: who has one, what it shows, what it takes, and what happens to proposals."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import pytest
from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import Scope
from qf_tui.core.grammar.reader import Reading, read_line
from qf_tui.core.system import list_possible_orders
from qf_tui.core.values import Die
from qf_tui.features.board.hub import Hub
from qf_tui.features.board.inbox import (
    BURST,
    DECLARED_MOST,
    DEVICES_MOST,
    MessageRefused,
    PostedProposal,
    SeatRequest,
    build_proposal,
    read_posted,
)
from qf_tui.features.board.links import (
    Links,
    Seat,
    compute_device_digest,
    compute_token,
    find_links_path,
    format_device_code,
    load_links,
    save_links,
)
from qf_tui.features.board.tray import Tray
from qf_tui.features.board.tray_files import (
    WAITING_MOST,
    DeviceAsked,
    Proposal,
    TrayFiles,
    TrayState,
    find_tray_path,
)
from qf_tui.features.board.values import BoardSwitch
from qf_tui.session import Session
from qf_tui.session.saves import Follower
from tests.features.board.phone import Phone, order, read_seat_state
from tests.features.board.served import run_board
from tests.features.sealed_dice.club import begin_club
from tests.killing import Tell, run_until_killed
from tests.systems import EVERYBODYS, find_our_systems, find_systems_and_books, load_start

DEVICE = "0f" * 16
SHOT = order("fire", "mikasa", battery="heavy", target="tsesarevich", range="24in")


class Evening:
    """A battle with a console and a board, and the phones of its players."""

    def __init__(self, folder: Path, table: dict[str, Any] | None = None, scenario: str = EVERYBODYS) -> None:
        self.save = folder / "battle.qfb"
        system, start = load_start(scenario)
        start = evolve(start, table={**start.table, **(table or {})}, began=None)
        self.session = Session.begin(system, start, self.save)
        self.session.enter("force next")
        links = Links(propose=True).add_sides(side.id for side in start.sides).add_seats(self.session.battle)
        for seat in links.seats:
            links = links.let_device_in(seat.id, compute_device_digest(DEVICE))
        self.hub = Hub(Follower(self.save, find_systems_and_books()), links)
        tray = Tray.from_session(self.session)
        assert tray is not None
        self.tray = tray

    def find_seat(self, id: str = "japan.anna") -> Seat:
        return next(seat for seat in self.hub.links.seats if seat.id == id)

    def change_links(self, change: Callable[[Links], Links]) -> None:
        """Change the links as the umpire does at `B`."""
        links = change(self.hub.links)
        save_links(self.save, links)
        self.hub.look()
        assert self.hub.links == links

    def read_seat_state(self, id: str = "japan.anna") -> dict[str, Any]:
        """Return the state that a seat is sent."""
        self.hub.look()
        found = self.hub.encode_seat(self.find_seat(id), f"stream of {id}")
        assert found is not None
        made: dict[str, Any] = json.loads(found)
        return made

    def propose(self, whose: str = "japan.anna", device: str = DEVICE, **what: object) -> str:
        """Propose from a seat; return why it is not taken, or ""."""
        self.hub.look()
        seat = self.find_seat(whose)
        body = {"token": compute_token(seat.secret), "device": device, "id": token_hex(16), **what}
        data = json.dumps(body, ensure_ascii=False).encode()
        work = self.hub.find_seat_work(seat)
        assert work is not None
        try:
            asyncio.run(self.hub.inbox.store_proposal(seat, data, work, self.hub.acts))
        except MessageRefused as fault:
            return f"{fault.status} {fault.why}"
        self.hub.update_seats()
        self.tray.look()
        return ""

    @property
    def waiting(self) -> list[str]:
        """The lines that wait for the umpire."""
        return [each.line for each in self.tray.waiting]

    def let_next_in(self) -> None:
        """Let the next proposal in, as the umpire does."""
        self.tray.look()
        self.tray.let_in(self.tray.weigh(self.tray.waiting[0]))


@contextmanager
def open_evening(
    folder: Path, table: dict[str, Any] | None = None, scenario: str = EVERYBODYS
) -> Iterator[Evening]:
    one = Evening(folder, table, scenario)
    yield one
    one.hub.close()
    one.tray.close()
    one.session.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with open_evening(tmp_path) as one:
        yield one


# Who has a seat.


def test_each_player_has_a_seat_and_each_side_without_players_one(tmp_path: Path) -> None:
    _, battle = load_start("yellow-sea-1904")
    seats = Links().add_seats(battle).seats
    assert [seat.id for seat in seats][:4] == ["japan.anna", "japan.ben", "japan.clara", "japan.david"]
    assert len({seat.secret for seat in seats}) == len(seats)
    nobody = tuple(
        evolve(side, divisions=tuple(evolve(each, player="") for each in side.divisions))
        for side in battle.sides
    )
    alone = evolve(battle, sides=nobody)
    links = Links().add_seats(alone)
    assert [(seat.id, seat.name) for seat in links.seats] == [
        ("japan.japan", "Japan"),
        ("russia.russia", "Russia"),
    ]
    own = {ship.id for ship in battle.ships.values() if ship.side == "japan"}
    assert set(links.list_ships(links.seats[0], alone)) == own
    assert links.add_seats(alone) == links


def test_ships_are_handed_one_by_one(evening: Evening) -> None:
    links, battle = evening.hub.links, evening.session.battle
    anna, ben, emil = (evening.find_seat(id) for id in ("japan.anna", "japan.ben", "russia.emil"))
    assert "fuji" in links.list_ships(anna, battle)
    links = links.hand_ship("fuji", "japan.ben")
    anna, ben = (next(seat for seat in links.seats if seat.id == one.id) for one in (anna, ben))
    assert "fuji" not in links.list_ships(anna, battle)
    assert "fuji" in links.list_ships(ben, battle)
    links = links.hand_ship("fuji", "japan.anna").hand_ship("mikasa", emil.id)
    anna, emil = (next(seat for seat in links.seats if seat.id == one.id) for one in (anna, emil))
    assert "fuji" in links.list_ships(anna, battle)
    assert "mikasa" not in {*links.list_ships(anna, battle), *links.list_ships(emil, battle)}


def test_a_link_is_invalid_while_it_is_off_or_once_it_is_revoked(evening: Evening) -> None:
    links, secret = evening.hub.links, evening.find_seat().secret
    found = links.find_seat(secret)
    assert found is not None
    assert evening.hub.find_viewer(secret) == "japan"
    assert evolve(links, propose=False).find_seat(secret) is None
    revoked = links.revoke_seat("japan.anna")
    assert revoked.find_seat(secret) is None
    other = revoked.seats[0]
    assert other.device == ""
    assert revoked.find_seat(other.secret) == other
    assert links.renew_secrets().find_seat(secret) is None
    evening.change_links(lambda links: evolve(links, propose=False))
    assert evening.hub.find_viewer(secret) is None


def test_links_are_kept_and_an_older_file_opens(tmp_path: Path) -> None:
    _, battle = load_start("yellow-sea-1904")
    save = tmp_path / "battle.qfb"
    links = Links(port=9, propose=True, rolls=True).add_sides(("japan", "russia")).add_seats(battle)
    links = links.hand_ship("fuji", "japan.ben").let_device_in("japan.anna", compute_device_digest(DEVICE))
    save_links(save, links)
    assert load_links(save) == links
    fields = json.loads(find_links_path(save).read_bytes())
    older = {name: fields[name] for name in ("switch", "port", "links")} | {"format": 1}
    find_links_path(save).write_text(json.dumps(older), encoding="utf-8")
    assert load_links(save) == Links(links.secrets, port=9)


def test_a_device_is_known_by_four_digits() -> None:
    codes = {format_device_code(compute_device_digest(token_hex(16))) for _ in range(40)}
    assert all(len(code) == 4 and code.isdigit() for code in codes)
    assert len(codes) > 30
    assert format_device_code("") == ""


# Bodies that are read.

WHOLE: dict[str, Any] = {"token": "0" * 32, "device": DEVICE, "id": "1" * 32}
BAD: list[dict[str, Any]] = [
    {},
    {"orders": [], "handle": "a"},
    {"handle": ""},
    {"orders": [SHOT], "more": 1},
    {"orders": [SHOT], "token": 7},
    {"orders": [SHOT], "stream": "x"},
    {"orders": [SHOT], "device": "0f"},
    {"orders": [SHOT], "id": "g" * 32},
    {"orders": [SHOT], "id": "1" * 33},
    {"orders": [SHOT], "dice": [True]},
    {"orders": [SHOT], "dice": [3.0]},
    {"orders": [SHOT], "dice": [-1]},
    {"orders": [SHOT], "dice": [101]},
    {"orders": [SHOT], "dice": [1] * 31},
    {"orders": [SHOT], "dice": "38"},
    {"orders": [SHOT], "remark": "x" * 201},
    {"orders": [SHOT], "remark": None},
    {"orders": [SHOT] * 25},
    {"orders": SHOT},
    {"orders": ["fire"]},
    {"orders": [{**SHOT, "by": "x"}]},
    {"orders": [{"word": "fire", "ship": "mikasa"}]},
    {"orders": [{**SHOT, "slots": {"range": {"a": 1}}}]},
    {"orders": [{**SHOT, "ship": ["mikasa"]}]},
    {"handle": "a", "words": [7]},
]


@pytest.mark.parametrize("more", BAD, ids=range(len(BAD)))
def test_a_body_that_no_page_sends_is_not_read(more: dict[str, Any]) -> None:
    assert read_posted(PostedProposal, json.dumps({**WHOLE, **more}).encode()) is None


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"7", b"null", b"{", b"\xff", b"[" * 4000, b'{"token":NaN}', b'{"token":"\\u0000"}']
)
def test_a_body_that_is_no_object_is_not_read(data: bytes) -> None:
    assert read_posted(PostedProposal, data) is None
    assert read_posted(SeatRequest, data) is None


# Proposals that a seat may make.

TAKEN: list[tuple[dict[str, Any], str]] = [
    ({"orders": [SHOT], "dice": [3, 8]}, "fire mikasa heavy tsesarevich 24in 3 8"),
    ({"orders": [SHOT]}, "fire mikasa heavy tsesarevich 24in"),
    (
        {"orders": [order("fire", "fuji", battery="light", target="pobeda", range="medium", end=True)]},
        "fire fuji light pobeda medium end",
    ),
    (
        {"orders": [order("fire", "fuji", battery="light", target="pobeda", range="medium", end=False)]},
        "fire fuji light pobeda medium",
    ),
    (
        {"orders": [order("fire", "fuji", battery="light", target="pobeda", range=" 3 in ")]},
        "fire fuji light pobeda 3in",
    ),
]


@pytest.mark.parametrize(("sent", "line"), TAKEN, ids=[line for _, line in TAKEN])
def test_an_order_waits_as_the_line_that_could_be_typed(
    evening: Evening, sent: dict[str, Any], line: str
) -> None:
    assert evening.propose(**sent) == ""
    assert evening.waiting == [line]
    assert evening.tray.weigh(evening.tray.waiting[0]).as_shown


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"orders": [{**SHOT, "ship": "yakumo"}]}, "400 this ship is not yours"),
    ({"orders": [{**SHOT, "ship": "tsesarevich"}]}, "400 this ship is not yours"),
    ({"orders": [{**SHOT, "ship": "mikasa,fuji"}]}, "400 this ship is not yours"),
    ({"orders": [{**SHOT, "ship": "mikasa fuji"}]}, "400 this ship is not yours"),
    ({"orders": [{**SHOT, "ship": ""}]}, "400 this ship is not yours"),
    ({"orders": [order("damage", "mikasa", codes="H")]}, "400 Mikasa may not do that now"),
    ({"orders": [order("mark", "mikasa", field="name", value="x")]}, "400 Mikasa may not do that now"),
    ({"orders": [order("next", "mikasa")]}, "400 Mikasa may not do that now"),
    ({"orders": [order("move", "mikasa", distance="3")]}, "400 Mikasa may not do that now"),
    ({"orders": [order("force fire", "mikasa")]}, "400 Mikasa may not do that now"),
    ({"orders": [order("undo", "mikasa")]}, "400 Mikasa may not do that now"),
    ({"orders": [SHOT, SHOT]}, "400 one order at a time"),
    ({"orders": []}, "400 one order at a time"),
    ({"orders": [SHOT], "dice": [13]}, "400 a 13 on the black D12"),
    ({"orders": [SHOT], "dice": [1, 1, 1, 1, 1]}, "400 too many dice"),
    ({"orders": [SHOT], "words": ["yes"]}, "400 only a question"),
    ({"orders": [SHOT], "round": "1"}, "400 these declarations are closed"),
    ({"orders": [SHOT], "at": "2/First gunnery"}, "400 it was for another phase"),
    ({"handle": "0" * 16, "dice": [3]}, "400 this is no longer owed"),
    ({"orders": [SHOT], "device": "1f" * 16}, "404 "),
    ({"orders": [SHOT], "token": "1f" * 16}, "404 "),
]
SLOTS: list[tuple[dict[str, Any], str]] = [
    ({"range": "24in bow"}, "400 fire: this does not fit its form"),
    ({"range": "24in 3 8"}, "400 fire"),
    ({"range": "99in"}, "400 99in is beyond"),
    ({"range": "24in", "more": "x"}, "400 fire: this does not fit its form"),
    ({"target": "nobody"}, "400 "),
    ({"target": "mikasa"}, "400 "),
    ({"target": "tsesarevich, pobeda"}, "400 "),
    ({"battery": "", "range": ""}, "400 fire: the battery is missing"),
    ({"battery": "heavy call 3"}, "400 "),
]


@pytest.mark.parametrize(
    ("sent", "why"),
    [*REFUSED, *(({"orders": [{**SHOT, "slots": {**SHOT["slots"], **each}}]}, why) for each, why in SLOTS)],
)
def test_an_error_that_the_player_could_see_is_refused(
    evening: Evening, sent: dict[str, Any], why: str
) -> None:
    said = evening.propose(**sent)
    assert said.startswith(why)
    assert "(" not in said, "no form for typing"
    assert evening.waiting == []


HOSTILE_TEXTS = ["<script>alert(1)</script>", "[/]", "{{ 7 * 7 }}", "'; --", "艦 " * 20, "force next", "../x"]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_texts_do_nothing(evening: Evening, text: str) -> None:
    """Refuse them like any wrong text; only a remark is kept verbatim, for the umpire to read."""
    slots = dict(SHOT["slots"])
    sent: list[dict[str, Any]] = [
        {"orders": [order(text, "mikasa")]},
        {"orders": [order("fire", text, **slots)]},
        *({"orders": [order("fire", "mikasa", **{**slots, name: text})]} for name in (*slots, text)),
        {"handle": text, "words": [text]},
        {"orders": [SHOT], "round": text},
    ]
    for one in sent:
        assert evening.propose(**one)[:3] in ("400", "404")
    assert evening.propose(orders=[SHOT], remark=text) == ""
    assert [each.remark for each in evening.tray.waiting] == [text]


def test_a_measured_range_is_not_asked_for_again(evening: Evening) -> None:
    evening.session.enter("fire tsesarevich heavy mikasa 24in 11 11")
    slots = {slot["name"]: slot for slot in evening.read_seat_state()["may"][0]["slots"]}
    assert slots["range"]["known"] == {"mikasa>tsesarevich": "24in"}
    assert slots["battery"]["by"] == {}
    assert evening.propose(orders=[order("fire", "mikasa", battery="heavy", target="tsesarevich")]) == ""
    assert evening.waiting == ["fire mikasa heavy tsesarevich 24in"]


def test_a_ship_is_offered_her_remaining_guns(evening: Evening) -> None:
    evening.session.enter("fire mikasa heavy tsesarevich 24in 3 8")
    slots = {slot["name"]: slot for slot in evening.read_seat_state()["may"][0]["slots"]}
    assert slots["battery"]["by"]["mikasa"] == ["light"]
    assert slots["battery"]["by"].get("fuji", ["heavy", "light"]) == ["heavy", "light"]
    assert [die["most"] for die in evening.read_seat_state()["may"][0]["dice"]] == [12, 12]


@pytest.mark.parametrize("scenario", [EVERYBODYS, "tassafaronga-1942", "lissa-1811", "river-bend-1863"])
def test_an_order_whose_ships_throw_more_or_fewer_dice_says_so(scenario: str) -> None:
    """Guard against a phone that asks each ship for the dice of the first one."""
    system, start = load_start(scenario)
    for form in system.forms:
        began, found = evolve(start, phase=(*form.phases, start.phase)[0]), set[tuple[Die, ...]]()
        for ship in start.ships.values():
            for each in islice(list_possible_orders(form, began, ship), 100):
                with suppress(OrderRefused):
                    found.add(system.prepare(began, each).dice)
        alike = {dice for dice in found if len({*dice}) == 1 and not dice[0].name}
        assert form.has_variable_dice or len(alike) < 2, form.word


def test_a_ship_throws_as_many_dice_as_she_has_guns(evening: Evening) -> None:
    fire, boats = evening.read_seat_state()["may"]
    assert (fire["more"], len(fire["dice"])) == (False, 2)
    assert (boats["more"], len(boats["dice"])) == (True, 1)
    sent = order("boats", "nisshin", target="vynoslivy")
    assert evening.propose(orders=[sent], dice=[3]) == "400 D12 still missing"
    assert evening.propose(orders=[order("boats", "nisshin", target="vynoslivy", points="1")], dice=[3]) == ""
    assert evening.propose(orders=[sent], dice=[3, 5]) == ""


@pytest.mark.parametrize("switch", BoardSwitch)
def test_an_owed_roll_is_answered_by_its_handle(evening: Evening, switch: BoardSwitch) -> None:
    """Show the roll's needs only under the switch that allows it, and keep them with the answer."""
    evening.session.enter("fire mikasa heavy tsesarevich 24in")
    evening.change_links(lambda links: evolve(links, switch=switch))
    owes = evening.read_seat_state()["owes"]
    if switch is BoardSwitch.PHASE_END:
        assert owes == []
        return
    (owed,) = owes
    assert owed["ship"] == "Mikasa"
    assert bool(owed["needs"]) == (switch is BoardSwitch.AT_ONCE)
    assert (
        evening.read_seat_state("japan.ben")["owes"] == evening.read_seat_state("russia.emil")["owes"] == []
    )
    assert evening.propose("japan.ben", handle=owed["handle"], dice=[3, 8]).startswith("400")
    assert evening.propose(handle=owed["handle"]).startswith("400")
    assert evening.propose(handle=owed["handle"], dice=[13]).startswith(
        "400 a 13 on the black D12: its faces are"
    )
    assert evening.propose(handle=owed["handle"], dice=[3, 8], remark="at last") == ""
    (weighed,) = list(evening.tray.list_owed_as_seen())
    assert weighed.proposal.saw.needs == tuple(owed["needs"])
    assert weighed.proposal.remark == "at last"


def test_an_answer_counts_only_for_the_need_that_was_shown(evening: Evening) -> None:
    """Guard against faces typed on a phone that had not received a correction."""
    evening.session.enter("fire mikasa heavy tsesarevich 24in")
    (before,) = evening.read_seat_state()["owes"]
    number = len(evening.session.timeline.log)
    evening.session.enter(f"amend {number} fire mikasa heavy tsesarevich 24in end")
    (after,) = evening.read_seat_state()["owes"]
    assert (before["text"], before["dice"]) == (after["text"], after["dice"])
    assert before["needs"] != after["needs"]
    assert evening.propose(handle=before["handle"], dice=[3, 8]) == "400 this is no longer owed"
    assert evening.propose(handle=after["handle"], dice=[3, 8]) == ""


def test_an_answer_counts_for_no_later_question(evening: Evening) -> None:
    """Guard against a handle that two equal rolls of one phase share, one after the other."""
    evening.session.enter("mark mikasa fires +2")
    for _ in range(9):
        if any(owed["dice"] for owed in evening.read_seat_state()["owes"]):
            break
        evening.session.enter("force next")
    handles = [owed["handle"] for owed in evening.read_seat_state()["owes"]]
    assert len(set(handles)) == len(handles)
    evening.session.enter("roll 12")
    left = [owed["handle"] for owed in evening.read_seat_state()["owes"]]
    assert handles[0] not in left


def test_the_consoles_dice_are_requested_and_never_typed(tmp_path: Path) -> None:
    with open_evening(tmp_path, {"dice": "console"}) as evening:
        told = evening.read_seat_state()
        assert told["dice"] == "console"
        assert told["may"][0]["dice"] == []
        assert evening.propose(orders=[SHOT], dice=[3, 8]) == "400 the console throws the dice"
        assert evening.propose(orders=[SHOT]) == ""
        evening.let_next_in()
        assert evening.session.timeline.versions[evening.session.timeline.log[-1].number].dice


def test_sealed_dice_are_requested_and_not_typed_before_their_reveal(tmp_path: Path) -> None:
    session = begin_club(tmp_path / "sealed.qfb")
    session.enter("next")
    links = Links(propose=True).add_seats(session.battle)
    seat = next(seat for seat in links.seats if "iwate" in links.list_ships(seat, session.battle))
    hub = Hub(Follower(tmp_path / "sealed.qfb", find_our_systems()), links)
    fire = ("fire", "iwate", {"battery": "heavy", "target": "rossiya", "range": "medium"})
    for revealed in (False, True):
        if revealed:
            session.enter("reveal")
            hub.look()
        work = hub.find_seat_work(seat)
        assert work is not None
        assert work.dice == ("table" if revealed else "sealed")
        bare = PostedProposal("", "", "0" * 32, orders=(fire,))
        assert build_proposal(work, seat, bare, TrayState()).dice == ()
        typed = PostedProposal("", "", "0" * 32, orders=(fire,), dice=(3, 8))
        with nullcontext() if revealed else pytest.raises(OrderRefused, match="throws"):
            assert build_proposal(work, seat, typed, TrayState()).dice == (3, 8)
    session.close()


# The fate of proposals.


def list_states(evening: Evening, id: str = "japan.anna") -> list[tuple[str, str]]:
    return [(one["state"], one["told"]) for one in evening.read_seat_state(id)["proposals"]]


@pytest.mark.parametrize("switch", BoardSwitch)
def test_the_fate_of_a_proposal_is_shown_as_far_as_its_player_may_know(
    evening: Evening, switch: BoardSwitch
) -> None:
    evening.change_links(lambda links: evolve(links, switch=switch))
    assert evening.propose(orders=[SHOT], dice=[3, 8]) == ""
    assert list_states(evening) == [("waiting", "")]
    assert evening.read_seat_state()["proposals"][0]["text"] == "Mikasa heavy at Tsesarevich, 24″ · 3 8"
    evening.let_next_in()
    at_once = switch is BoardSwitch.AT_ONCE
    ended = switch is BoardSwitch.PHASE_END
    ((state, outcome),) = list_states(evening)
    assert state == ("waiting" if ended else "in")
    assert ("Tsesarevich" in outcome) == at_once
    evening.session.enter("undo")
    assert list_states(evening) == [("waiting" if ended else "undone", "")]
    evening.session.enter("redo")
    evening.session.enter("force next")
    assert list_states(evening)[0][0] == "in"
    assert evening.read_seat_state("japan.ben")["proposals"] == []


def test_a_corrected_proposal_says_so(evening: Evening) -> None:
    assert evening.propose(orders=[SHOT], dice=[3, 8]) == ""
    evening.let_next_in()
    assert "corrected" not in evening.read_seat_state()["proposals"][0]["told"]
    evening.session.enter(
        f"amend {len(evening.session.timeline.log)} fire mikasa heavy tsesarevich 24in 3 12"
    )
    (told,) = evening.read_seat_state()["proposals"]
    assert told["text"].endswith("3 8")
    assert told["told"].startswith("corrected: Mikasa heavy at Tsesarevich, 24″ 3 12 · Mikasa: no hit")


def test_an_answer_that_the_rules_reword_is_not_shown_as_corrected(tmp_path: Path) -> None:
    """Guard against a false correction: the rules store such an answer in more words than were typed."""
    with open_evening(tmp_path, scenario="tassafaronga-1942") as evening:
        evening.session.enter("look takanami fletcher 12in 4")
        (owed,) = evening.read_seat_state("usa.usa")["owes"]
        assert evening.propose("usa.usa", handle=owed["handle"], words=["spotted"]) == ""
        evening.let_next_in()
        (told,) = evening.read_seat_state("usa.usa")["proposals"]
        assert (told["state"], "corrected" in told["told"]) == ("in", False)
        evening.session.enter(
            f"amend {len(evening.session.timeline.log)} answer {find_answered_key(evening)} nothing"
        )
        (told,) = evening.read_seat_state("usa.usa")["proposals"]
        assert told["told"].startswith("corrected: ")


def find_answered_key(evening: Evening) -> str:
    """Return the key of the question that the last entry answered."""
    timeline = evening.session.timeline
    return timeline.versions[timeline.play_order[-1]].order.key


def test_several_ships_may_move_as_one(evening: Evening) -> None:
    for _ in range(5):
        evening.session.enter("force next")
    (move,) = (each for each in evening.read_seat_state()["may"] if each["word"] == "move")
    assert (move["several"], len(move["ships"])) == (True, 6)
    assert evening.propose(orders=[order("move", "mikasa,asahi", distance="6")]) == ""
    assert evening.waiting == ["move mikasa,asahi 6"]
    own = order("move", "mikasa,asahi,fuji", distance="6", but="asahi 5, fuji 4.5in")
    assert evening.propose(orders=[own]) == ""
    assert evening.waiting[-1] == "move mikasa,asahi,fuji 6 but asahi 5, fuji 4.5in"
    assert (
        "Mikasa, Asahi, Fuji 6 but Asahi 5, Fuji 4.5″" in evening.read_seat_state()["proposals"][-1]["text"]
    )
    for but in ("yakumo 5", "asahi 5, asahi 4", "asahi", "retvizan 5"):
        assert evening.propose(orders=[order("move", "mikasa,asahi", distance="6", but=but)]).startswith(
            "400 "
        )
    for ships in ("mikasa,yakumo", "mikasa,mikasa", "mikasa,", "tsesarevich,retvizan"):
        assert evening.propose(orders=[order("move", ships, distance="6")]).startswith("400 ")


def test_a_returned_proposal_says_why(evening: Evening) -> None:
    assert evening.propose(orders=[SHOT], dice=[3, 8]) == ""
    evening.tray.send_back(evening.tray.waiting[0], "the white die was cocked")
    assert list_states(evening) == [("back", "the white die was cocked")]


def test_an_id_is_taken_once(evening: Evening) -> None:
    """Take it once while it waits, is in, or is undone; reveal nothing about another seat's id."""
    for step in ("", "let in", "undo", "again"):
        if step == "let in":
            evening.let_next_in()
        elif step == "undo":
            evening.session.enter("undo")
        elif step == "again":
            find_tray_path(evening.save).unlink()
        elif not step:
            assert evening.propose("japan.ben", id="8" * 32, orders=[{**SHOT, "ship": "yakumo"}]) == ""
            assert evening.propose(id="8" * 32, orders=[SHOT]) == "404 "
            evening.tray.send_back(evening.tray.waiting[0], "no")
        assert evening.propose(id="7" * 32, orders=[SHOT], dice=[3, 8]) == ""
        assert evening.waiting == (["fire mikasa heavy tsesarevich 24in 3 8"] if not step else [])
    assert evening.propose("japan.ben", id="7" * 32, orders=[SHOT]) == "404 "
    assert len(evening.hub.inbox.state.proposals) == 2


def test_a_link_may_have_only_some_proposals_waiting(evening: Evening) -> None:
    save_links(evening.save, evening.hub.links)
    for _ in range(WAITING_MOST):
        assert evening.propose(orders=[SHOT], dice=[3, 8]) == ""
    assert evening.propose(orders=[SHOT], dice=[3, 8]).startswith("429 too many of")
    assert evening.propose("japan.ben", orders=[{**SHOT, "ship": "yakumo"}]) == ""


def test_a_link_may_send_only_some_posts_at_once(evening: Evening) -> None:
    answers = [evening.propose(handle="x", dice=[3]) for _ in range(BURST + 3)]
    assert answers[-1].startswith("429 too many at once")
    assert {answer[:3] for answer in answers[:BURST]} == {"400"}
    assert evening.propose("japan.ben", handle="x", dice=[3]).startswith("400")


def test_only_a_few_devices_may_ask_for_a_seat(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.inbox.BURST", 1000)
    seat, inbox = evening.find_seat(), evening.hub.inbox

    def ask(device: str) -> None:
        body = {"token": compute_token(seat.secret), "device": device}
        asyncio.run(inbox.store_request(seat, json.dumps(body).encode()))

    for at in range(DEVICES_MOST):
        ask(f"{at:032x}")
        ask(f"{at:032x}")
    with pytest.raises(MessageRefused):
        ask("f" * 32)
    ask("0" * 32)
    seat = evolve(seat, secret="S" * 16)
    ask("f" * 32)
    asked = [item for item in inbox.state.tray if isinstance(item, DeviceAsked)]
    assert len(asked) == DEVICES_MOST + 1, "by another link another may ask"


def test_a_phone_never_shows_the_code_of_another(evening: Evening) -> None:
    """Guard against an umpire who compares a code that an eavesdropper's device put on a player's phone."""
    evening.change_links(lambda links: links.let_device_in("japan.anna", ""))
    seat, own, others = evening.find_seat(), compute_device_digest("0" * 32), compute_device_digest("1" * 32)
    assert evening.read_seat_state()["device"] == "none"
    for stream in ("", "x", "stream of japan.ben"):
        evening.read_seat_state("japan.ben")
        evening.hub.record_device(seat, others, stream)
        assert (evening.read_seat_state()["device"], evening.read_seat_state()["code"]) == ("none", "")
        assert evening.read_seat_state("japan.ben")["code"] == ""
    evening.hub.record_device(seat, own, "stream of japan.anna")
    assert (evening.read_seat_state()["device"], evening.read_seat_state()["code"]) == (
        "waiting",
        format_device_code(own),
    )
    evening.change_links(lambda links: links.let_device_in("japan.anna", others))
    assert (evening.read_seat_state()["device"], evening.read_seat_state()["code"]) == (
        "other",
        format_device_code(own),
    )


def test_another_board_that_holds_the_tray_is_named(evening: Evening) -> None:
    evening.hub.look()
    other = Hub(Follower(evening.save, find_our_systems()), evening.hub.links)
    other.look()
    assert "another board" in other.inbox.fault
    evening.hub, mine = other, evening.hub
    assert evening.propose(orders=[SHOT], dice=[3, 8]).startswith(
        "503 battle.qfb.tray cannot be written: another"
    )
    mine.close()
    other.inbox.look(evolve(other.links, propose=False), other.follower.battle_id)
    evening.hub.close()


def test_a_tray_that_is_full_takes_nothing(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    assert evening.propose(orders=[SHOT]) == ""
    monkeypatch.setattr("qf_tui.features.board.tray_files.TRAY_MOST", 600)
    answers = [evening.propose(orders=[SHOT], remark="x" * 100) for _ in range(3)]
    assert answers[-1].startswith("503")
    assert "is full" in answers[-1]


# Declarations.


def test_others_learn_only_who_has_declared(evening: Evening) -> None:
    assert evening.read_seat_state()["round"] is None
    evening.tray.open_round()
    everybody = [seat.name for seat in evening.hub.links.seats]
    round = evening.read_seat_state()["round"]
    assert (round["declared"], round["missing"]) == ([], everybody)
    assert str(evening.session.battle.opened) not in round["key"].split("/")[2:]
    heard: list[str] = []

    def read_others() -> str:
        return json.dumps([evening.read_seat_state(id) for id in ("japan.ben", "russia.emil")])

    for orders in ([], [SHOT], [SHOT, {**SHOT, "ship": "fuji"}]):
        assert evening.propose(orders=orders, round=round["key"]) == ""
        (own,) = evening.read_seat_state()["proposals"]
        assert (own["text"] == "no orders") == (not orders)
        heard.append(read_others())
        assert evening.read_seat_state()["round"]["declared"] == ["Anna"]
        assert evening.read_seat_state()["round"]["missing"] == everybody[1:]
    assert len(set(heard)) == 1
    assert evening.waiting == []
    evening.tray.close_round()
    assert evening.read_seat_state()["round"] is None
    assert evening.waiting == ["fire mikasa heavy tsesarevich 24in", "fire fuji heavy tsesarevich 24in"]
    assert list_states(evening) == [("waiting", "")] * 2
    evening.let_next_in()
    evening.let_next_in()
    assert [state for state, _ in list_states(evening)] == ["in"] * 2


def test_each_order_of_a_declaration_has_its_own_fate(evening: Evening) -> None:
    """Guard against two orders that both show as sent back when only one was."""
    evening.tray.open_round()
    key = evening.read_seat_state()["round"]["key"]
    orders = [SHOT, {**SHOT, "ship": "fuji"}, {**SHOT, "ship": "asahi"}]
    assert evening.propose(orders=orders, round=key) == ""
    (whole,) = evening.read_seat_state()["proposals"]
    assert whole["state"] == "waiting"
    evening.tray.close_round()
    evening.let_next_in()
    evening.tray.send_back(evening.tray.waiting[0], "41 not 90")
    told = evening.read_seat_state()["proposals"]
    assert [one["id"].partition("/")[0] for one in told] == [whole["id"]] * 3
    ranged = "heavy at Tsesarevich, 24″"
    assert [one["text"] for one in told] == [f"{name} {ranged}" for name in ("Mikasa", "Fuji", "Asahi")]
    assert [one["state"] for one in told] == ["in", "back", "waiting"]
    assert "corrected" not in told[0]["told"]
    assert told[1]["told"] == "41 not 90"


def test_a_declaration_of_no_orders_is_in_as_declarations_close(evening: Evening) -> None:
    evening.tray.open_round()
    assert evening.propose(orders=[], round=evening.read_seat_state()["round"]["key"]) == ""
    assert list_states(evening) == [("waiting", "")]
    evening.tray.close_round()
    assert list_states(evening) == [("in", "")]


def test_every_declaration_takes_the_same_number_of_readings(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a server that delays others by the number of declared orders."""
    evening.tray.open_round()
    key, lines = evening.read_seat_state()["round"]["key"], list[str]()

    def count_readings(scope: Scope, text: str) -> Reading:
        lines.append(text)
        return read_line(scope, text)

    monkeypatch.setattr("qf_tui.features.board.inbox.read_line", count_readings)
    counts = set()
    other = {**SHOT, "ship": "fuji"}
    for orders in ([], [SHOT], [SHOT, other], [SHOT, other, SHOT], [SHOT] * 24):
        assert evening.propose(orders=orders, round=key) == ""
        counts.add(len(lines))
        lines.clear()
    assert counts == {24}


def test_a_declaration_needs_its_own_round_and_takes_no_dice(evening: Evening) -> None:
    evening.tray.open_round()
    key = evening.read_seat_state()["round"]["key"]
    assert evening.propose(orders=[SHOT], dice=[3, 8], round=key).startswith("400 dice are thrown after")
    assert evening.propose(orders=[SHOT]).startswith("400 declarations are open")
    assert evening.propose(orders=[SHOT], round="7").startswith("400 these declarations are closed")
    assert evening.propose(orders=[{**SHOT, "ship": "yakumo"}], round=key).startswith("400 this ship")
    evening.tray.close_round()
    assert evening.propose(orders=[SHOT], round=key).startswith("400 these declarations are closed")


def test_a_declaration_may_change_only_some_times(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.inbox.BURST", 1000)
    evening.tray.open_round()
    key = evening.read_seat_state()["round"]["key"]
    answers = [evening.propose(orders=[], round=key) for _ in range(DECLARED_MOST + 1)]
    assert (answers[-2], answers[-1][:3]) == ("", "429")


def test_an_unreadable_proposal_is_shown_as_far_as_it_is_read(evening: Evening) -> None:
    """Guard against a page that fails on a line of an older version."""
    evening.hub.close()
    files = TrayFiles.from_save(evening.save, evening.hub.follower.battle_id)
    files.tray.append(Proposal("5" * 32, "japan.anna", "Anna", ("sail mikasa home",), (3,)))
    files.close()
    assert evening.read_seat_state()["proposals"] == [
        {"id": "5" * 32, "state": "waiting", "text": "3", "told": ""}
    ]


# Over the network.


def test_a_phone_is_let_in_proposes_and_sees_the_decision(tmp_path: Path) -> None:
    with open_evening(tmp_path) as evening, run_board(evening.save, "--propose") as board:
        evening.hub.close()
        one, other = Phone(board, "japan.anna"), Phone(board, "japan.anna")
        with board.follow_secret(one.seat.secret) as stream:
            assert read_seat_state(stream)["device"] == "none"
            assert one.propose(orders=[SHOT]).status == 404
            assert one.ask(stream=stream.name).status == 204
            first = read_seat_state(stream)
            assert (first["device"], len(first["code"])) == ("waiting", 4)
            one.let_in()
            assert read_seat_state(stream)["device"] == "in"
            assert json.loads(one.propose(orders=[SHOT], dice=[3, 8]).body) == {"state": "waiting"}
            assert read_seat_state(stream)["proposals"][0]["state"] == "waiting"
            with board.follow_secret(other.seat.secret) as elsewhere:
                assert read_seat_state(elsewhere)["device"] == "in"
                assert other.ask(stream=elsewhere.name).status == 204
                second = read_seat_state(elsewhere)
                assert (second["device"], second["code"]) == (
                    "other",
                    format_device_code(compute_device_digest(other.device)),
                )
            assert other.propose(orders=[SHOT]).status == 404
            with board.follow_secret(one.seat.secret) as again:
                assert read_seat_state(again)["device"] == "in"
            evening.let_next_in()
            assert read_seat_state(stream)["proposals"][0]["state"] == "in"
            save_links(board.save, board.links.revoke_seat("japan.anna"))
            assert stream.has_ended(5)


# Kills.


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_a_killed_board_loses_nothing_and_takes_nothing_twice(evening: Evening, kills: int) -> None:
    """Keep each confirmed proposal in the tray, and once only if the phone sends it again."""
    evening.hub.close()
    save_links(evening.save, links := evening.hub.links)
    chance, sent = Random(kills), list[str]()
    for _ in range(kills):
        fresh = [f"{chance.getrandbits(128):032x}" for _ in range(WAITING_MOST)]

        def post(tell: Tell, ids: tuple[str, ...] = (*sent[-3:], *fresh)) -> None:
            evening.hub = Hub(Follower(evening.save, find_our_systems()), links)
            for id in ids:
                assert evening.propose(id=id, orders=[SHOT], dice=[3, 8]) == ""
                tell(id)
            time.sleep(60)

        told = run_until_killed(post, 1, chance.random() / 20)
        evening.hub = Hub(Follower(evening.save, find_our_systems()), links)
        evening.hub.look()
        kept = [item.id for item in evening.hub.inbox.state.tray if isinstance(item, Proposal)]
        assert len(set(kept)) == len(kept)
        assert set(told) <= set(kept)
        evening.tray.look()
        for proposal in evening.tray.waiting:
            evening.tray.send_back(proposal, "again")
        evening.hub.close()
        sent = kept
