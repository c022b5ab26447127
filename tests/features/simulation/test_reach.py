"""Ships that a scenario puts out of reach of others: they attack no such enemy, and people can read why."""

from pathlib import Path
from random import Random

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.values import Order
from qf_tui.features.editor.writers import read_draft, write_draft
from qf_tui.features.simulation import SIMULATION
from qf_tui.features.simulation.doctrines import DOCTRINES, HOLD
from qf_tui.features.simulation.document import Subject, build_simulation_document
from qf_tui.features.simulation.jobs import BattleVariant, apply_variant
from qf_tui.features.simulation.lines import BattleLine, Sea, is_in_contact
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import Playout
from qf_tui.features.simulation.simulate import SimulationResult
from qf_tui.library.check import check_file
from qf_tui.library.scenarios import find_scenario, load_scenario
from tests.features.simulation.duels import SYSTEMS, format_scenario, load_duel

BOTH = 'mutual = true\nsource = "the chart"\n'
ONE_WAY = 'source = "the chart"\n'
SQUADRON = (
    '[[side.division]]\nname = "{0}"\nships = ["{1}"]\n[[side.division]]\nname = "{2}"\nships = ["{3}"]\n'
)


FAR_SHIP = 'ships = ["@far"]\ntargets = ["Blue"]\n' + ONE_WAY


def build_model(key: str, rules: str = "advanced-quickfire") -> BattleModel:
    """Build a battle of two against two; each of red's ships is a division, and the first one is apart."""
    divisions = SQUADRON.format("far", "asama", "near", "tokiwa")
    of_red = f"{divisions}\n[[cannot_reach]]\n{key}" if key else divisions
    return BattleModel(*load_duel(("mikasa", "asahi"), ("asama", "tokiwa"), rules, "opens = 10", of_red))


def list_shots(model: BattleModel, doctrine: str = "hold") -> set[tuple[str, str]]:
    """Play two turns; return who attacked whom."""
    shots: set[tuple[str, str]] = set()

    class Watched(Playout):
        def enter(self, order: Order) -> None:
            super().enter(order)
            if target := order.text("target"):
                shots.add((order.text("ship") or order.text("firer"), target))

    playout = Watched(model, dict.fromkeys(model.sides, DOCTRINES[doctrine]), Random(1))
    while playout.battle.turn < 3:
        playout.play_phase()
    return shots


@pytest.mark.parametrize("doctrine", sorted(DOCTRINES))
@pytest.mark.parametrize(
    ("key", "barred"),
    [
        ('ships = ["r-asama"]\ntargets = ["Blue"]\n' + BOTH, {("r-asama", "*"), ("*", "r-asama")}),
        (FAR_SHIP, {("r-asama", "*")}),
        ('ships = ["Blue"]\ntargets = ["r-asama"]\n' + ONE_WAY, {("*", "r-asama")}),
        (
            'ships = ["b-mikasa"]\ntargets = ["@far"]\n' + BOTH,
            {("b-mikasa", "r-asama"), ("r-asama", "b-mikasa")},
        ),
    ],
    ids=("both ways", "attacker", "target", "one of each"),
)
def test_a_ship_attacks_no_enemy_out_of_her_reach(
    key: str, barred: set[tuple[str, str]], doctrine: str
) -> None:
    shots = list_shots(build_model(key), doctrine)
    assert shots
    for ship, target in shots:
        assert barred.isdisjoint({(ship, target), (ship, "*"), ("*", target)})


def test_the_same_ships_fire_at_each_other_without_the_key() -> None:
    """Guard against the tests above passing because a ship never fires."""
    shots = list_shots(build_model(""), "close")
    assert {"r-asama", "r-tokiwa"} <= {ship for ship, _ in shots}
    assert {"r-asama"} <= {target for _, target in shots}


def test_a_double_is_out_of_reach_like_her_sister() -> None:
    model = build_model('ships = ["r-asama"]\ntargets = ["Blue"]\n' + BOTH)
    doubled = apply_variant(model.system, model.start, BattleVariant(twice=("r-asama", "b-mikasa")))
    barred = BattleModel(model.system, doubled).barred
    assert barred["r-asama-double"] == {"b-mikasa", "b-asahi", "b-mikasa-double"}
    assert barred["b-mikasa-double"] == {"r-asama", "r-asama-double"}


