"""A battle of five turns whose ships have names that markup, columns or a pipe might trip over."""

from pathlib import Path

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Owed
from qf_tui.library.paths import shipped
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.cli.calling import Caller

LONG = "The Most Honourable and Puissant Ironclad Duke of Northumberland"
NAMES = {"Mikasa": "[/", "Massena": LONG, "Borodino": "HMS [Red] Lion", "Ohio": "艦 Kongō"}
SHOTS = (
    "fire mikasa heavy borodino long 4 8",
    "fire borodino heavy mikasa medium 3 11",
    "fire massena light ohio medium 2 9",
    "fire ohio heavy massena pb 5 4",
)
TURNS = 5


def _fleet(folder: Path) -> None:
    """Puts the rules' examples under hostile names on the user's own paths."""
    text = (shipped("fleets") / "rulebook-examples.toml").read_text(encoding="utf-8")
    for plain, hostile in NAMES.items():
        name = plain.lower()
        text = text.replace(f'id = "{name}"\n', "").replace(
            f'name = "{plain}"', f'id = "{name}"\nname = "{hostile}"'
        )
    folder.mkdir(parents=True)
    (folder / "rulebook-examples.toml").write_text(text, encoding="utf-8")


def _battle(system: RuleSystem, start: Battle) -> list[str]:
    """The orders of some turns, with the rolls that they make owed."""
    session = Session.begin(system, start)
    orders: list[str] = []

    def enter(order: str) -> None:
        session.enter(order)
        orders.append(order)
        while session.battle.owed:
            answer = _answer(session.battle.owed[0])
            session.enter(answer)
            orders.append(answer)

    enter("move mikasa,massena 6")
    while session.battle.turn <= TURNS:
        if session.battle.phase == "first-gunnery":
            for shot in SHOTS:
                if session.preview_order(shot).fine:
                    enter(shot)
        if session.battle.phase == "repair":
            for one in session.system.may_act(session.battle):
                enter(f"repair {one.ship} {one.what.split()[0].rstrip(',')} 6")
        enter("next")
    return orders


def _answer(owed: Owed) -> str:
    if owed.dice:
        return f"roll {owed.key} {' '.join(str(min(7, die.most)) for die in owed.dice)}"
    return f"answer {owed.key} {owed.words[0]}"


def test_five_turns_are_run_saved_shown_and_verified_with_names_as_they_are(call: Caller) -> None:
    _fleet(call.folder / "home" / "fleets")
    system, start = load_scenario("rulebook-examples", find_systems())
    assert start.ships["mikasa"].name == "[/"
    orders = "\n".join((*_battle(system, start), "doubt 2", "settle 2", "undo 3", "redo 1", "undo", "redo"))
    save = call.folder / "hostile.qfb"
    ran = call("run", "rulebook-examples", "--orders", call.orders(orders), "--save", save)
    assert ran.status == 0, ran.out
    for name in NAMES.values():
        assert name in ran.out
    shown = call("show", save)
    assert shown.status == 0
    assert all(name in shown.out for name in NAMES.values())
    assert call("verify", save).status == 0
    rows = call("run", save, "--orders", call.orders("note [/ 艦"), "--json").rows
    assert rows[-1]["battle"]["turn"] > TURNS
