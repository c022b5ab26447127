"""Players' links: who has one, what it tells, what it takes, and what becomes of that."""

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
    NotTaken,
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
from tests.features.board.phone import Phone, order, told
from tests.features.board.served import served
from tests.features.sealed_dice.club import club
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

    def seat(self, id: str = "japan.anna") -> Seat:
        return next(seat for seat in self.hub.links.seats if seat.id == id)

    def changes(self, change: Callable[[Links], Links]) -> None:
        """The umpire does something at `B`."""
        links = change(self.hub.links)
        save_links(self.save, links)
        self.hub.look()
        assert self.hub.links == links

    def told(self, id: str = "japan.anna") -> dict[str, Any]:
        """What a seat is told."""
        self.hub.look()
        found = self.hub.encode_seat(self.seat(id), f"stream of {id}")
        assert found is not None
        made: dict[str, Any] = json.loads(found)
        return made

    def sends(self, whose: str = "japan.anna", device: str = DEVICE, **what: object) -> str:
        """A seat proposes; why it is not taken, or nothing."""
        self.hub.look()
        seat = self.seat(whose)
        body = {"token": compute_token(seat.secret), "device": device, "id": token_hex(16), **what}
        data = json.dumps(body, ensure_ascii=False).encode()
        work = self.hub.find_seat_work(seat)
        assert work is not None
        try:
            asyncio.run(self.hub.inbox.store_proposal(seat, data, work, self.hub.acts))
        except NotTaken as fault:
            return f"{fault.status} {fault.why}"
        self.hub.update_seats()
        self.tray.look()
        return ""

    @property
    def waiting(self) -> list[str]:
        """The lines that wait for the umpire."""
        return [each.line for each in self.tray.waiting]

    def lets_in(self) -> None:
        """The umpire lets the next in."""
        self.tray.look()
        self.tray.let_in(self.tray.weigh(self.tray.waiting[0]))


@contextmanager
def began(folder: Path, table: dict[str, Any] | None = None, scenario: str = EVERYBODYS) -> Iterator[Evening]:
    one = Evening(folder, table, scenario)
    yield one
    one.hub.close()
    one.tray.close()
    one.session.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with began(tmp_path) as one:
        yield one


# Who has one.


def test_each_player_has_a_seat_and_a_side_without_players_one(tmp_path: Path) -> None:
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
    anna, ben, emil = (evening.seat(id) for id in ("japan.anna", "japan.ben", "russia.emil"))
    assert "fuji" in links.list_ships(anna, battle)
    links = links.hand_ship("fuji", "japan.ben")
    anna, ben = (next(seat for seat in links.seats if seat.id == one.id) for one in (anna, ben))
    assert "fuji" not in links.list_ships(anna, battle)
    assert "fuji" in links.list_ships(ben, battle)
    links = links.hand_ship("fuji", "japan.anna").hand_ship("mikasa", emil.id)
    anna, emil = (next(seat for seat in links.seats if seat.id == one.id) for one in (anna, emil))
    assert "fuji" in links.list_ships(anna, battle)
    assert "mikasa" not in {*links.list_ships(anna, battle), *links.list_ships(emil, battle)}


def test_a_link_is_worth_nothing_while_it_is_off_or_once_it_is_revoked(evening: Evening) -> None:
    links, secret = evening.hub.links, evening.seat().secret
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
    evening.changes(lambda links: evolve(links, propose=False))
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


# What is read.

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
def test_what_no_page_sends_is_nothing(more: dict[str, Any]) -> None:
    assert read_posted(PostedProposal, json.dumps({**WHOLE, **more}).encode()) is None


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"7", b"null", b"{", b"\xff", b"[" * 4000, b'{"token":NaN}', b'{"token":"\\u0000"}']
)
def test_what_is_no_object_is_nothing(data: bytes) -> None:
    assert read_posted(PostedProposal, data) is None
    assert read_posted(SeatRequest, data) is None


