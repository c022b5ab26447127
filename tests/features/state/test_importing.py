"""The state of ships as CSV: written, read with the habits of spreadsheets, and its faults."""

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from qf_tui.core.values import Battle
from qf_tui.document.acts import format_order
from qf_tui.features.board.hub import encode_view
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.board.view import build_ship_view, build_view
from qf_tui.features.state.importing import StateImport, read_state
from qf_tui.features.state.table import format_field, format_state, list_log_fields
from qf_tui.library.faults import FileFaults
from qf_tui.session import Session
from tests.systems import EVERYBODYS, OURS, load_start

FILE = Path("state.csv")
SCENARIOS = ("lissa-1811", "river-bend-1863", "tassafaronga-1942", "gq2-fourth-flotilla-1916", "examples-d6")


def begin(scenario: str = EVERYBODYS, rules: str = "") -> Session:
    return Session.begin(*load_start(scenario, rules))


def read(session: Session, text: str | bytes) -> StateImport:
    data = text.encode() if isinstance(text, str) else text
    return read_state(data, FILE, session.system, session.battle)


def list_changes(session: Session, text: str) -> list[tuple[str, str, str]]:
    return [(change.ship, change.before, change.after) for change in read(session, text).changes]


def list_values(session: Session, battle: Battle) -> dict[str, list[str]]:
    """List the values of each ship's log."""
    fields = list_log_fields(session.system)
    return {ship.id: [format_field(field, ship) for field in fields] for ship in battle.ships.values()}


@pytest.mark.parametrize(
    ("scenario", "rules"), [*((EVERYBODYS, rules) for rules in OURS), *((name, "") for name in SCENARIOS)]
)
def test_random_hand_entries_go_through_a_spreadsheet_into_another_battle(scenario: str, rules: str) -> None:
    """Detect a field that some rule system or book cannot read back, or whose value does not stay."""
    rng = Random(f"{scenario} {rules}")
    first, second = begin(scenario, rules), begin(scenario, rules)
    ids = list(first.battle.ships)
    fields = list_log_fields(first.system)
    for _ in range(120):
        field = rng.choice(fields)
        number = str(rng.randint(0, 6))
        half = f"{number}.5" if field.denominator > 1 or field.kind == "number" else number
        values = (*field.words, number, half, "yes", "no", "none", rng.choice(ids))
        order = f"mark {rng.choice(ids)} {field.name} {rng.choice(values)}"
        if not first.preview_order(order).findings:
            first.enter(order)
    text = format_state(first.system, first.battle)
    imported = read(second, text)
    second.record(second.work_out(imported.order))
    assert list_values(second, second.battle) == list_values(first, first.battle)
    assert len(second.timeline.log) == 1
    assert format_state(second.system, second.battle) == text
    assert read(second, text) == StateImport(order=read(second, text).order, changes=())
    second.enter("undo")
    assert second.battle == begin(scenario, rules).battle


def test_every_scenario_is_written_and_read_back_unchanged() -> None:
    for name in SCENARIOS:
        session = begin(name)
        assert read(session, format_state(session.system, session.battle)).changes == ()


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("id,fires\nmikasa,2\n", [("Mikasa", "0", "2")]),
        ("sep=;\nid;fires\nmikasa;2\n", [("Mikasa", "0", "2")]),
        ("\ufeffid\tfires\tcourse\nMIKASA\t\t90 LEFT; 45 right\n",
         [("Mikasa", "none", "45 right, 90 left")]),
        ("name;id;status\nmikasa;;Sunk\n\nASAHI;;\n", [("Mikasa", "afloat", "sunk")]),
        ("side,name,torpedo_reload\nJapan,Mikasa,None\n", [("Mikasa", "8", "none")]),
        ('id,speed_hits\nmikasa,"3,0"\n', [("Mikasa", "0", "3")]),
        ("id,speed_hits,rof_heavy\nmikasa,0,7\n", []),
        # A ship's S hits only fit once fewer boxes are lost.
        ("id,speed_hits,speed_lost\nmikasa,6,2\n",
         [("Mikasa", "0", "6"), ("Mikasa", "0", "2")]),
    ],
)  # fmt: skip
def test_habits_of_spreadsheets_are_read(text: str, changes: list[tuple[str, ...]]) -> None:
    session = begin()
    assert list_changes(session, text) == changes


def test_a_name_is_found_in_the_spelling_of_the_id_too() -> None:
    changes = list_changes(begin("yalu-1894"), "name,fires\nCHIH-YUEN,1\nking yuen,2\n")
    assert changes == [("Chih Yuen", "0", "1"), ("King Yuen", "0", "2")]


