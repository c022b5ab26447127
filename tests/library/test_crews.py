"""Crews in scenarios: read, checked and written back."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from qf_tui.core.crews import (
    AS_BUILT,
    BUILT,
    CREWS,
    STATED,
    Crew,
    list_crewed_values,
    read_card_crew,
    with_crews,
)
from qf_tui.core.values import Ship
from qf_tui.document.glance import build_card_document, format_crew, list_crews
from qf_tui.document.muster import format_ship
from qf_tui.document.values import LogBoxes
from qf_tui.features.editor.writers import build_documents, read_draft
from qf_tui.features.editor.writers import write_draft as write_draft
from qf_tui.library.check import check_file
from qf_tui.library.paths import HOME_VARIABLE, find_own_folder, find_shipped_folder, read_toml
from qf_tui.library.scenarios import load_scenario, read_named_scenario
from tests.library.sloops import FLEET, SYSTEMS, format_sloop, write
from tests.systems import OURS, find_our_systems, find_systems_and_books, load_start
from tests.tiny import SYSTEM as TINY

HEAD = 'title = "A day"\nruleset = "sloops"\n'
SIDE = '\n[[side]]\nname = "The East"\nfleet = "east.toml"\n'
STEPS = 'gunnery = -1\nshells = 2\ncrews_source = "a book"\n'
VAN = '[[side.division]]\nname = "van"\nships = ["owl"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    battery = '[[ship.battery]]\nname = "main"\ncalibre = 10\n'
    fleet = FLEET + format_sloop("wren", more=battery) + format_sloop("owl") + format_sloop("crane")
    for place in (find_own_folder("fleets"), find_own_folder("scenarios")):
        write(place, "east.toml", fleet)
    return find_own_folder("scenarios")


def read_crews(ships: Mapping[str, Ship]) -> dict[str, Crew]:
    return {id: read_card_crew(ship.card) for id, ship in ships.items()}


@pytest.mark.parametrize(
    ("text", "wren", "owl"),
    [
        ("", AS_BUILT, AS_BUILT),
        (STEPS, Crew(-1, 2, "a book"), Crew(-1, 2, "a book")),
        (f"{STEPS}{VAN}gunnery = 0\n", Crew(-1, 2, "a book"), Crew(0, 2, "a book")),
        (f"{STEPS}{VAN}gunnery = 0\nshells = 0\n", Crew(-1, 2, "a book"), AS_BUILT),
        (f"{VAN}{STEPS}", AS_BUILT, Crew(-1, 2, "a book")),
    ],
)
def test_a_side_has_its_steps_and_a_division_its_own(folder: Path, text: str, wren: Crew, owl: Crew) -> None:
    path = write(folder, "day.toml", HEAD + SIDE + text)
    found = load_scenario(path, SYSTEMS, crews=STATED)[1].ships
    assert (read_card_crew(found["wren"].card), read_card_crew(found["owl"].card)) == (wren, owl)
    cards = [(20 + each.gunnery, 10 + each.shells) for each in (wren, owl)]
    assert (found["wren"].card["gunnery.heavy"], found["wren"].card["battery.1.calibre"]) == cards[0]
    assert found["owl"].card["gunnery.heavy"] == cards[1][0]
    again = load_scenario(write_draft(read_draft(path, SYSTEMS), SYSTEMS), SYSTEMS, crews=STATED)[1]
    assert again.ships == found
    built = load_scenario(path, SYSTEMS)[1].ships
    assert read_crews(built) == dict.fromkeys(built, AS_BUILT)
    assert (built["wren"].card["gunnery.heavy"], built["wren"].card["battery.1.calibre"]) == (20, 10)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gunnery = 4\n", "side 1 (The East), gunnery: expected a whole number from -3 to 3, found 4"),
        ("shells = 0.5\n", "side 1 (The East), shells: expected a whole number from -3 to 3, found 0.5"),
        (
            f"{VAN}crews_source = 3\n",
            "side 1 (The East), division 1 (van), crews_source: expected text, found 3",
        ),
        ("shells = -1\n", "side 1 (The East): state the source of the steps in crews_source"),
    ],
)
def test_check_reports_faults_of_crews(folder: Path, text: str, told: str) -> None:
    checked = check_file(write(folder, "day.toml", HEAD + SIDE + text), SYSTEMS)
    assert [*map(str, checked.faults), *checked.warnings] == [told]


def test_rules_without_steps_leave_them_out_with_a_message(folder: Path) -> None:
    text = f'title = "A day"\nruleset = "sloops"\n{SIDE}{STEPS}{VAN}gunnery = 1\n'
    path = write(folder, "day.toml", text)
    read = read_named_scenario(path, {**SYSTEMS, "tiny": TINY}, "tiny")
    assert {"The East: gunnery -1", "The East: shells 2", "van: gunnery 1"} <= set(read.left_out)


def test_the_editor_keeps_the_crews_of_a_changed_side(folder: Path) -> None:
    path = write(folder, "day.toml", HEAD + SIDE + STEPS)
    made = read_draft(path, SYSTEMS).change_side(0, name="East")
    (side,) = build_documents(made, SYSTEMS["sloops"]).scenario["side"]
    assert {key: side[key] for key in ("name", "gunnery", "shells")} == {
        "name": "East",
        "gunnery": -1,
        "shells": 2,
    }


@pytest.mark.parametrize(
    "path", sorted(find_shipped_folder("scenarios").glob("*.toml")), ids=lambda path: path.stem
)
def test_steps_in_shipped_scenarios_have_a_source_and_at_most_three_a_side(path: Path) -> None:
    data = read_toml(path)
    sides = data["side"]
    for said in (*sides, *(division for side in sides for division in side.get("division", ()))):
        steps = [int(said.get(key, 0)) for key in ("gunnery", "shells")]
        assert sum(map(abs, steps)) <= 3
        assert not any(steps) or len(said["crews_source"]) > 40


CREWED = {
    *("chemulpo-1904", "gq2-dogger-bank-1915", "manila-bay-1898", "port-arthur-1904"),
    *("port-arthur-1904-evening", "santiago-1898", "tsushima-1905", "ulsan-1904", "yalu-1894"),
    "yellow-sea-1904",
}
"""Shipped scenarios that state steps of crews."""


@pytest.mark.parametrize("name", sorted(CREWED))
def test_shipped_battles_begin_with_values_as_built_by_default(name: str) -> None:
    """Detect a stated step that looks like a value of the rules."""
    systems = find_our_systems()
    system, built = load_scenario(name, systems)
    _, stated = load_scenario(name, systems, crews=STATED)
    every, stepped = ({**battle.ships, **battle.reserve} for battle in (built, stated))
    assert read_crews(every) == dict.fromkeys(every, AS_BUILT)
    changed = {id for id, ship in stepped.items() if ship.card != every[id].card}
    assert changed
    assert changed == {id for id, crew in read_crews(stepped).items() if crew.steps}
    assert with_crews(system, stated, lambda ship: AS_BUILT).ships == built.ships
    for (_, id), values in system.attested.items():
        for value in values if id in every else ():
            assert every[id].card[value.key] == value.value
    assert (CREWS in built.table, stated.table[CREWS]) == (False, STATED)


def test_ten_shipped_battles_have_crews() -> None:
    systems = find_our_systems()
    named = {path.stem for path in find_shipped_folder("scenarios").glob("*.toml")}
    assert {name for name in named if read_named_scenario(name, find_systems_and_books()).crews} == CREWED
    assert len(CREWED) == 10
    mikasa = load_scenario("tsushima-1905", systems)[1].ships["mikasa"].card
    assert (mikasa["rof.heavy"], mikasa["gunnery.heavy"]) == (7, 20)


@pytest.mark.parametrize(
    ("said", "asked", "counts"),
    [
        ("", "", False),
        ("", BUILT, False),
        ("", STATED, True),
        ('crews = "as-stated"\n', "", True),
        ('crews = "as-stated"\n', BUILT, False),
        ('crews = "as-built"\n', STATED, True),
    ],
)
def test_the_scenario_decides_about_crews_unless_the_caller_does(
    folder: Path, said: str, asked: str, counts: bool
) -> None:
    path = write(folder, "day.toml", f"{HEAD}{said}{SIDE}{STEPS}")
    battle = load_scenario(path, SYSTEMS, crews=asked)[1]
    assert (battle.table.get(CREWS) == STATED) is counts
    assert bool(read_card_crew(battle.ships["wren"].card).steps) is counts
    assert read_named_scenario(path, SYSTEMS).crews["wren"] == Crew(-1, 2, "a book")


def test_check_reports_an_unknown_choice_of_crews(folder: Path) -> None:
    path = write(folder, "day.toml", f'{HEAD}crews = "perhaps"\n{SIDE}{STEPS}')
    (fault,) = check_file(path, SYSTEMS).faults
    assert str(fault).startswith("crews: expected ")


def test_the_choice_is_no_switch_and_no_condition_of_the_table() -> None:
    """Detect a choice that could change during a battle."""
    for system in find_our_systems().values():
        assert CREWS not in {option.name for option in system.options}
        assert CREWS not in {field.name for field in system.conditions}


@pytest.mark.parametrize("name", OURS)
def test_a_card_shows_how_its_crew_was_computed(name: str) -> None:
    system, start = load_start("yellow-sea-1904", name)
    crewed = with_crews(
        system, start, lambda ship: Crew(-1, 1, "a book") if ship.side == "japan" else AS_BUILT
    )
    mikasa, retvizan = crewed.ships["mikasa"], crewed.ships["retvizan"]
    told = format_crew(system, mikasa.card)
    assert told.startswith("gunnery -1, shells +1 · ")
    for key, how in list_crewed_values(system, mikasa.card):
        assert f" {how}: {mikasa.card[key]}" in told
    assert format_crew(system, retvizan.card) == ""
    assert told in format_ship(system, mikasa.card)
    shown = [
        block for block in build_card_document(system, crewed, mikasa).blocks if isinstance(block, LogBoxes)
    ]
    assert told in "".join(span.text for block in shown for span in block.boxes)
    assert list_crews(crewed) == {"Crews as stated": ("Japan: gunnery -1, shells +1. a book",)}
