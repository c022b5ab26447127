"""The tables against their printed form, damage codes, and the shipped fleets (GQ2-CHA)."""

from fractions import Fraction
from pathlib import Path

import pytest

from qf_tui.core.text import to_fraction
from qf_tui.core.values import Provenance, Ship
from qf_tui.library.check import check_file
from qf_tui.library.scenarios import find_scenario
from qf_tui.library.systems import find_systems
from qf_tui.rules.gq2.charts import (
    DF_RANGE_BY_COLUMN,
    GUNNERY_COLUMNS,
    SHAPES,
    BarbetteLoss,
    BoxLoss,
    CriticalHit,
    GunLoss,
    find_df_column,
    look_up_barbette,
    look_up_critical,
    look_up_gunnery,
    look_up_torpedo,
)
from qf_tui.rules.gq2.damage import CodeKind, DamageCode, read_damage_code
from qf_tui.rules.gq2.rating import CODE_BY_KIND
from qf_tui.rules.gq2.ship import DOUBLY_DAMAGED, list_batteries
from tests.rules.gq2.tables import battle, build_class, charts, join_reasons, played, ship
from tests.rules.playing import lay_cells, reasons, result
from tests.systems import load_start

GUNNERY = """
0  ½ 1 1 1 1½ 2 2 3 4 5
1  C ½+C ½+C 1+C 1½+C 2+C 2+C 2+C 3+C 4+C
2  - - ½ 1 1 1 2 2 3 3
3  - - - ½ 1 1 1 1½ 2 2
4  - - - - - ½ 1 1 1 1
5  - - - - - - - - ½ ½
6+ - - - - - - - - - -
"""
TORPEDO = """
1 Sunk 2/1 2/1 2/- 1/- 1/- 1/- ½/-
2 5/3+C 4/3+C 3/2+C 2/2+C 2/1+C 2/1+C 1/1+C 1/-+C
3 Sunk Sunk 4/2 3/2 2/2 2/2 2/1 1/1
4 Sunk Sunk Sunk 4/2 3/2 3/1 2/1 2/1
5 Sunk Sunk 5/3 3/2 3/2 2/2 2/2 2/1
6 Sunk Sunk 2/2 2/2 2/1 1/1 1/- 1/-
"""


def parse_table(text: str) -> dict[str, list[str]]:
    """Parse a printed table into rows by name."""
    return {line.split()[0]: line.split()[1:] for line in text.strip().splitlines()}


@pytest.mark.clause("GQ2-CHA-1")
@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [("gunnery", GUNNERY, GUNNERY_COLUMNS), ("torpedo", TORPEDO, tuple(DF_RANGE_BY_COLUMN))],
)
def test_every_cell_is_as_printed_and_attested(name: str, text: str, columns: tuple[str, ...]) -> None:
    """Check text, place and source of each cell."""
    chart, rows = charts()[name], parse_table(text)
    assert list(chart.rows) == list(rows)
    for row, cells in rows.items():
        assert [chart.rows[row].cells[column].text for column in columns] == cells, row
        assert list(chart.rows[row].cells) == list(columns)
        assert all(
            cell.status is Provenance.ATTESTED and cell.source for cell in chart.rows[row].cells.values()
        )


@pytest.mark.clause("GQ2-CHA-1")
def test_the_critical_and_barbette_tables_are_as_printed() -> None:
    """Check each face, and each (A)."""
    hits = [cell.text for cell in charts()["critical"].rows["hit"].cells.values()]
    assert ", ".join(hits) == (
        "fire control, bridge, rudder, damage control, damage control, "
        "steam line (A), boiler room (A), boiler room (A), bulkhead (A), barbette (A)"
    )
    barbettes = {
        name: [c.text for c in row.cells.values()] for name, row in charts()["barbette"].rows.items()
    }
    assert barbettes == {
        "flash protection": ["1", "1", "1", "1", "1", "explodes"],
        "listed navies": ["1", "2", "2", "explodes", "explodes", "explodes"],
        "others": ["1", "2", "2", "2", "2", "explodes"],
    }


@pytest.mark.parametrize(
    ("text", "halves", "critical"),
    [("½", 1, False), ("1½+C", 3, True), ("C", 0, True), ("-", 0, False), ("4", 8, False)],
)
def test_a_cell_is_read_in_halves(text: str, halves: int, critical: bool) -> None:
    start = lay_cells(battle(), "gunnery", "3", {"1:1": text})
    assert look_up_gunnery(start, "1:1", 3)[0] == GunLoss(halves, critical)


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("df", "column", "light"),
    [
        ("1/4", "½-1", "1½-2"),
        ("1", "½-1", "1½-2"),
        ("3/2", "1½-2", "3-4"),
        ("5/2", "1½-2", "3-4"),
        ("3", "3-4", "5-6"),
        ("5", "5-6", "7-8"),
        ("12", "11-12", "13+"),
        ("20", "13+", "13+"),
    ],
)
def test_the_column_is_the_rightmost_that_the_df_reaches(df: str, column: str, light: str) -> None:
    """Use no column past the last."""
    assert find_df_column(battle(), Fraction(df)) == column
    assert find_df_column(battle(), Fraction(df), light=True) == light