def test_a_battle_in_which_nobody_reaches_anybody_is_refused() -> None:
    with pytest.raises(QfError, match="no ship can attack"):
        _ = build_model('ships = ["Red"]\ntargets = ["Blue"]\n' + BOTH).reach
    assert build_model('ships = ["Red"]\ntargets = ["Blue"]\n' + ONE_WAY).reach == build_model("").reach


def test_a_line_steers_for_no_enemy_out_of_reach() -> None:
    blue, near, far = (
        BattleLine(side, "", (id,), 6.0, across=across)
        for side, id, across in (("blue", "b", 0.0), ("red", "near", 10.0), ("red", "far", 20.0))
    )
    barred = {"b": {"near"}, "near": {"b"}}
    sea = Sea((blue, near, far), 60.0, barred=barred)
    assert sea.find_opponent(blue) is far
    assert sea.find_opponent(near) is None
    assert not is_in_contact(Sea((blue, near), 60.0, barred=barred), "blue", (False, False))
    one_way = Sea((blue, near, far), 60.0, barred={"b": {"near"}})
    assert one_way.find_opponent(blue) is near


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        (
            'ships = ["r-asahi"]\ntargets = ["Blue"]\n' + BOTH,
            "cannot_reach 1: no ship, side or @division “r-asahi”",
        ),
        (
            'ships = ["@fort"]\ntargets = ["Blue"]\n' + BOTH,
            "cannot_reach 1: no ship, side or @division “@fort”",
        ),
        ('ships = ["Blue"]\ntargets = ["Green"]\n' + BOTH, "no ship, side or @division “green”"),
        ('ships = ["Blue"]\ntargets = ["Red"]\n', "cannot_reach 1, source: is missing"),
        ('ships = ["Blue"]\ntargets = ["Red"]\nwhy = "so"\n' + BOTH, "cannot_reach 1, why: no such key"),
    ],
)
def test_check_refuses_unknown_names_and_a_missing_source(key: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    path.write_text(format_scenario(("mikasa",), ("asama",), of_red=f"[[cannot_reach]]\n{key}"))
    (found,) = check_file(path, SYSTEMS).faults
    assert fault in f"{found}"


@pytest.mark.parametrize("rules", ["advanced-quickfire", "quickfire", "quickfire-clone"])
def test_the_luneta_battery_fires_at_nobody_off_cavite(rules: str) -> None:
    """Detect the battery that decided the battle although the scenario says that she cannot reach it."""
    system, battle = load_scenario("manila-bay-1898", SYSTEMS, rules)
    model = BattleModel(system, battle)
    usa = {id for id, ship in model.all_ships.items() if ship.side == "usa"}
    assert model.barred["luneta-battery"] == usa
    assert all(model.barred[id] == {"luneta-battery"} for id in usa)
    playout = Playout(model, dict.fromkeys(model.sides, HOLD), Random(1))
    while playout.battle.turn < 2:
        assert not list(playout.find_attacks("luneta-battery"))
        playout.play_phase()
    assert system.can_fight(playout.battle, playout.battle.ships["luneta-battery"])


@pytest.mark.usefixtures("home")
def test_a_set_up_without_a_named_side_or_ship_drops_the_statement() -> None:
    """Detect a set-up that cannot be saved because a key that it does not show names a ship that is gone."""
    draft = read_draft(find_scenario("manila-bay-1898"), SYSTEMS)
    kept = load_scenario(write_draft(draft, SYSTEMS), SYSTEMS)[1]
    assert list(SIMULATION.describe_start(SYSTEMS["advanced-quickfire"], kept))
    renamed = load_scenario(write_draft(draft.change_side(0, name="Dewey"), SYSTEMS), SYSTEMS)[1]
    assert not list(SIMULATION.describe_start(SYSTEMS["advanced-quickfire"], renamed))


def test_the_scenario_page_and_the_results_say_who_cannot_reach_whom() -> None:
    system, battle = load_scenario("manila-bay-1898", SYSTEMS)
    says = "luneta-battery and USA cannot reach each other. Source: The batteries at Manila fired"
    (note,) = SIMULATION.describe_start(system, battle)
    assert note.lines[0].startswith(says)
    results = build_simulation_document(Subject(system, battle, "1"), SimulationResult({}))
    assert any(line.text.startswith(says) for line in results.lines)
    (one_way,) = SIMULATION.describe_start(system, build_model(FAR_SHIP).start)
    assert one_way.lines == ("@far cannot reach Blue. Source: the chart",)
    assert not list(SIMULATION.describe_start(system, build_model("").start))
