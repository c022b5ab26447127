"""Text into orders.

What is read, what is refused and with which words, and that the log's text reads the same.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.builtin_forms import all_forms, vocabulary_of
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.grammar.names import Reach, Scope
from qf_tui.core.grammar.reader import read as read_line
from qf_tui.core.text import Distance
from qf_tui.core.values import Battle, Form, Order, Slot, SlotValue
from tests.core.playing import battle, ship
from tests.core.reading import parse
from tests.tiny import SYSTEM

FLEET = (
    ship("red-lion", name="HMS [Red] Lion"),
    ship("slash", name="[/"),
    ship("kongo", "south", name="艦 Kongō"),
    ship("asahi", name="Asahi"),
    ship("asahi-2", name="Asahi Maru"),
    ship("fuji", "south", name="Fuji, the old one"),
)
ARRIVING = (ship("lion", name="Sea Lion"), ship("tiger", name="Tiger"))
BATTLE = battle(*FLEET, reserve=ARRIVING)
METRIC = battle(*FLEET, units="metric")


def read(text: str, on: Battle = BATTLE) -> Order:
    """An order of the tiny system."""
    return read_line(Scope(vocabulary_of(SYSTEM), on, arrivals=lambda: on.reserve), text).complete()


def refusal(text: str, on: Battle = BATTLE) -> str:
    """What is said against an order."""
    with pytest.raises(OrderRefused) as refused:
        read(text, on)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("tend red-lion", "red-lion"),
        ("tend RED", "red-lion"),
        ("tend hms", "red-lion"),
        ("tend HMS [Red] Lion", "red-lion"),
        ("tend hms [red]", "red-lion"),
        ("tend [/", "slash"),
        ("tend 艦 Kongō", "kongo"),
        ("tend 艦", "kongo"),
        ("tend asahi", "asahi"),
        ("tend asahi-", "asahi-2"),
        ("tend f", "fuji"),
        ("tend Fuji , the old", "fuji"),
    ],
)
def test_a_ship_is_named_by_any_beginning_and_an_exact_id_wins(text: str, id: str) -> None:
    assert read(text).text("ship") == id


@pytest.mark.parametrize(
    ("text", "ships"),
    [
        ("sail asahi,kongo 3", ("asahi", "kongo")),
        ("sail asahi , kongo 3", ("asahi", "kongo")),
        ("sail hms [red] lion, 艦 Kongō,f 3", ("red-lion", "kongo", "fuji")),
        ("sail asahi,asahi 3", ("asahi",)),
        ("sail @south 3", ("kongo", "fuji")),
        ("sail @SOUTH-ONE 3", ("kongo", "fuji")),
    ],
)
def test_ships_are_listed_with_commas_or_by_their_division(text: str, ships: tuple[str, ...]) -> None:
    order = read(text)
    assert order.many("ships") == ships
    assert order.number("boxes") == 3


@pytest.mark.parametrize(
    ("text", "slots", "dice"),
    [
        ("shoot asahi kongo", {}, ()),
        ("shoot asahi kongo 5 6", {}, (5, 6)),
        ("shoot asahi kongo 5,6", {}, (5, 6)),
        ("shoot asahi kongo 5 , 6", {}, (5, 6)),
        ("SHOOT asahi kongo FAR RAKING 5", {"range": "far", "raking": True}, (5,)),
        ("shoot asahi kongo n 5", {"range": "near"}, (5,)),
        ("shoot asahi kongo raking 5", {"raking": True}, (5,)),
        ("shoot asahi kongo 4.5in 1 2", {"range": Distance(Fraction(9, 2), "in")}, (1, 2)),
        ("shoot asahi kongo 4½in 1 2", {"range": Distance(Fraction(9, 2), "in")}, (1, 2)),
        ("shoot asahi kongo .25IN", {"range": Distance(Fraction(1, 4), "in")}, ()),
        ("sail asahi 3 turns 2", {"boxes": 3, "turns": 2}, ()),
        ("roll 12/blaze/kongo/1 4", {"key": "12/blaze/kongo/1"}, (4,)),
        ("roll 4", {}, (4,)),
        ("answer port", {"words": ("port",)}, ()),
        ("answer 3/side/kongo/1 S, G", {"key": "3/side/kongo/1", "words": ("S", "G")}, ()),
        ("note Lion, hit , twice", {"text": ("Lion,", "hit", ",", "twice")}, ()),
        ("mark asahi leak port, starboard", {"field": "leak", "value": ("port,", "starboard")}, ()),
        ("join north Sea Lion, tiger", {"side": "north", "ships": ("lion", "tiger")}, ()),
        ("join n tiger sea tiger", {"side": "north", "ships": ("tiger", "lion")}, ()),
    ],
)
def test_slots_are_filled_and_dice_come_last(
    text: str, slots: dict[str, SlotValue], dice: tuple[int, ...]
) -> None:
    order = read(text)
    assert {name: order.slots.get(name) for name in slots} == slots
    assert order.dice == dice


@pytest.mark.parametrize("text", ["112mm", "11.2cm"])
def test_a_metric_battle_is_measured_in_millimetres_or_centimetres(text: str) -> None:
    measured = read(f"shoot asahi kongo {text}", METRIC).slots["range"]
    assert isinstance(measured, Distance)
    assert measured.to("mm") == 112


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty order"),
        (" \t ", "empty order"),
        ("sial asahi 3", "no order “sial”"),
        ("sa asahi 3", "did you mean sail"),
        ("tend", "the ship is missing"),
        ("tend xyz", "no ship “xyz”"),
        ("tend lion", "did you mean red-lion"),
        ("tend kongoo", "no ship “kongoo”; did you mean kongo?"),
        ("tend hms-kongo", "no ship “hms-kongo”; did you mean kongo?"),
        ("tend k’ongo!", "no ship “k’ongo!”; did you mean kongo?"),
        ("tend a", "asahi (Asahi), asahi-2 (Asahi Maru)"),
        ("sail asahi", "how far is missing"),
        ("sail asahi 9", "not a number from 0 to 8"),
        ("sail asahi -1", "not a number"),
        ("sail asahi 3 turns", "how many turns is missing"),
        ("sail asahi 3 4", "takes no dice"),
        ("sail asahi, 3", "no ship “3”"),
        ("sail asahi,", "a ship is missing after the comma"),
        ("sail asahi,,kongo 3", "the ships is missing"),
        ("sail @west 3", "no division “west”: north-one, south-one"),
        ("shoot asahi kongo 12cm", "measured in inches"),
        ("shoot asahi kongo 5 x", "“x” is neither a word of this order nor a die"),
        ("shoot asahi kongo ٣", "“٣” is not near or far"),
        ("tend asahi \x1b[31m", "U+001B"),
        ("tend asahi \u202e", "U+202E"),
        ("note " + "x" * 3000, "2000 at most"),
        ("join east lion", "no side “east”: north, south"),
        ("join north asahi", "Asahi is in the battle already, afloat"),
    ],
)
def test_what_cannot_be_read_says_what_is_wrong(text: str, said: str) -> None:
    assert said in refusal(text)


def test_a_distance_of_the_other_family_is_refused_in_a_metric_battle() -> None:
    assert "millimetres or centimetres" in refusal("shoot asahi kongo 4in", METRIC)


def test_a_die_in_the_midst_of_an_order_joins_its_dice() -> None:
    die = Slot("die", kinds.DIE, "its die")
    form = Form("lead", "l", "Lead", (Slot("side", kinds.SIDE, "the side"), die), dice="D")
    order = parse("lead south 4 5", {"lead": form}, BATTLE)
    assert (order.dice, order.resolved) == ((4, 5), "lead south")


def test_flags_stand_in_any_order_behind_the_plain_slots() -> None:
    slots = (Slot("n", kinds.COUNT, "n"), flag("end", "bow or stern"), flag("off", "unmeasured"))
    form = Form("go", "g", "Go", slots, dice="D")
    order = parse("go 3 off end 6", {"go": form}, BATTLE)
    assert (order.has("end"), order.has("off"), order.dice) == (True, True, (6,))
    assert order.resolved == "go 3 end off"


ORDERS = st.sampled_from(
    [
        "sail hms,艦 3 turns 1",
        "sail @north 2",
        "shoot [/ Fuji far raking 3 4",
        "shoot asahi kongo 4½in",
        "tend asahi-2 3",
        "next",
        "roll 3/blaze/asahi/1 4",
        "answer 3/side/asahi/1 port",
        "mark fuji leak port, starboard",
        "mark fuji hull +1",
        "damage hms H, G F",
        "option blaze 6",
        "chart my charts/one, two.toml",
        "join south sea lion, tiger",
        "leave kongo withdrawn",
        "note Fire, aboard [Red]",
        "doubt 3 was it far, or near?",
        "settle 3",
    ]
)


@given(ORDERS)
def test_a_resolved_order_reads_as_the_same_order(text: str) -> None:
    order = read(text)
    again = read(order.resolved)
    assert again.slots == order.slots
    assert again.resolved == order.resolved


WORDS = st.one_of(
    st.sampled_from(
        [
            *all_forms(SYSTEM),
            *("asahi", "hms", "[red]", "[/", "艦", "@north", "@", ",", "/", "3/blaze/asahi/1", "/roll"),
            *(
                "4in",
                "½in",
                "in",
                "mm",
                ".in",
                "9999999in",
                "0",
                "-1",
                "+1",
                "raking",
                "turns",
                "far",
                "force",
            ),
        ]
    ),
    st.text(max_size=8),
)


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_any_text_is_an_order_or_refused(text: str) -> None:
    for on in (BATTLE, METRIC):
        try:
            order = read(text, on)
        except OrderRefused:
            continue
        assert read(order.resolved, on).slots == order.slots


@pytest.mark.parametrize(
    ("text", "unfinished", "offered"),
    [
        ("", True, ("sail", "shoot")),
        ("sh", True, ("shoot",)),
        ("fyre ", False, ()),
        ("force ", True, ("sail", "shoot")),
        ("preview ", True, ("undo", "redo")),
        ("preview am", True, ("amend",)),
    ],
)
def test_a_line_is_offered_the_words_that_may_stand_where_it_ends(
    text: str, unfinished: bool, offered: tuple[str, ...]
) -> None:
    """Catches an unknown word that is offered every order, and `preview` that offers orders of play."""
    reading = read_line(Scope(vocabulary_of(SYSTEM), BATTLE, Reach.ANYWHERE), text)
    assert reading.unfinished == unfinished
    assert tuple(one.text for one in reading.cursor.offers())[: len(offered)] == offered
