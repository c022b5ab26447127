"""A ship while she is entered: what is typed, what is taken for granted, and what is kept."""

import pytest

from qf_tui.core.ship_facts import ShipFacts, assumed_of
from qf_tui.library.navies import identified, own_ships, register
from qf_tui.library.ship_drafts import ShipDraft, meant_by, spelled

pytestmark = pytest.mark.usefixtures("home")


def drafted(navy: str = "Ruritania", **texts: str) -> ShipDraft:
    return ShipDraft(navy, texts)


WREN = {"name": "Wren", "kind": "g", "launched": "90", "tons": "1,800", "knots": "13.5"}


@pytest.mark.parametrize(
    ("heading", "typed", "text"),
    [
        ("kind", "b", "battleship"),
        ("kind", "ac", "armored-cruiser"),
        ("kind", "bat", "battleship"),
        ("kind", "batte", "battery"),
        ("kind", "tg", "torpedo-gunboat"),
        ("kind", "zeppelin", "zeppelin"),
        ("plate", "k", "Krupp"),
        ("plate", "h/n", "Harvey/nickel"),
        ("heavy_mount", "t", "turrets"),
        ("light_mount", "c+s", "casemates + shields"),
        ("heavy", "4x12/40", "4x12in/40"),
        ("heavy", "2x16.25/30+1x10", "2x16.25in/30 + 1x10in"),
        ("light", "10 x 150/40", "10x150mm/40"),
        ("light", "8x15cm L35", "8x150mm/35"),
        ("light", "8×6in", "8x6in"),
        ("light", "many", "many"),
        ("heavy_bear", "2+1", "2 + 1"),
        ("small", "16+8", "16x75-100mm + 8x37-65mm"),
        ("small", "16", "16x75-100mm + 0x37-65mm"),
        ("light_armor", "6 4/10", "6 (4 of 10)"),
        ("light_armor", "6in", "6"),
        ("launched", "04", "1904"),
        ("completed", "98", "1898"),
        ("tons", "15,140 t", "15140"),
        ("belt", '9"', "9"),
        ("name", " Kii ", "Kii"),
    ],
)
def test_what_is_typed_in_short_is_spelled_out(heading: str, typed: str, text: str) -> None:
    assert spelled(heading, typed) == text
    assert spelled(heading, text) == text


@pytest.mark.parametrize(
    ("heading", "letters", "words"),
    [
        ("kind", "b", ("battleship", "battery", "battlecruiser")),
        ("plate", "h/s", ("steel",)),
        ("plate", "h/", ("Krupp", "Harvey", "nickel", "steel", "compound", "iron")),
        ("tons", "1", ()),
    ],
)
def test_letters_offer_words(heading: str, letters: str, words: tuple[str, ...]) -> None:
    assert meant_by(heading, letters) == words


def test_every_fact_of_every_ship_is_spelled_as_it_stands() -> None:
    """Catches a short form that means something else where a ship is opened and kept unchanged."""
    for ship in register().ships:
        draft = ShipDraft.of(ship)
        read = draft.read
        assert read.ship == ship, (read.wrong, read.missing)


def test_what_nobody_says_is_taken_for_granted_and_told() -> None:
    read = drafted(**WREN, heavy="4x8/35", heavy_mount="s").read
    assert read.ship is not None
    ship = read.ship
    assert (ship.id, ship.ship_class, ship.completed, ship.tons) == ("wren", "Wren", 1892, 1800)
    assert (ship.heavy[0].bearing, read.odd, assumed_of(ship)) == (2, (), ("4x8in/35: 2 bear",))
    assert drafted(completed="1892").defaults["launched"] == "1890"


@pytest.mark.parametrize(("kind", "bearing"), [("b", 4), ("ac", 4), ("pc", 2), ("i", 2)])
def test_four_main_guns_stand_in_turrets_where_her_kind_has_them(kind: str, bearing: int) -> None:
    """Catches a battleship from memory that fires with half of her guns."""
    ship = drafted(**{**WREN, "kind": kind}, heavy="4x8/35").read.ship
    assert ship is not None
    assert (ship.heavy[0].bearing, ship.heavy[0].assumed) == (bearing, True)


def test_what_is_missing_and_what_is_wrong_are_told_by_their_columns() -> None:
    read = drafted(name="Wren", tons="some", heavy="4x12in/40+many").read
    assert read.ship is None
    assert read.missing == ("kind", "launched", "completed", "knots")
    assert set(read.wrong) == {"tons", "heavy"}
    assert "found “many”" in read.wrong["heavy"]


def test_facts_that_contradict_each_other_are_pointed_out_and_kept() -> None:
    draft = drafted(**{**WREN, "knots": "40"}, belt="30", light="12x6/40", light_bear="13")
    assert draft.read.odd == ("12x6in/40: 13 bear of 12", "a belt of 30 in", "40 knots")
    odd = drafted(**WREN, tubes="18", deck="10", deck_slope="9", heavy="4x20/35").read.odd
    assert odd == ("a deck of 10 in", "a deck slope of 9 in", "18 tubes", "guns of 20 in")
    draft.keep()
    assert own_ships("Ruritania")[0].knots == 40


def test_a_sister_has_all_but_what_is_the_ships_alone() -> None:
    katori = register(["japan"]).found(["katori"])[0]
    sister = ShipDraft.like(katori).with_text("name", "Ikoma")
    read = sister.read
    assert read.ship is not None
    assert (read.ship.id, read.ship.heavy, read.ship.ship_class) == ("ikoma", katori.heavy, katori.ship_class)
    assert (read.ship.fought, read.ship.note, read.ship.sources) == ((), "as Katori", katori.sources)


def of(name: str, navy: str = "ruritania") -> ShipFacts:
    return register([navy]).found([name])[0]


def test_a_ship_that_is_kept_again_with_another_id_or_navy_leaves_no_double() -> None:
    drafted(**WREN).keep()
    ShipDraft.of(of("wren")).with_text("id", "owl").with_text("name", "Owl").keep()
    assert [ship.name for ship in own_ships("Ruritania")] == ["Owl"]
    moved = ShipDraft.of(of("owl"))
    ShipDraft("Graustark", moved.texts, moved.by_hand, moved.kept).keep()
    assert own_ships("Ruritania") == ()
    assert [ship.name for ship in own_ships("Graustark")] == ["Owl"]


def test_a_ship_that_would_take_anothers_row_is_told_of() -> None:
    assert drafted(**WREN).over == ""
    drafted(**WREN).keep()
    assert drafted(**WREN).over == "Wren"
    assert ShipDraft.of(of("wren")).over == ""
    assert drafted(**{**WREN, "launched": "91"}).over == ""


def test_values_set_by_hand_are_kept_a_system_and_taken_back() -> None:
    draft = drafted(**WREN).set_by_hand("quickfire", "speed", "9").set_by_hand("gq2", "df", "3")
    draft.keep()
    ship = of("wren")
    assert [str(one) for one in ship.by_hand] == ["quickfire speed=9", "gq2 df=3"]
    again = ShipDraft.of(ship).set_by_hand("quickfire", "speed", "")
    assert (again.hand("quickfire", "speed"), again.hand("gq2", "df")) == ("", "3")
    again.keep()
    assert [str(one) for one in of("wren").by_hand] == ["gq2 df=3"]


@pytest.mark.parametrize(
    ("name", "id"), [("Jauréguiberry", "jaureguiberry"), ("Ting-Yuen (2)", "ting-yuen-2"), ("艦", "")]
)
def test_an_id_is_made_of_the_name(name: str, id: str) -> None:
    assert identified(name) == id