# What it takes.

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
def test_an_order_waits_as_it_may_be_typed(evening: Evening, sent: dict[str, Any], line: str) -> None:
    assert evening.sends(**sent) == ""
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
    ({"handle": "0" * 16, "dice": [3]}, "400 this is not owed any more"),
    ({"orders": [SHOT], "device": "1f" * 16}, "404 "),
    ({"orders": [SHOT], "token": "1f" * 16}, "404 "),
]
SLOTS: list[tuple[dict[str, Any], str]] = [
    ({"range": "24in bow"}, "400 fire: this is not what"),
    ({"range": "24in 3 8"}, "400 fire"),
    ({"range": "99in"}, "400 99in is beyond"),
    ({"range": "24in", "more": "x"}, "400 fire: this is not what"),
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
def test_what_he_could_see_to_be_wrong_is_refused(evening: Evening, sent: dict[str, Any], why: str) -> None:
    assert evening.sends(**sent).startswith(why)
    assert evening.waiting == []


HOSTILE_TEXTS = ["<script>alert(1)</script>", "[/]", "{{ 7 * 7 }}", "'; --", "艦 " * 20, "force next", "../x"]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_texts_do_nothing(evening: Evening, text: str) -> None:
    """They are refused as what they are; only a remark is kept as it stands, for the umpire to read."""
    slots = dict(SHOT["slots"])
    sent: list[dict[str, Any]] = [
        {"orders": [order(text, "mikasa")]},
        {"orders": [order("fire", text, **slots)]},
        *({"orders": [order("fire", "mikasa", **{**slots, name: text})]} for name in (*slots, text)),
        {"handle": text, "words": [text]},
        {"orders": [SHOT], "round": text},
    ]
    for one in sent:
        assert evening.sends(**one)[:3] in ("400", "404")
    assert evening.sends(orders=[SHOT], remark=text) == ""
    assert [each.remark for each in evening.tray.waiting] == [text]


def test_a_range_that_somebody_measured_is_not_asked_for_again(evening: Evening) -> None:
    evening.session.enter("fire tsesarevich heavy mikasa 24in 11 11")
    slots = {slot["name"]: slot for slot in evening.told()["may"][0]["slots"]}
    assert slots["range"]["known"] == {"mikasa>tsesarevich": "24in"}
    assert slots["battery"]["by"] == {}
    assert evening.sends(orders=[order("fire", "mikasa", battery="heavy", target="tsesarevich")]) == ""
    assert evening.waiting == ["fire mikasa heavy tsesarevich 24in"]


def test_a_ship_is_offered_what_she_has_left(evening: Evening) -> None:
    evening.session.enter("fire mikasa heavy tsesarevich 24in 3 8")
    slots = {slot["name"]: slot for slot in evening.told()["may"][0]["slots"]}
    assert slots["battery"]["by"]["mikasa"] == ["light"]
    assert slots["battery"]["by"].get("fuji", ["heavy", "light"]) == ["heavy", "light"]
    assert [die["most"] for die in evening.told()["may"][0]["dice"]] == [12, 12]


@pytest.mark.parametrize("scenario", [EVERYBODYS, "tassafaronga-1942", "lissa-1811", "river-bend-1863"])
def test_an_order_whose_ships_throw_more_or_fewer_dice_says_so(scenario: str) -> None:
    """Catches a phone that asks every ship for the dice of the first one."""
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
    fire, boats = evening.told()["may"]
    assert (fire["more"], len(fire["dice"])) == (False, 2)
    assert (boats["more"], len(boats["dice"])) == (True, 1)
    sent = order("boats", "nisshin", target="vynoslivy")
    assert evening.sends(orders=[sent], dice=[3]) == "400 D12 still missing"
    assert evening.sends(orders=[order("boats", "nisshin", target="vynoslivy", points="1")], dice=[3]) == ""
    assert evening.sends(orders=[sent], dice=[3, 5]) == ""


@pytest.mark.parametrize("switch", BoardSwitch)
def test_an_owed_roll_is_answered_by_its_handle(evening: Evening, switch: BoardSwitch) -> None:
    """Its needs are told under the switch that shows them, and go with it."""
    evening.session.enter("fire mikasa heavy tsesarevich 24in")
    evening.changes(lambda links: evolve(links, switch=switch))
    owes = evening.told()["owes"]
    if switch is BoardSwitch.PHASE_END:
        assert owes == []
        return
    (owed,) = owes
    assert owed["ship"] == "Mikasa"
    assert bool(owed["needs"]) == (switch is BoardSwitch.AT_ONCE)
    assert evening.told("japan.ben")["owes"] == evening.told("russia.emil")["owes"] == []
    assert evening.sends("japan.ben", handle=owed["handle"], dice=[3, 8]).startswith("400")
    assert evening.sends(handle=owed["handle"]).startswith("400")
    assert evening.sends(handle=owed["handle"], dice=[13]).startswith(
        "400 a 13 on the black D12: its faces are"
    )
    assert evening.sends(handle=owed["handle"], dice=[3, 8], remark="at last") == ""
    (weighed,) = list(evening.tray.list_owed_as_seen())
    assert weighed.proposal.saw.needs == tuple(owed["needs"])
    assert weighed.proposal.remark == "at last"


def test_an_answer_to_what_was_shown_is_none_to_another_need(evening: Evening) -> None:
    """Catches faces typed on a phone that had not heard of a correction."""
    evening.session.enter("fire mikasa heavy tsesarevich 24in")
    (before,) = evening.told()["owes"]
    number = len(evening.session.timeline.log)
    evening.session.enter(f"amend {number} fire mikasa heavy tsesarevich 24in end")
    (after,) = evening.told()["owes"]
    assert (before["text"], before["dice"]) == (after["text"], after["dice"])
    assert before["needs"] != after["needs"]
    assert evening.sends(handle=before["handle"], dice=[3, 8]) == "400 this is not owed any more"
    assert evening.sends(handle=after["handle"], dice=[3, 8]) == ""


def test_an_answer_of_before_is_for_no_later_question(evening: Evening) -> None:
    """Catches a handle that two alike rolls of one phase share, one after the other."""
    evening.session.enter("mark mikasa fires +2")
    for _ in range(9):
        if any(owed["dice"] for owed in evening.told()["owes"]):
            break
        evening.session.enter("force next")
    handles = [owed["handle"] for owed in evening.told()["owes"]]
    assert len(set(handles)) == len(handles)
    evening.session.enter("roll 12")
    left = [owed["handle"] for owed in evening.told()["owes"]]
    assert handles[0] not in left


def test_the_consoles_dice_are_asked_for_and_never_typed(tmp_path: Path) -> None:
    with began(tmp_path, {"dice": "console"}) as evening:
        told = evening.told()
        assert told["dice"] == "console"
        assert told["may"][0]["dice"] == []
        assert evening.sends(orders=[SHOT], dice=[3, 8]) == "400 the console throws the dice"
        assert evening.sends(orders=[SHOT]) == ""
        evening.lets_in()
        assert evening.session.timeline.versions[evening.session.timeline.log[-1].number].dice


def test_sealed_dice_are_called_for_and_never_typed(tmp_path: Path) -> None:
    """Until their seed is revealed."""
    session = club(tmp_path / "sealed.qfb")
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


# What becomes of it.


def states(evening: Evening, id: str = "japan.anna") -> list[tuple[str, str]]:
    return [(one["state"], one["told"]) for one in evening.told(id)["proposals"]]


@pytest.mark.parametrize("switch", BoardSwitch)
def test_what_became_of_a_proposal_is_told_as_far_as_it_is_known(
    evening: Evening, switch: BoardSwitch
) -> None:
    evening.changes(lambda links: evolve(links, switch=switch))
    assert evening.sends(orders=[SHOT], dice=[3, 8]) == ""
    assert states(evening) == [("waiting", "")]
    assert evening.told()["proposals"][0]["text"] == "Mikasa heavy at Tsesarevich, 24″ · 3 8"
    evening.lets_in()
    at_once = switch is BoardSwitch.AT_ONCE
    ended = switch is BoardSwitch.PHASE_END
    ((state, outcome),) = states(evening)
    assert state == ("waiting" if ended else "in")
    assert ("Tsesarevich" in outcome) == at_once
    evening.session.enter("undo")
    assert states(evening) == [("waiting" if ended else "undone", "")]
    evening.session.enter("redo")
    evening.session.enter("force next")
    assert states(evening)[0][0] == "in"
    assert evening.told("japan.ben")["proposals"] == []


def test_what_was_corrected_says_so(evening: Evening) -> None:
    assert evening.sends(orders=[SHOT], dice=[3, 8]) == ""
    evening.lets_in()
    assert "corrected" not in evening.told()["proposals"][0]["told"]
    evening.session.enter(
        f"amend {len(evening.session.timeline.log)} fire mikasa heavy tsesarevich 24in 3 12"
    )
    (told,) = evening.told()["proposals"]
    assert told["text"].endswith("3 8")
    assert told["told"].startswith("corrected: Mikasa heavy at Tsesarevich, 24″ 3 12 · Mikasa: no hit")


def test_what_a_chart_says_is_not_corrected_by_being_entered(tmp_path: Path) -> None:
    """Catches a correction of nothing: the rules keep such an answer in more words than it was given in."""
    with began(tmp_path, scenario="tassafaronga-1942") as evening:
        evening.session.enter("look takanami fletcher 12in 4")
        (owed,) = evening.told("usa.usa")["owes"]
        assert evening.sends("usa.usa", handle=owed["handle"], words=["spotted"]) == ""
        evening.lets_in()
        (told,) = evening.told("usa.usa")["proposals"]
        assert (told["state"], "corrected" in told["told"]) == ("in", False)
        evening.session.enter(f"amend {len(evening.session.timeline.log)} answer {owed_key(evening)} nothing")
        (told,) = evening.told("usa.usa")["proposals"]
        assert told["told"].startswith("corrected: ")


def owed_key(evening: Evening) -> str:
    """What the last entry answered."""
    timeline = evening.session.timeline
    return timeline.versions[timeline.play_order[-1]].order.key


def test_several_ships_may_move_as_one(evening: Evening) -> None:
    for _ in range(5):
        evening.session.enter("force next")
    (move,) = (each for each in evening.told()["may"] if each["word"] == "move")
    assert (move["several"], len(move["ships"])) == (True, 6)
    assert evening.sends(orders=[order("move", "mikasa,asahi", distance="6")]) == ""
    assert evening.waiting == ["move mikasa,asahi 6"]
    own = order("move", "mikasa,asahi,fuji", distance="6", but="asahi 5, fuji 4.5in")
    assert evening.sends(orders=[own]) == ""
    assert evening.waiting[-1] == "move mikasa,asahi,fuji 6 but asahi 5, fuji 4.5in"
    assert "Mikasa, Asahi, Fuji 6 but Asahi 5, Fuji 4.5″" in evening.told()["proposals"][-1]["text"]
    for but in ("yakumo 5", "asahi 5, asahi 4", "asahi", "retvizan 5"):
        assert evening.sends(orders=[order("move", "mikasa,asahi", distance="6", but=but)]).startswith("400 ")
    for ships in ("mikasa,yakumo", "mikasa,mikasa", "mikasa,", "tsesarevich,retvizan"):
        assert evening.sends(orders=[order("move", ships, distance="6")]).startswith("400 ")


def test_what_is_sent_back_says_why(evening: Evening) -> None:
    assert evening.sends(orders=[SHOT], dice=[3, 8]) == ""
    evening.tray.send_back(evening.tray.waiting[0], "the white die was cocked")
    assert states(evening) == [("back", "the white die was cocked")]


def test_an_id_is_taken_once(evening: Evening) -> None:
    """Whether it waits, is in, or is struck; and what another sent is not told."""
    for step in ("", "let in", "undo", "again"):
        if step == "let in":
            evening.lets_in()
        elif step == "undo":
            evening.session.enter("undo")
        elif step == "again":
            find_tray_path(evening.save).unlink()
        elif not step:
            assert evening.sends("japan.ben", id="8" * 32, orders=[{**SHOT, "ship": "yakumo"}]) == ""
            assert evening.sends(id="8" * 32, orders=[SHOT]) == "404 "
            evening.tray.send_back(evening.tray.waiting[0], "no")
        assert evening.sends(id="7" * 32, orders=[SHOT], dice=[3, 8]) == ""
        assert evening.waiting == (["fire mikasa heavy tsesarevich 24in 3 8"] if not step else [])
    assert evening.sends("japan.ben", id="7" * 32, orders=[SHOT]) == "404 "
    assert len(evening.hub.inbox.state.proposals) == 2


def test_a_link_has_only_so_much_waiting(evening: Evening) -> None:
    save_links(evening.save, evening.hub.links)
    for _ in range(WAITING_MOST):
        assert evening.sends(orders=[SHOT], dice=[3, 8]) == ""
    assert evening.sends(orders=[SHOT], dice=[3, 8]).startswith("429 too much")
    assert evening.sends("japan.ben", orders=[{**SHOT, "ship": "yakumo"}]) == ""


def test_a_link_may_send_only_so_often(evening: Evening) -> None:
    answers = [evening.sends(handle="x", dice=[3]) for _ in range(BURST + 3)]
    assert answers[-1].startswith("429 too many at once")
    assert {answer[:3] for answer in answers[:BURST]} == {"400"}
    assert evening.sends("japan.ben", handle="x", dice=[3]).startswith("400")


def test_few_devices_ask_for_a_seat(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.inbox.BURST", 1000)
    seat, inbox = evening.seat(), evening.hub.inbox

    def asks(device: str) -> None:
        body = {"token": compute_token(seat.secret), "device": device}
        asyncio.run(inbox.store_request(seat, json.dumps(body).encode()))

    for at in range(DEVICES_MOST):
        asks(f"{at:032x}")
        asks(f"{at:032x}")
    with pytest.raises(NotTaken):
        asks("f" * 32)
    asks("0" * 32)
    seat = evolve(seat, secret="S" * 16)
    asks("f" * 32)
    asked = [item for item in inbox.state.tray if isinstance(item, DeviceAsked)]
    assert len(asked) == DEVICES_MOST + 1, "by another link another may ask"


def test_a_phone_is_never_shown_the_digits_of_another(evening: Evening) -> None:
    """Catches an umpire who compares digits that an eavesdropper's device had put on a player's phone."""
    evening.changes(lambda links: links.let_device_in("japan.anna", ""))
    seat, own, others = evening.seat(), compute_device_digest("0" * 32), compute_device_digest("1" * 32)
    assert evening.told()["device"] == "none"
    for stream in ("", "x", "stream of japan.ben"):
        evening.told("japan.ben")
        evening.hub.bind(seat, others, stream)
        assert (evening.told()["device"], evening.told()["code"]) == ("none", "")
        assert evening.told("japan.ben")["code"] == ""
    evening.hub.bind(seat, own, "stream of japan.anna")
    assert (evening.told()["device"], evening.told()["code"]) == ("waiting", format_device_code(own))
    evening.changes(lambda links: links.let_device_in("japan.anna", others))
    assert (evening.told()["device"], evening.told()["code"]) == ("other", format_device_code(own))


def test_another_board_that_holds_the_tray_is_named(evening: Evening) -> None:
    evening.hub.look()
    other = Hub(Follower(evening.save, find_our_systems()), evening.hub.links)
    other.look()
    assert "another board" in other.inbox.fault
    evening.hub, mine = other, evening.hub
    assert evening.sends(orders=[SHOT], dice=[3, 8]).startswith(
        "503 battle.qfb.tray cannot be written: another"
    )
    mine.close()
    other.inbox.look(evolve(other.links, propose=False), other.follower.battle_id)
    evening.hub.close()


def test_a_tray_that_is_full_takes_nothing(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    assert evening.sends(orders=[SHOT]) == ""
    monkeypatch.setattr("qf_tui.features.board.tray_files.TRAY_MOST", 600)
    answers = [evening.sends(orders=[SHOT], remark="x" * 100) for _ in range(3)]
    assert answers[-1].startswith("503")
    assert "is full" in answers[-1]


# Declarations.


def test_others_learn_who_has_declared_and_nothing_else(evening: Evening) -> None:
    assert evening.told()["round"] is None
    evening.tray.open_round()
    everybody = [seat.name for seat in evening.hub.links.seats]
    round = evening.told()["round"]
    assert (round["declared"], round["missing"]) == ([], everybody)
    assert str(evening.session.battle.opened) not in round["key"].split("/")[2:]
    heard: list[str] = []

    def others() -> str:
        return json.dumps([evening.told(id) for id in ("japan.ben", "russia.emil")])

    for orders in ([], [SHOT], [SHOT, {**SHOT, "ship": "fuji"}]):
        assert evening.sends(orders=orders, round=round["key"]) == ""
        (own,) = evening.told()["proposals"]
        assert (own["text"] == "no orders") == (not orders)
        heard.append(others())
        assert evening.told()["round"]["declared"] == ["Anna"]
        assert evening.told()["round"]["missing"] == everybody[1:]
    assert len(set(heard)) == 1
    assert evening.waiting == []
    evening.tray.close_round()
    assert evening.told()["round"] is None
    assert evening.waiting == ["fire mikasa heavy tsesarevich 24in", "fire fuji heavy tsesarevich 24in"]
    assert states(evening) == [("waiting", "")] * 2
    evening.lets_in()
    evening.lets_in()
    assert [state for state, _ in states(evening)] == ["in"] * 2


def test_each_order_of_a_declaration_has_its_own_fate(evening: Evening) -> None:
    """Catches orders of which one is let in and one sent back, both shown as sent back."""
    evening.tray.open_round()
    key = evening.told()["round"]["key"]
    orders = [SHOT, {**SHOT, "ship": "fuji"}, {**SHOT, "ship": "asahi"}]
    assert evening.sends(orders=orders, round=key) == ""
    (whole,) = evening.told()["proposals"]
    assert whole["state"] == "waiting"
    evening.tray.close_round()
    evening.lets_in()
    evening.tray.send_back(evening.tray.waiting[0], "41 not 90")
    told = evening.told()["proposals"]
    assert [one["id"].partition("/")[0] for one in told] == [whole["id"]] * 3
    ranged = "heavy at Tsesarevich, 24″"
    assert [one["text"] for one in told] == [f"{name} {ranged}" for name in ("Mikasa", "Fuji", "Asahi")]
    assert [one["state"] for one in told] == ["in", "back", "waiting"]
    assert "corrected" not in told[0]["told"]
    assert told[1]["told"] == "41 not 90"


def test_a_declaration_of_no_orders_is_in_as_declarations_close(evening: Evening) -> None:
    evening.tray.open_round()
    assert evening.sends(orders=[], round=evening.told()["round"]["key"]) == ""
    assert states(evening) == [("waiting", "")]
    evening.tray.close_round()
    assert states(evening) == [("in", "")]


def test_a_declaration_takes_as_much_reading_whatever_it_holds(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a server whose answers to others wait for as many orders as somebody declares."""
    evening.tray.open_round()
    key, lines = evening.told()["round"]["key"], list[str]()

    def counted(scope: Scope, text: str) -> Reading:
        lines.append(text)
        return read_line(scope, text)

    monkeypatch.setattr("qf_tui.features.board.inbox.read_line", counted)
    counts = set()
    other = {**SHOT, "ship": "fuji"}
    for orders in ([], [SHOT], [SHOT, other], [SHOT, other, SHOT], [SHOT] * 24):
        assert evening.sends(orders=orders, round=key) == ""
        counts.add(len(lines))
        lines.clear()
    assert counts == {24}


def test_a_declaration_has_no_dice_and_its_own_round(evening: Evening) -> None:
    evening.tray.open_round()
    key = evening.told()["round"]["key"]
    assert evening.sends(orders=[SHOT], dice=[3, 8], round=key).startswith("400 dice are thrown once")
    assert evening.sends(orders=[SHOT]).startswith("400 declarations are open")
    assert evening.sends(orders=[SHOT], round="7").startswith("400 these declarations are closed")
    assert evening.sends(orders=[{**SHOT, "ship": "yakumo"}], round=key).startswith("400 this ship")
    evening.tray.close_round()
    assert evening.sends(orders=[SHOT], round=key).startswith("400 these declarations are closed")


def test_a_declaration_is_changed_only_so_often(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qf_tui.features.board.inbox.BURST", 1000)
    evening.tray.open_round()
    key = evening.told()["round"]["key"]
    answers = [evening.sends(orders=[], round=key) for _ in range(DECLARED_MOST + 1)]
    assert (answers[-2], answers[-1][:3]) == ("", "429")


def test_a_ruined_proposal_is_told_of_as_far_as_it_is_read(evening: Evening) -> None:
    """Catches a page that a line of an older version breaks."""
    evening.hub.close()
    files = TrayFiles.from_save(evening.save, evening.hub.follower.battle_id)
    files.tray.append(Proposal("5" * 32, "japan.anna", "Anna", ("sail mikasa home",), (3,)))
    files.close()
    assert evening.told()["proposals"] == [{"id": "5" * 32, "state": "waiting", "text": "3", "told": ""}]


# Over the wire.


def test_a_phone_is_let_in_proposes_and_hears_what_became_of_it(tmp_path: Path) -> None:
    with began(tmp_path) as evening, served(evening.save, "--propose") as board:
        evening.hub.close()
        one, other = Phone(board, "japan.anna"), Phone(board, "japan.anna")
        with board.at(one.seat.secret) as stream:
            assert told(stream)["device"] == "none"
            assert one.proposes(orders=[SHOT]).status == 404
            assert one.asks(stream=stream.name).status == 204
            first = told(stream)
            assert (first["device"], len(first["code"])) == ("waiting", 4)
            one.let_in()
            assert told(stream)["device"] == "in"
            assert json.loads(one.proposes(orders=[SHOT], dice=[3, 8]).body) == {"state": "waiting"}
            assert told(stream)["proposals"][0]["state"] == "waiting"
            with board.at(other.seat.secret) as elsewhere:
                assert told(elsewhere)["device"] == "in"
                assert other.asks(stream=elsewhere.name).status == 204
                second = told(elsewhere)
                assert (second["device"], second["code"]) == (
                    "other",
                    format_device_code(compute_device_digest(other.device)),
                )
            assert other.proposes(orders=[SHOT]).status == 404
            with board.at(one.seat.secret) as again:
                assert told(again)["device"] == "in"
            evening.lets_in()
            assert told(stream)["proposals"][0]["state"] == "in"
            save_links(board.save, board.links.revoke_seat("japan.anna"))
            assert stream.ended(5)


# Killed.


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_a_board_that_is_killed_loses_nothing_and_takes_nothing_twice(evening: Evening, kills: int) -> None:
    """Whatever it had answered is in the tray; what a phone then sends again is there once."""
    evening.hub.close()
    save_links(evening.save, links := evening.hub.links)
    chance, sent = Random(kills), list[str]()
    for _ in range(kills):
        fresh = [f"{chance.getrandbits(128):032x}" for _ in range(WAITING_MOST)]

        def posts(tell: Tell, ids: tuple[str, ...] = (*sent[-3:], *fresh)) -> None:
            evening.hub = Hub(Follower(evening.save, find_our_systems()), links)
            for id in ids:
                assert evening.sends(id=id, orders=[SHOT], dice=[3, 8]) == ""
                tell(id)
            time.sleep(60)

        told = run_until_killed(posts, 1, chance.random() / 20)
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
