"""Text into orders: a text has the same meaning in a script, the order bar and a dialog."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import settings

from qf_tui.console.entry.form_state import Filling, FormReading, format_slot_value
from qf_tui.core.builtin_forms import build_vocabulary
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot, build_shares_slot
from qf_tui.core.grammar.names import Reach, Scope, Vocabulary, format_typed_faces
from qf_tui.core.grammar.reader import read_line as read_line
from qf_tui.core.grammar.reader import read_resolved
from qf_tui.core.text import Distance, format_possessive
from qf_tui.core.values import Battle, Form, Order, Slot, SlotValue
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice
from tests import tiny
from tests.core.playing import battle, parse, ship
from tests.core.typed_orders import (
    BATTLES,
    Meaning,
    Typed,
    Typist,
    begin_session,
    find_meaning,
    play_random_orders,
    read_by_bar,
    read_by_dialog,
    read_by_script,
)
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
    return read_line(Scope(build_vocabulary(SYSTEM), on, arrivals=lambda: on.reserve), text).require_order()


def expect_refusal(text: str, on: Battle = BATTLE) -> str:
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
        ("tend USS Kongo", "kongo"),
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
    assert order.list_texts("ships") == ships
    assert order.number("boxes") == 3


WAY = Slot("way", kinds.MEASURE, "how far", bare=True, most=8)
STEER = Form("steer", "", "Steer", (tiny.SHIPS, WAY, tiny.TURNS, build_shares_slot("way")))


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("steer asahi,kongo 3 but kongo 2", "steer asahi,kongo 3 but kongo 2"),
        ("steer kongo,fuji 3 but 艦 2,f 1 turns 2", "steer kongo,fuji 3 turns 2 but kongo 2, fuji 1"),
        ("steer @south 3 but fuji , kongo 4.5 in", "steer kongo,fuji 3 but fuji 4.5in, kongo 4.5in"),
        ("steer @south 3 but asahi 2", "no ship of this order “asahi”: kongo, fuji"),
        ("steer @south 3 but fuji", "a ship's own share: how far is missing"),
        ("steer @south 3 but fuji 2,", "a ship's own share: a ship is missing"),
        ("steer @south 3 but fuji 2, fuji 1", "“fuji” is named twice"),
        ("steer @south 3 but fuji 9", "“9” is not a number from 0 to 8"),
        ("steer @south 3 but", "but: a ship's own share is missing"),
    ],
)
def test_each_ship_of_an_order_may_have_its_own_share(text: str, resolved: str) -> None:
    """Refuse a share of a ship that the order does not name."""
    scope = Scope(Vocabulary({STEER.word: STEER}), BATTLE)
    reading = read_line(scope, text)
    if reading.order is None:
        assert resolved in str(OrderRefused(*reading.findings))
        return
    assert reading.order.resolved == resolved
    assert reading.order == read_resolved(resolved, {STEER.word: STEER}) == read_line(scope, resolved).order


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
        ("sail asahi,,kongo 3", "the ships: a ship's name is missing"),
        ("sail @west 3", "no division “west”: north-one, south-one"),
        ("shoot asahi kongo 12cm", "measured in inches"),
        ("shoot asahi kongo 5 x", "“x” is neither part of this order nor a die"),
        ("shoot asahi kongo ٣", "“٣” is not near or far"),
        ("tend asahi \x1b[31m", "U+001B"),
        ("tend asahi \u202e", "U+202E"),
        ("note " + "x" * 3000, "2000 at most"),
        ("join east lion", "no side “east”: north, south"),
        ("join north asahi", "Asahi is in the battle already, afloat"),
    ],
)
def test_an_unreadable_order_is_refused_with_the_fault(text: str, said: str) -> None:
    assert said in expect_refusal(text)


def test_a_distance_of_the_other_family_is_refused_in_a_metric_battle() -> None:
    assert "millimetres or centimetres" in expect_refusal("shoot asahi kongo 4in", METRIC)


def test_a_die_in_the_middle_of_an_order_joins_its_dice() -> None:
    die = Slot("die", kinds.DIE, "its die")
    form = Form("lead", "l", "Lead", (Slot("side", kinds.SIDE, "the side"), die), dice="D")
    order = parse("lead south 4 5", {"lead": form}, BATTLE)
    assert (order.dice, order.resolved) == ((4, 5), "lead south")


def test_flags_come_in_any_order_after_the_plain_slots() -> None:
    slots = (
        Slot("n", kinds.COUNT, "n"),
        build_flag_slot("end", "bow or stern"),
        build_flag_slot("off", "unmeasured"),
    )
    form = Form("go", "g", "Go", slots, dice="D")
    order = parse("go 3 off end 6", {"go": form}, BATTLE)
    assert (order.has("end"), order.has("off"), order.dice) == (True, True, (6,))
    assert order.resolved == "go 3 end off"


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
def test_a_line_is_offered_the_words_that_may_follow(
    text: str, unfinished: bool, offered: tuple[str, ...]
) -> None:
    """Offer an unknown word not every order, and `preview` no orders of play."""
    reading = read_line(Scope(build_vocabulary(SYSTEM), BATTLE, Reach.ANYWHERE), text)
    assert reading.unfinished == unfinished
    assert tuple(one.text for one in reading.cursor.offers())[: len(offered)] == offered


TEXTS = 6 * settings().max_examples
"""Texts per battle."""
READERLY = re.compile(r"is missing|neither part of|is not a number from|did you mean|is left over|\(form: ")
"""Words of refusals by the reader, which no rule uses."""
WITH_A_POINT = "write a distance with a point, like 4.5"


def type_order(session: Session, word: str, dice: str = "", **texts: str) -> Typed:
    """Type an order by the texts of its slots."""
    form = session.find_scope().vocabulary.forms[word]
    behind = tuple(slot.name for slot in form.slots if slot.is_trailing and slot.name in texts)
    return Typed(form, texts, behind, dice)


@cache
def begin_once(scenario: str) -> Session:
    """Begin a battle once, for all tests that only read it."""
    return begin_session(scenario)


@pytest.fixture(scope="module")
def yellow_sea() -> Session:
    return begin_once("yellow-sea-1904")


FIRE = {"ship": "mikasa", "battery": "heavy", "target": "tsesarevich"}
FIRED = "fire mikasa heavy tsesarevich"


@pytest.mark.parametrize(
    ("word", "texts", "meant", "by_keys"),
    [
        # Accepted texts and their meaning by script, and by keys where these find more.
        ("fire", {**FIRE, "range": "me"}, f"{FIRED} medium", ""),
        ("option", {"name": "one_r", "value": "yes"}, "", ""),
        ("mark", {"ship": "mikasa", "field": "rof_h", "value": "5"}, "mark mikasa rof_heavy 5", ""),
        ("leave", {"ship": "mikasa", "how": "wi"}, "leave mikasa withdrawn", ""),
        (
            "move",
            {"ships": "mikasa,ahi", "distance": "6"},
            "no ship “ahi”; did you mean asahi",
            "mikasa,asahi",
        ),
        ("move", {"ships": "MIKASA , ásahi", "distance": "6"}, "move mikasa,asahi 6", ""),
        # Refused texts and the words of the refusal.
        ("doubt", {"entry": "x"}, "the entry: “x” is not a number", ""),
        ("join", {"side": "Japan", "ships": "nothere"}, "no ship “nothere”", ""),
        ("join", {"side": "jap", "ships": "kasuga"}, "Kasuga is in the battle already", ""),
        ("move", {"ships": "mikasa", "distance": "99"}, "“99” is not a number from 0 to 8", ""),
        ("strike", {"n": "last"}, "“last” is not a number", ""),
    ],
)
def test_slots_of_each_kind_are_read_alike(
    yellow_sea: Session, word: str, texts: dict[str, str], meant: str, by_keys: str
) -> None:
    """Complete the same names and accept the same fields in script, bar and dialog."""
    probe = type_order(yellow_sea, word, **texts)
    script = find_meaning(read_by_script(yellow_sea, probe.line))
    bar, dialog = find_meaning(read_by_bar(yellow_sea, probe.line)), read_by_dialog(yellow_sea, probe)
    said = script.refusal or (script.order.line if script.order else "")
    assert meant in said
    assert find_meaning(dialog.reading) == bar
    if by_keys:
        assert bar.order is not None
        assert by_keys in bar.order.line
        assert script.order is None
    else:
        assert bar == script
    assert bool(dialog.open) == (dialog.reading.order is None)


@pytest.fixture(params=BATTLES)
def scenario(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def play_once(scenario: str, seed: int) -> Session:
    """Play a battle in part, once for all tests that only read it."""
    return play_random_orders(scenario, Random(f"{scenario} {seed}"))


@pytest.fixture(params=["as it begins", "in the midst"])
def session(request: pytest.FixtureRequest, scenario: str, seed: int) -> Session:
    return play_once(scenario, seed) if request.param == "in the midst" else begin_once(scenario)


def type_texts(session: Session, seed: int) -> Iterator[Typed]:
    """Type orders as people do, right and wrong."""
    typist = Typist(Random(f"{session.battle.table.get('title')} {seed}"), session)
    return (typist.type_order() for _ in range(TEXTS))


def test_a_text_has_the_same_meaning_or_refusal_everywhere(session: Session, seed: int) -> None:
    """Read each kind of slot alike in a line and in a field."""
    read, passed = 0, 0
    for text in type_texts(session, seed):
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            line = read_by_script(session, text.line, reach)
            script = find_meaning(line)
            assert find_meaning(read_by_bar(session, text.line, reach)) == script, text.line
            if not text.is_split_alike(line):
                passed += 1
                continue
            dialog = read_by_dialog(session, text, reach).reading
            assert find_meaning(dialog, "" if text.is_in_order else script.refusal) == script, text.line
            read += script.order is not None
    assert passed < TEXTS / 10
    assert read > TEXTS * 3 / 4


def test_a_script_refusal_names_the_ship_that_keys_would_find(session: Session, seed: int) -> None:
    for text in type_texts(session, seed):
        line, bar = read_by_script(session, text.line), read_by_bar(session, text.line).order
        if line.order is not None:
            assert bar == line.order, text.line
        elif bar is not None and text.is_split_alike(line):
            refusal = find_meaning(line).refusal
            assert any(name in refusal for name in list_names(session, bar)), text.line


def list_names(session: Session, order: Order) -> set[str]:
    """List the names in an order, or in the order that it brings, and the divisions of its ships."""
    order = order.find_inner_order("order") or order
    names = {name.lstrip("@") for name in order.names}
    names |= {format_typed_faces(order.dice[-2:])} if len(order.dice) > 1 else set()
    ships = session.battle.ships
    return names | {ships[id].division for id in names if id in ships and ships[id].division}


def test_a_resolved_order_reads_back_as_itself_everywhere(session: Session, seed: int) -> None:
    forms = session.find_scope().vocabulary.forms
    for text in type_texts(session, seed):
        order = read_by_bar(session, text.line).order
        if order is None:
            continue
        for again in order, evolve(order, forced=order.word in session.find_scope().vocabulary.play):
            assert find_meaning(read_by_script(session, again.line)) == Meaning(again)
            assert find_meaning(read_by_bar(session, again.line)) == Meaning(again)
        assert read_resolved(order.line, forms) == order
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            reading = FormReading.read(session.find_scope(reach), Filling.from_order(order)).reading
            assert find_meaning(reading) == Meaning(order)
        for part in reading.parts.values():
            if part.value is not None:
                alone = Filling.from_order(order).with_text(
                    part.slot.name, format_slot_value(part.slot, part.value)
                )
                assert FormReading.read(session.find_scope(), alone).reading.order == order


def test_a_field_that_a_dialog_accepts_is_refused_only_by_rules(session: Session, seed: int) -> None:
    """Show no field as valid that the reader refuses on Enter."""
    for text in type_texts(session, seed):
        dialog = read_by_dialog(session, text)
        faulty = any(dialog.find_fault(name) for name in dialog.filling.names)
        assert not faulty or dialog.open
        order = dialog.reading.order
        if dialog.open:
            assert order is None
        elif order is None:
            assert (
                "a die" in find_meaning(dialog.reading).refusal
                or "the order is missing" in find_meaning(dialog.reading).refusal
            )
        elif order.word != "mark":  # The values of a field have their own rule.
            findings = session.preview_order(order).findings
            assert not [finding.text for finding in findings if READERLY.search(finding.text)], order.line


def test_dice_without_spaces_read_alike_in_bar_and_dialog(session: Session, seed: int) -> None:
    drawn = 0
    for text in type_texts(session, seed):
        close = evolve(text, dice="".join(text.dice.replace(",", " ").split()))
        bar, dialog = read_by_bar(session, close.line), read_by_dialog(session, close).reading
        if close.dice and bar.order is not None and close.is_split_alike(bar):
            assert read_dice(session, bar) == read_dice(session, dialog), close.line
            drawn += 1
    assert drawn > TEXTS / 100


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        *[("5⅞″", "5.875"), ("5½″", "5.5"), ("5.5″", "5.5"), ("½″", "0.5"), ("4½", "4.5"), ("4.5", "4.5")],
        *[('41"', "41"), ("41”", "41"), ("41″", "41"), ("7 in", "7"), ("7 ″", "7"), ("7.25IN", "7.25")],
    ],
)
@pytest.mark.parametrize("scenario", [name for name in BATTLES if "clone" not in name], indirect=True)
def test_a_distance_as_the_console_shows_it_can_be_typed_back(scenario: str, text: str, amount: str) -> None:
    shown = begin_once(scenario)
    meant = Distance(Fraction(amount), "in")
    for order, slot in type_distances(shown, text):
        assert_all_read(shown, order, slot, meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("90 mm", Distance(Fraction(90), "mm")),
        ("90.5mm", Distance(Fraction(181, 2), "mm")),
        ("41 cm", Distance(Fraction(41), "cm")),
        ("41cm", Distance(Fraction(41), "cm")),
        ("4½ cm", Distance(Fraction(9, 2), "cm")),
    ],
)
def test_a_metric_distance_can_be_typed_back(text: str, meant: Distance) -> None:
    shown = begin_once("yellow-sea-1904-clone")
    for order, slot in type_distances(shown, text):
        assert_all_read(shown, order, slot, meant)


def test_a_bare_figure_is_in_the_unit_of_its_field() -> None:
    """Read a range of 120 in centimetres although the table's speeds are in millimetres."""
    shown = begin_once("yellow-sea-1904-clone")
    move, shot = type_distances(shown, "90.5")
    for (order, slot), unit in (move, "mm"), (shot, "cm"):
        assert_all_read(shown, order, slot, Distance(Fraction(181, 2), unit))