def test_a_decimal_comma_and_a_word_for_yes_are_read_in_gq2() -> None:
    session = begin("gq2-dogger-bank-1915")
    ship = next(iter(session.battle.ships.values()))
    text = f"id;hull_lost;evasive;smoke;lights\n{ship.id};1,5;TRUE;black;\n"
    assert [change[2] for change in list_changes(session, text)] == ["1.5", "yes", "black"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["row 1: expected a column id or name, then the ships"]),
        ("fires\n2\n", ["row 1: expected a column id or name, then the ships", "row 2, id: which ship?"]),
        ("id,fire\nmikasa,2\n", ["row 1: no column “fire”; did you mean fires?"]),
        ("id,fires,fires\nmikasa,2,3\n", ["row 1: column “fires” appears more than once"]),
        ("id,fires\nmikassa,2\n", ["row 2 (mikassa), id: no ship “mikassa”; did you mean Mikasa?"]),
        ("id,fires\nmikasa,2\nMikasa,3\n", ["row 3 (Mikasa): Mikasa is in row 2 already"]),
        ("id,name,fires\nmikasa,Asahi,2\n", ["row 2 (mikasa), name: mikasa is Mikasa, not “Asahi”"]),
        ("side,id,fires\nrussia,mikasa,2\n", ["row 2 (mikasa), side: Mikasa belongs to japan, not"]),
        (
            "id,fires,speed_hits,course,status\nmikasa,many,9,up,lost\nasahi,+1,-2,none,\n",
            [
                "row 2 (mikasa), fires: “many” is not a whole number",
                "row 2 (mikasa), speed_hits: S hits: 9 is not a whole number from 0 to 8",
                "row 2 (mikasa), course: direction hits: “up” is not one of",
                "row 2 (mikasa), status: “lost” is not one of",
                "row 3 (asahi), fires: “+1” is no value; write the value after the change",
                "row 3 (asahi), speed_hits: S hits: “-2” is no value",
            ],
        ),
        ("id,fires\nmikasa,1; asahi fires 9\n", ["row 2 (mikasa), fires: “1; asahi fires 9” cannot"]),
        ("id,fires\nmikasa,[/red]\x1b[2J\n", ["row 2 (mikasa), fires: “[/red]<U+001B>[2j” ca"]),
        ("id,speed_hits,speed_lost\nmikasa,6,6\n", ["row 2 (mikasa), speed_"]),
        ("id,fires\nmikasa,1,2,3\n", ["row 2: 4 cells under 2 headings"]),
    ],
)  # fmt: skip
def test_faults_have_rows_and_columns_and_nothing_is_entered(text: str, faults: list[str]) -> None:
    session = begin()
    before = session.timeline
    with pytest.raises(FileFaults) as raised:
        read(session, text)
    found = [str(fault) for fault in raised.value.faults]
    assert len(found) == len(faults), found
    for fault, beginning in zip(found, faults, strict=True):
        assert fault.startswith(beginning), (fault, beginning)
    assert session.timeline is before


def test_another_encoding_is_refused_clearly() -> None:
    with pytest.raises(FileFaults, match=r"line 2: not UTF-8; save the file as UTF-8 \(in Excel"):
        read(begin(), "id;fires\nétoile;1\n".encode("cp1252"))


def test_a_value_that_the_rules_change_back_is_a_fault_or_is_kept() -> None:
    """A book sinks a ship whose hull is gone; a file that keeps her afloat is followed."""
    session = begin("tassafaronga-1942")
    ship = next(iter(session.battle.ships.values()))
    changes = read(session, f"id,hull\n{ship.id},0\n").changes
    assert [(change.after, change.stated) for change in changes] == [("sunk", False), ("0", True)]
    imported = read(session, f"id,hull,status\n{ship.id},0,afloat\n")
    session.record(session.work_out(imported.order))
    assert session.battle.ships[ship.id].status == "afloat"


@pytest.mark.parametrize("viewer", ["japan", "russia", ALL])
@pytest.mark.parametrize("fate", ["", "undo", "amend", "taken"])
def test_a_side_learns_nothing_of_the_other_from_an_import(viewer: str, fate: str) -> None:
    """Two imports that differ only in the other side's log give the same page."""
    session, other = begin(), begin()
    own = "mikasa rof_heavy 3" if viewer == "japan" else "tsesarevich rof_heavy 3"
    hidden = "tsesarevich rof_heavy" if viewer == "japan" else "mikasa rof_heavy"
    own = own if viewer != ALL else "mikasa fires 2"
    for each, value in ((session, 2), (other, 1)):
        each.enter(f"state {own}; {hidden} {value}")
        if fate == "amend":
            each.enter(f"amend 1 state {own}; {hidden} {value + 2}")
        elif fate:
            each.enter("undo")
        if fate == "taken":
            each.enter("redo")
    pages = [
        encode_view(build_view(each.system, each.timeline, viewer, BoardSwitch.OWN_SIDE))
        for each in (session, other)
    ]
    assert pages[0] == pages[1]
    for id in ("mikasa", "tsesarevich"):
        views = [
            build_ship_view(each.system, each.timeline, viewer, BoardSwitch.OWN_SIDE, id)
            for each in (session, other)
        ]
        assert views[0] == views[1]
    if viewer != ALL and not fate:
        assert "3" in str(pages[0])
        assert "state" not in str(pages[0]).split()


def test_two_ships_of_one_name_need_their_ids() -> None:
    session = begin()
    ships = session.battle.ships
    renamed = {**ships, "asahi": evolve(ships["asahi"], name="MIKASA")}
    battle = evolve(session.battle, ships=renamed)
    with pytest.raises(FileFaults, match="“Mikasa” may be mikasa, asahi; give the id"):
        read_state(b"name,fires\nMikasa,1\n", FILE, session.system, battle)
    found = read_state(b"id,name,fires\nasahi,Mikasa,1\n", FILE, session.system, battle)
    assert [change.ship for change in found.changes] == ["MIKASA"]


def test_the_entry_is_worded_as_it_is_typed() -> None:
    session = begin()
    order = read(session, "name;fires\nMikasa;1\nFuji;2\n").order
    assert format_order(session.battle, order) == "state Mikasa fires 1; Fuji fires 2"