@pytest.mark.clause("GQ2-TOR-5")
@pytest.mark.parametrize(
    ("df", "left", "right"),
    [
        ("1/4", "½-1", "½-1"),
        ("5/4", "½-1", "1½-2"),
        ("2", "1½-2", "1½-2"),
        ("5/2", "1½-2", "3-4"),
        ("13/2", "5-6", "7-8"),
        ("25/2", "11-12", "13+"),
        ("14", "13+", "13+"),
    ],
)
def test_a_df_between_two_columns_goes_left_or_by_the_switch_right(df: str, left: str, right: str) -> None:
    """Do not move a printed DF by the switch."""
    assert find_df_column(battle(), Fraction(df)) == left
    assert find_df_column(battle(df_between="right"), Fraction(df)) == right
    session = played(battle(df_between="right"), f"mark rook df {float(Fraction(df))}")
    assert f"column {right}" in reasons(session, "mine rook 3")[0].text


def test_cells_of_torpedoes_criticals_and_barbettes_are_read_as_printed() -> None:
    """Tell armament, penetration and explosions from hull boxes."""
    loss, _ = look_up_torpedo(battle(), "½-1", 2)
    assert (loss.hull, loss.armament, loss.critical, loss.sunk) == (10, 6, True, False)
    assert look_up_torpedo(battle(), "½-1", 1)[0].sunk
    assert look_up_critical(battle(), 1)[0] == CriticalHit("bridge")
    assert look_up_critical(battle(), 9)[0] == CriticalHit("barbette", armored=True)
    assert look_up_barbette(battle(), "others", 5)[0] == BarbetteLoss(2)
    assert look_up_barbette(battle(), "others", 6)[0] == BarbetteLoss(explodes=True)


def test_a_dropped_line_does_nothing() -> None:
    """Decide a hit although the umpire's table lacks its line."""
    bare = battle()
    for table, row in (("gunnery", "3"), ("torpedo", "2"), ("critical", "hit"), ("barbette", "others")):
        bare = lay_cells(bare, table, row, {})
    assert look_up_gunnery(bare, "1:1", 3)[0] == GunLoss()
    assert look_up_torpedo(bare, "½-1", 2)[0] == BoxLoss()
    assert look_up_critical(bare, 9)[0] == CriticalHit()
    assert look_up_barbette(bare, "others", 6)[0] == BarbetteLoss()


@pytest.mark.clause("GQ2-CHA-2")
def test_an_overlay_changes_a_cell() -> None:
    start = lay_cells(battle(), "gunnery", "6+", {"1:1": "2"})
    assert result(played(start), "fire ajax 6 rook straddle 5 0 6 9")["hits"] == ("A2", "H2")