@pytest.mark.parametrize("text", ["4,5", "4,5in", "12,5cm", "0,5″", "4 , 5"])
def test_a_comma_between_the_digits_of_a_distance_is_refused_with_advice(scenario: str, text: str) -> None:
    shown = begin_once(scenario)
    for order, _ in type_distances(shown, text):
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            said = {
                find_meaning(read_by_script(shown, order.line, reach)).refusal,
                find_meaning(read_by_bar(shown, order.line, reach)).refusal,
                find_meaning(read_by_dialog(shown, order, reach).reading).refusal,
            }
            assert len(said) == 1
            assert WITH_A_POINT in said.pop()


def type_distances(session: Session, text: str) -> list[tuple[Typed, str]]:
    """Type a move and a shot over a distance, each with the name of its slot."""
    first, other = (
        next(ship.id for ship in session.battle.ships.values() if ship.side == side.id)
        for side in session.battle.sides
    )
    forms = session.find_scope().vocabulary.forms
    far = next(slot.name for slot in forms["move"].slots if slot.name in ("distance", "inches"))
    battery = next(slot for slot in forms["fire"].slots if slot.name == "battery")
    guns = "heavy" if battery.choices else "main"
    reach = next(slot.name for slot in forms["fire"].slots if slot.name in ("range", "straddle"))
    found = {"ship": first, "battery": guns, "target": other, reach: text}
    return [
        (type_order(session, "move", **{"ships": first, far: text}), far),
        (type_order(session, "fire", **found), reach),
    ]


