"""One text has one meaning: a script, the order bar and a dialog read it alike.

The same words are put to all three. Within one reach they come to the same order or the same refusal; with
the wider reach of keys the bar and the dialog agree, and a script's refusal names what keys would have found.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import settings

from qf_tui.console.entry.form_state import Filling, FormReading, dicing, slot_text
from qf_tui.core.grammar.names import Reach
from qf_tui.core.grammar.reader import read_resolved
from qf_tui.core.text import Distance
from qf_tui.core.values import Order
from qf_tui.session import Session
from tests.core.playing import battle, ship
from tests.core.three_readers import (
    BATTLES,
    Meaning,
    Typed,
    begun,
    by_bar,
    by_dialog,
    by_script,
    in_the_midst,
    of,
)
from tests.core.typed_orders import Typist
from tests.tiny import SYSTEM

TEXTS = 6 * settings().max_examples
"""Texts of each battle."""
READERLY = re.compile(r"is missing|neither a word of|is not a number from|did you mean|is too much|\(form: ")
"""What the reader says, and a rule never."""
WITH_A_POINT = "write a distance with a point, as 4.5"


def typed(session: Session, word: str, dice: str = "", **texts: str) -> Typed:
    """An order by the texts of its slots."""
    form = session.scope().vocabulary.forms[word]
    behind = tuple(slot.name for slot in form.slots if slot.trailing and slot.name in texts)
    return Typed(form, texts, behind, dice)


@cache
def fresh(scenario: str) -> Session:
    """A battle that nothing is entered into, for all that only read it."""
    return begun(scenario)


@pytest.fixture(scope="module")
def yellow_sea() -> Session:
    return fresh("yellow-sea-1904")


FIRE = {"ship": "mikasa", "battery": "heavy", "target": "tsesarevich"}
FIRED = "fire mikasa heavy tsesarevich"


@pytest.mark.parametrize(
    ("word", "texts", "meant", "by_keys"),
    [
        # What is taken, and as what: by a script, and by keys where these reach farther.
        ("fire", {**FIRE, "range": "4½"}, f"{FIRED} 4.5in", ""),
        ("fire", {**FIRE, "range": "4.5"}, f"{FIRED} 4.5in", ""),
        ("fire", {**FIRE, "range": '41"'}, f"{FIRED} 41in", ""),
        ("fire", {**FIRE, "range": "5⅞″"}, f"{FIRED} 5.875in", ""),
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
        # What is refused, and with which words.
        ("fire", {**FIRE, "range": "4,5"}, WITH_A_POINT, ""),
        ("doubt", {"entry": "x"}, "the entry: “x” is not a number", ""),
        ("join", {"side": "Japan", "ships": "nothere"}, "no ship “nothere”", ""),
        ("join", {"side": "jap", "ships": "kasuga"}, "Kasuga is in the battle already", ""),
        ("move", {"ships": "mikasa", "distance": "99"}, "“99” is not a number from 0 to 8", ""),
        ("strike", {"n": "last"}, "“last” is not a number", ""),
    ],
)
def test_the_sixteen_probes_are_read_alike(
    yellow_sea: Session, word: str, texts: dict[str, str], meant: str, by_keys: str
) -> None:
    """Catches a field that is settled and then refused, and a name that only one of the three completes."""
    probe = typed(yellow_sea, word, **texts)
    script = of(by_script(yellow_sea, probe.line))
    bar, dialog = of(by_bar(yellow_sea, probe.line)), by_dialog(yellow_sea, probe)
    said = script.refusal or (script.order.line if script.order else "")
    assert meant in said
    assert of(dialog.reading) == bar
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
def played(scenario: str, seed: int) -> Session:
    """A battle in the midst, played once for all that only read it."""
    return in_the_midst(scenario, Random(f"{scenario} {seed}"))


@pytest.fixture(params=["as it begins", "in the midst"])
def session(request: pytest.FixtureRequest, scenario: str, seed: int) -> Session:
    return played(scenario, seed) if request.param == "in the midst" else fresh(scenario)


def texts(session: Session, seed: int) -> Iterator[Typed]:
    """Orders as hands type them, sound and unsound."""
    typist = Typist(Random(f"{session.battle.table.get('title')} {seed}"), session)
    return (typist.order() for _ in range(TEXTS))


def test_within_one_reach_a_text_has_one_meaning_or_one_refusal(session: Session, seed: int) -> None:
    """Catches a kind of slot that a line and a field read otherwise."""
    read, passed = 0, 0
    for text in texts(session, seed):
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            line = by_script(session, text.line, reach)
            script = of(line)
            assert of(by_bar(session, text.line, reach)) == script, text.line
            if not text.parted_alike(line):
                passed += 1
                continue
            dialog = by_dialog(session, text, reach).reading
            assert of(dialog, "" if text.in_order else script.refusal) == script, text.line
            read += script.order is not None
    assert passed < TEXTS / 10
    assert read > TEXTS * 3 / 4


def test_where_keys_reach_farther_the_refusal_of_a_script_names_what_they_find(
    session: Session, seed: int
) -> None:
    for text in texts(session, seed):
        line, bar = by_script(session, text.line), by_bar(session, text.line).order
        if line.order is not None:
            assert bar == line.order, text.line
        elif bar is not None and text.parted_alike(line):
            refusal = of(line).refusal
            assert any(name in refusal for name in names_in(session, bar)), text.line


def names_in(session: Session, order: Order) -> set[str]:
    """The names in an order or in the one that it brings, and the divisions of its ships."""
    names = {name.lstrip("@") for name in (order.order("order") or order).names}
    ships = session.battle.ships
    return names | {ships[id].division for id in names if id in ships and ships[id].division}


def test_a_resolved_order_reads_back_as_itself_everywhere(session: Session, seed: int) -> None:
    """Catches a value that is written in a way in which it is not read."""
    forms = session.scope().vocabulary.forms
    for text in texts(session, seed):
        order = by_bar(session, text.line).order
        if order is None:
            continue
        for again in order, evolve(order, forced=order.word in session.scope().vocabulary.play):
            assert of(by_script(session, again.line)) == Meaning(again)
            assert of(by_bar(session, again.line)) == Meaning(again)
        assert read_resolved(order.line, forms) == order
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            reading = FormReading.of(session.scope(reach), Filling.of(order)).reading
            assert of(reading) == Meaning(order)
        for part in reading.parts.values():
            if part.value is not None:
                alone = Filling.of(order).with_text(part.slot.name, slot_text(part.slot, part.value))
                assert FormReading.of(session.scope(), alone).reading.order == order


def test_what_a_dialog_calls_settled_is_refused_by_rules_alone(session: Session, seed: int) -> None:
    """Catches a green field that is refused on Enter."""
    for text in texts(session, seed):
        dialog = by_dialog(session, text)
        faulty = any(dialog.fault(name) for name in dialog.filling.names)
        assert not faulty or dialog.open
        order = dialog.reading.order
        if dialog.open:
            assert order is None
        elif order is None:
            assert (
                "a die" in of(dialog.reading).refusal or "the order is missing" in of(dialog.reading).refusal
            )
        elif order.word != "mark":  # What a field may hold is its own rule.
            findings = session.preview_order(order).findings
            assert not [finding.text for finding in findings if READERLY.search(finding.text)], order.line


def test_dice_without_a_space_between_are_the_same_to_bar_and_dialog(session: Session, seed: int) -> None:
    drawn = 0
    for text in texts(session, seed):
        close = evolve(text, dice="".join(text.dice.replace(",", " ").split()))
        bar, dialog = by_bar(session, close.line), by_dialog(session, close).reading
        if close.dice and bar.order is not None and close.parted_alike(bar):
            assert dicing(session, bar) == dicing(session, dialog), close.line
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
    shown = fresh(scenario)
    meant = Distance(Fraction(amount), "in")
    for order, slot in measured(shown, text):
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
def test_so_can_one_in_millimetres_or_centimetres(text: str, meant: Distance) -> None:
    shown = fresh("yellow-sea-1904-clone")
    for order, slot in measured(shown, text):
        assert_all_read(shown, order, slot, meant)


def test_a_bare_figure_is_in_the_unit_of_its_field() -> None:
    """Catches a range of 120 that is taken for 12 cm because speeds of the table are in millimetres."""
    shown = fresh("yellow-sea-1904-clone")
    move, shot = measured(shown, "90.5")
    for (order, slot), unit in (move, "mm"), (shot, "cm"):
        assert_all_read(shown, order, slot, Distance(Fraction(181, 2), unit))


@pytest.mark.parametrize("text", ["4,5", "4,5in", "12,5cm", "0,5″", "4 , 5"])
def test_a_comma_between_the_digits_of_a_distance_is_refused_with_advice(scenario: str, text: str) -> None:
    shown = fresh(scenario)
    for order, _ in measured(shown, text):
        for reach in Reach.BEGINS, Reach.ANYWHERE:
            said = {
                of(by_script(shown, order.line, reach)).refusal,
                of(by_bar(shown, order.line, reach)).refusal,
                of(by_dialog(shown, order, reach).reading).refusal,
            }
            assert len(said) == 1
            assert WITH_A_POINT in said.pop()


def measured(session: Session, text: str) -> list[tuple[Typed, str]]:
    """A move and a shot over a distance, each with the slot that holds it."""
    first, other = (
        next(ship.id for ship in session.battle.ships.values() if ship.side == side.id)
        for side in session.battle.sides
    )
    forms = session.scope().vocabulary.forms
    far = next(slot.name for slot in forms["move"].slots if slot.name in ("distance", "inches"))
    battery = next(slot for slot in forms["fire"].slots if slot.name == "battery")
    guns = "heavy" if battery.choices else "main"
    reach = next(slot.name for slot in forms["fire"].slots if slot.name in ("range", "straddle"))
    found = {"ship": first, "battery": guns, "target": other, reach: text}
    return [
        (typed(session, "move", **{"ships": first, far: text}), far),
        (typed(session, "fire", **found), reach),
    ]


def assert_all_read(session: Session, order: Typed, slot: str, meant: Distance) -> None:
    for reach in Reach.BEGINS, Reach.ANYWHERE:
        dialog = by_dialog(session, order, reach)
        for reading in (
            by_script(session, order.line, reach),
            by_bar(session, order.line, reach),
            dialog.reading,
        ):
            assert reading.complete().slots[slot] == meant
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
    order = typed(ACCENTED, "tend", ship=letters)
    for reach in Reach.BEGINS, Reach.ANYWHERE:
        dialog = by_dialog(ACCENTED, order, reach)
        for reading in by_script(ACCENTED, order.line, reach), by_bar(ACCENTED, order.line), dialog.reading:
            assert reading.complete().text("ship") == id


def test_a_forgotten_range_takes_no_die(yellow_sea: Session) -> None:
    """Catches a shot whose first die is read as a range in the unit of the table."""
    for text in ("fire mikasa heavy tsesarevich 3 8", "fire mikasa heavy tsesarevich 41 12"):
        for reading in (yellow_sea.read(text), yellow_sea.read_typed(text)):
            assert "may be a die: write its unit" in str(reading.findings)
    whole = yellow_sea.read("fire mikasa heavy tsesarevich 41 3 8").complete()
    assert (str(whole.slots["range"]), whole.dice) == ("41in", (3, 8))