@pytest.mark.parametrize(
    ("table", "good", "bad"),
    [
        ("gunnery", ("½", "12", "1½+C", "C", "-", "-+C"), ("1/2", "C+1", "1.5", "", "1+D")),
        ("torpedo", ("Sunk", "½/-", "5/3+C", "-/-"), ("sunk", "2", "2/1+D", "2-1")),
        ("critical", ("bridge", "bridge (A)"), ("Bridge", "engine", "")),
        ("barbette", ("1", "explodes", "0"), ("-", "boom", "1½")),
        ("stick", ("3.5", "0", "-"), ("", "3,5", "-1", "far")),
        ("penetration", ("9", "-", "0.5"), ("all", "½")),
    ],
)
def test_a_cell_accepts_only_its_kind_of_text(
    table: str, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    shape = SHAPES[table]
    assert [shape.fault(text) for text in good] == [None] * len(good)
    assert all(shape.fault(text) for text in bad)


@pytest.mark.parametrize(
    ("text", "kind", "halves"),
    [
        ("H", CodeKind.HULL, 2),
        ("h1.5", CodeKind.HULL, 3),
        ("A0.5", CodeKind.ARMAMENT, 1),
        ("A½", CodeKind.ARMAMENT, 1),
        ("A0", CodeKind.ARMAMENT, 0),
        ("H199½", CodeKind.HULL, 399),
        ("c", CodeKind.CRITICAL, 0),
        ("CA", CodeKind.PENETRATED, 0),
        ("S", CodeKind.SINKING, 0),
        ("Sunk", CodeKind.BROKEN_UP, 0),
    ],
)
def test_a_damage_code_is_read_by_its_meaning(text: str, kind: CodeKind, halves: int) -> None:
    """Count no armament box as hull, and half boxes as halves."""
    assert read_damage_code(text) == DamageCode(kind, halves)


@pytest.mark.parametrize("text", ["", "X", "H1.3", "H½½", "CC", "H٣", "H1000", "½", "H099"])
def test_an_unknown_damage_code_means_nothing(text: str) -> None:
    assert read_damage_code(text) is None


@pytest.mark.parametrize("kind", [CodeKind.HULL, CodeKind.ARMAMENT])
def test_boxes_are_read_back_as_written(kind: CodeKind) -> None:
    """Read decimals and fractions alike."""
    for halves in range(400):
        code = DamageCode(kind, halves)
        assert read_damage_code(code.in_decimals) == read_damage_code(code.in_fractions) == code


SCENARIOS = {"gq2-dogger-bank-1915": "day", "gq2-fourth-flotilla-1916": "night"}


def load_ships() -> dict[str, Ship]:
    """Load every ship of both fleets."""
    found: dict[str, Ship] = {}
    for name in SCENARIOS:
        battle = load_start(name)[1]
        found |= {**battle.reserve, **battle.ships}
    return found


SHIPS = load_ships()


FIGURES: dict[str, tuple[str, float, list[float], int, list[tuple[float, float]], tuple[str, int]]] = {
    "lion": ("BC", 9.5, [13.5, 11.5, 9, 7, 3.5], 8, [(13.5, 14.5), (4, 2)], ("standard", 2)),
    "tiger": ("BC", 9.5, [14, 11.5, 9.5, 7, 3.5], 7, [(13.5, 14.5), (6, 3)], ("standard", 4)),
    "new-zealand": ("BC", 6.5, [12.5, 10.5, 8.5, 6.5, 3], 8, [(12, 8.5), (4, 2)], ("light", 2)),
    "southampton": ("CL", 2, [13, 11, 8.5, 6.5, 3.5], 2, [(6, 2.5)], ("standard", 2)),
    "tipperary": ("TBD", 0.5, [15.5, 13, 10.5, 8, 4], 2, [(4, 1)], ("standard", 4)),
    "bluecher": ("CA", 6.5, [12.5, 10.5, 8.5, 6.5, 3], 8, [(8.2, 5.5), (5.9, 2)], ("light", 4)),
    "kolberg": ("CL", 1.5, [13, 11, 8.5, 6.5, 3.5], 3, [(4.1, 2)], ("light", 2)),
    "westfalen": ("BB", 10, [10, 8.5, 6.5, 5, 2.5], 8, [(11, 9.5), (5.9, 3), (3.5, 1.5)], ("light", 6)),
}
"""Worked by hand: class, DF, speeds, armament boxes, calibre and AF of each battery, torpedoes."""


@pytest.mark.parametrize("id", FIGURES)
def test_the_values_follow_from_the_facts(id: str) -> None:
    card = SHIPS[id].card
    code, df, hull, boxes, guns, torpedoes = FIGURES[id]
    assert (card["class"], card["df"], card["armament"]) == (code, df, boxes)
    assert [card[f"hull.{box}"] for box in range(1, 6)] == hull
    assert [(each.calibre, each.af) for each in list_batteries(SHIPS[id])] == [
        (to_fraction(inches), to_fraction(af)) for inches, af in guns
    ]
    assert (card["torpedoes.kind"], card["torpedoes.count"]) == torpedoes


def test_flash_protection_is_fitted_to_german_capital_ships_after_dogger_bank() -> None:
    fitted = {id for id, ship in SHIPS.items() if ship.card["flash_protection"]}
    assert fitted == {"westfalen", "nassau", "rheinland", "posen"}


SHIP = (
    'ruleset = "gq2"\n[[ship]]\nid = "ajax"\nname = "Ajax"\ndf = 4\nclass = "{code}"\nnation = "{nation}"\n'
    'hull = [12, 10, 8, 6, 3]\narmament = 3\n[[ship.battery]]\nname = "main"\ncalibre = 6\naf = {af}\n'
)


def write_fleet(folder: Path, code: str = "C", nation: str = "British", af: str = "4") -> Path:
    path = folder / "own.toml"
    path.write_text(SHIP.format(code=code, nation=nation, af=af), encoding="utf-8")
    return path


@pytest.mark.clause("GQ2-LOG-2")
@pytest.mark.parametrize(
    ("af", "told"),
    [
        ("4", ""),
        ("[4, 3, 1.5]", ""),
        ("[4, 3]", "battery.1.af: expected one AF for each of 3 armament boxes, found 2"),
        ("[4, 3, 2, 1]", "found 4"),
        ("[]", "or up to 99 in a list"),
        ('[4, "3", 1]', "battery 1 (main), af.2: expected a number"),
        ('"4"', "expected a number"),
    ],
)
def test_a_sheet_lists_the_af_for_each_number_of_boxes_or_states_one(
    tmp_path: Path, af: str, told: str
) -> None:
    """Refuse a list that is too short, and a wrong number in it."""
    faults = check_file(write_fleet(tmp_path, af=af), find_systems()).faults
    assert told in " ".join(map(str, faults))
    assert bool(faults) is bool(told)


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize(
    ("code", "nation", "told"),
    [
        ("B", "British", ()),
        ("tbd", "Imperial Japanese Navy", ()),
        ("merchant", "Russia", ()),
        ("destroyer", "French", ("class “destroyer”", "nearest known: DD")),
        ("Torpedo Boat", "Italian", ("nearest known: TB",)),
        ("DDD", "k.u.k. Kriegsmarine", ("nearest known: DD",)),
        ("XYZ", "Austria-Hungary", ("known: B, CA, DD, TBD, TB, merchant, submarine",)),
        ("BC", "Kaiserliche Marine", ("navy “Kaiserliche Marine”", "nearest known: German")),
        ("BC", "Gremany", ("nearest known: German",)),
        ("BC", "Chilean", ("it counts as any other; known: Austro-Hungarian, British",)),
        ("BC", "Peruvian", ("it counts as any other; known: Austro-Hungarian, British",)),
        ("BC", "Prussian", ("nearest known: German",)),
    ],
)
def test_check_names_an_unknown_class_and_navy(
    tmp_path: Path, code: str, nation: str, told: tuple[str, ...]
) -> None:
    """Warn of an unknown word, but refuse no fleet for it."""
    checked = check_file(write_fleet(tmp_path, code, nation), find_systems())
    assert not checked.faults
    assert len(checked.warnings) == bool(told)
    assert all(text in checked.warnings[0] for text in told)


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.parametrize("code", ["PB", "predreadnought", "Pre-Dreadnought"])
def test_a_predreadnought_is_read_as_b(tmp_path: Path, code: str) -> None:
    """Advise no code that no clause names."""
    assert not check_file(write_fleet(tmp_path, code, "British"), find_systems()).warnings
    session = played(battle(ship("ajax"), ship("rook", "red", **build_class(code)), phase="movement"))
    assert "doubled" in join_reasons(session, "mine rook 6")


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.parametrize(
    ("written_class", "near"),
    [
        ("gunboat", "PC or C by tonnage"),
        ("Sloop", "PC or C by tonnage"),
        ("AMC", "C"),
        ("armed merchant cruiser", "C"),
        ("auxiliary cruiser", "C"),
        ("AC", "CA"),
        ("armoured cruiser", "CA"),
        ("torpedo-gunboat", "TBD"),
        ("battleship", "B"),
        ("U-boat", "submarine"),
        ("AM", "C"),
        ("crusier", "C"),
        ("battelship", ""),
        ("predreadnougt", ""),
        ("armored cruser", ""),
        ("merchnt", ""),
        ("submarne", ""),
        ("CAA", ""),
        ("SM2", ""),
    ],
)
def test_a_class_is_advised_by_spelling_only_where_it_is_harmless(
    tmp_path: Path, written_class: str, near: str
) -> None:
    """Advise no class by spelling that doubles torpedo damage or abandons the ship."""
    (told,) = check_file(write_fleet(tmp_path, written_class, "British"), find_systems()).warnings
    assert told.endswith(f"nearest known: {near}" if near else "TB, merchant, submarine")


@pytest.mark.clause("GQ2-LOG-3")
@pytest.mark.clause("GQ2-CRI-9")
@pytest.mark.parametrize(("code", "abandoned"), [("AM", False), ("merchant", True), ("C", False)])
def test_am_is_no_known_class(code: str, abandoned: bool) -> None:
    """Abandon no armed merchant after a hit that does not penetrate."""
    session = played(
        battle(ship("ajax"), ship("rook", "red", **build_class(code))), "damage rook C", "roll 9"
    )
    assert (session.battle.ships["rook"].status == "abandoned") is abandoned


@pytest.mark.clause("GQ2-MV-1")
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_shipped_fleets_use_known_words(name: str) -> None:
    found = check_file(find_scenario(name), find_systems())
    assert (found.kind, found.faults, found.warnings) == ("scenario", (), ())


@pytest.mark.clause("GQ2-TOR-3")
@pytest.mark.parametrize(
    ("kind", "double"), [("battleship", True), ("armored-cruiser", True), ("dreadnought", False)]
)
def test_a_rated_card_has_the_class_that_doubles_torpedo_damage(kind: str, double: bool) -> None:
    """Rate no pre-dreadnought with a code that no clause names."""
    assert (CODE_BY_KIND[kind] in DOUBLY_DAMAGED) is double