def assert_all_read(session: Session, order: Typed, slot: str, meant: Distance) -> None:
    for reach in Reach.BEGINS, Reach.ANYWHERE:
        dialog = read_by_dialog(session, order, reach)
        for reading in (
            read_by_script(session, order.line, reach),
            read_by_bar(session, order.line, reach),
            dialog.reading,
        ):
            assert reading.require_order().slots[slot] == meant
        assert not dialog.open


ACCENTED = Session.begin(
    SYSTEM,
    battle(
        ship("jaureguiberry", name="Jauréguiberry"),
        ship("huascar", "south", name="Huáscar"),
        ship("tordenskjold", "south", name="Tordenskjøld"),
        ship("d-entrecasteaux", name="D’Entrecasteaux"),
        ship("asahi", name="Asahi"),
        ship("asahi-2", name="Asahi Maru"),
    ),
)


@pytest.mark.parametrize(
    ("letters", "id"),
    [
        *[("jaure", "jaureguiberry"), ("JAURÉ", "jaureguiberry"), ("Jauréguiberry", "jaureguiberry")],
        *[("huas", "huascar"), ("HUÁSCAR", "huascar"), ("huáscar", "huascar"), ("Hua\u0301scar", "huascar")],
        *[("tordenskjold", "tordenskjold"), ("TORDENSKJØ", "tordenskjold")],
        *[("d'ent", "d-entrecasteaux"), ("D’ENT", "d-entrecasteaux")],
        *[("asahi", "asahi"), ("ASAHI MARU", "asahi-2"), ("asahi-", "asahi-2")],
    ],
)
def test_case_and_accents_do_not_matter_and_a_name_as_shown_is_found(letters: str, id: str) -> None:
    order = type_order(ACCENTED, "tend", ship=letters)
    for reach in Reach.BEGINS, Reach.ANYWHERE:
        dialog = read_by_dialog(ACCENTED, order, reach)
        for reading in (
            read_by_script(ACCENTED, order.line, reach),
            read_by_bar(ACCENTED, order.line),
            dialog.reading,
        ):
            assert reading.require_order().text("ship") == id


def test_a_forgotten_range_takes_no_die(yellow_sea: Session) -> None:
    """Do not read the first die of a shot as a range."""
    for text in ("fire mikasa heavy tsesarevich 3 8", "fire mikasa heavy tsesarevich 12 12"):
        for reading in (yellow_sea.read(text), yellow_sea.read_typed(text)):
            assert "may be a die; write the unit of the distance" in str(reading.findings)
    no_die = yellow_sea.read("fire mikasa heavy tsesarevich 13 12").require_order()
    assert (str(no_die.slots["range"]), no_die.dice) == ("13in", (12,)), "no die has a 13"
    together = yellow_sea.read_typed("fire mikasa heavy tsesarevich 12 38").require_order()
    assert str(together.slots["range"]) == "12in", "38 are two dice"
    whole = yellow_sea.read("fire mikasa heavy tsesarevich 41 3 8").require_order()
    assert (str(whole.slots["range"]), whole.dice) == ("41in", (3, 8))


def test_a_figure_that_no_die_has_is_the_range_however_the_dice_are_typed() -> None:
    """Do not read a range of 120 as one die or two."""
    session = begin_session("yellow-sea-1904-clone")
    session.enter("next")
    for dice in ("6 6", "66", "6"):
        reading = session.read_typed(f"fire mikasa heavy tsesarevich 120 guess 121 {dice}")
        read = read_dice(session, reading).order
        assert read is not None, reading.findings
        assert (str(read.slots["range"]), set(read.dice)) == ("120cm", {6})
    assert "may be a die" in str(session.read_typed("fire mikasa heavy tsesarevich 5 guess 6 6").findings)


@pytest.mark.parametrize("name", BATTLES)
def test_a_system_names_all_kinds_of_its_dice(name: str) -> None:
    """Do not read a face of two digits as a range."""
    session = play_random_orders(name, Random(1904))
    kinds = {(die.least, die.most) for die in session.system.dice}
    typist = Typist(Random(7), session)
    orders = [reading.order for _ in range(60) if (reading := session.read(typist.type_order().line)).order]
    thrown = [die for owed in session.battle.owed for die in owed.dice]
    thrown += [die for order in filter(None, orders) for die in session.preview_order(order).dice]
    assert {(die.least, die.most) for die in thrown} <= kinds


@pytest.mark.parametrize(
    ("name", "expected"), [("Mikasa", "Mikasa's"), ("Three boat guns", "Three boat guns'")]
)
def test_a_name_as_owner_has_no_second_s(name: str, expected: str) -> None:
    assert format_possessive(name) == expected
