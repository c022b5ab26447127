"""Saves of format 1, made by version 0.1.0 and never made again: what they say now is what they said then.

Each `format_1/NAME.qfb` was made from `NAME.orders` with the scenario that it names, and each
`NAME.expected.json` is what version 0.1.0 said of it: all of `show --json`, and what each of several answers
to every open question did.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from qf_tui.cli import main
from qf_tui.document.acts import summary
from qf_tui.document.scripts import InputOrder, entered_row
from qf_tui.library.systems import find_systems
from qf_tui.session import Session

HERE = Path(__file__).parent / "format_1"
SAVES = sorted(HERE.glob("*.qfb"))
EACH = pytest.mark.parametrize("save", SAVES, ids=lambda path: path.stem)
ONE_A_SYSTEM = pytest.mark.parametrize(
    "save",
    [path if path.stem.endswith("-open") else pytest.param(path, marks=pytest.mark.long) for path in SAVES],
    ids=lambda path: path.stem,
)
"""Of each rule system the save with the most open questions, the others in the long profile."""

OWED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "advanced-quickfire": {
        "boats": ("",),
        "chart": (
            "boats place ::",
            "explosion place ::",
            "fire place ::",
            "fire place :: declared",
            "fire place place=text ::",
            "fire place place=text :: declared",
            "fire place place=text place=text ::",
            "fire place place=text place=text :: declared",
            "fire-check place :: mark",
            "sinking place ::",
            "t-hit place ::",
        ),
        "direction": ("",),
        "explosion": ("",),
        "fire": ("", "declared"),
        "fire-check": ("mark",),
        "repair": ("",),
        "sinking": ("",),
        "sx-check": ("",),
        "t-hit": ("",),
        "torpedo": ("", "declared"),
    },
    "gq2": {
        "barbette": ("",),
        "critical": ("number ", "number penetrated"),
        "damage-control": ("mark",),
        "fire": ("",),
        "marker": ("",),
        "sinking": ("",),
        "steam": ("",),
        "targeting": ("", "number", "number number", "number number number"),
        "torpedo": ("",),
        "torpedo-damage": ("", "light firer number", "standard firer number"),
        "wander": ("",),
        "who": ("", "number", "number number", "number number number"),
    },
    "quickfire": {
        "boats": ("",),
        "chart": (
            "boats place ::",
            "explosion place ::",
            "fire place ::",
            "fire place :: declared",
            "fire place place=text ::",
            "fire place place=text :: declared",
            "fire place place=text place=text ::",
            "fire place place=text place=text :: declared",
            "fire-check place :: mark",
            "sinking place ::",
            "torpedo place ::",
            "torpedo place :: declared",
        ),
        "direction": ("",),
        "explosion": ("",),
        "fire": ("", "declared"),
        "fire-check": ("mark",),
        "repair": ("",),
        "sinking": ("",),
        "speed-hits": ("",),
        "torpedo": ("", "declared"),
    },
    "quickfire-clone": {
        "blast": ("",),
        "choice": ("",),
        "collide": ("",),
        "direction": ("", "mark"),
        "explosion": ("",),
        "fire": ("", "declared"),
        "fire-check": ("mark",),
        "repair": ("",),
        "sinking": ("",),
        "speed-hits": ("",),
        "torpedo": ("", "declared"),
    },
}
"""Every line that each rule system may owe, as its rules say, with every form of `about` that it can have.

A form has a word for each item: `mark` the id of a mark, `place` a cell of the chart, `place=text` one that
was read out, `declared` what a carried attack is judged by, `number` a face or a turn; other words stand as
they are.
"""

ACTS: Mapping[str, Mapping[str, str]] = {
    "advanced-quickfire": {
        "boats": "str int",
        "fire": "str str str",
        "initiative": "str",
        "repair": "str",
        "rof": "str bool",
        "sinking": "",
        "sx-checked": "",
        "torpedo": "str",
        "torpedoes-out": "",
    },
    "gq2": {
        "at": "str str",
        "damaged": "str",
        "fire": "str str",
        "formation": "str",
        "sinking-tested": "",
        "torpedo": "int",
        "wander": "",
    },
    "quickfire": {
        "boats": "str",
        "fire": "str str str",
        "gunnery-ended": "",
        "regain": "",
        "repair": "str",
        "sinking": "",
        "torpedo": "str",
    },
    "quickfire-clone": {
        "collide": "str",
        "fire": "str str",
        "repair": "",
        "sinking": "",
        "torpedo": "str",
    },
}
"""Every kind of act that each rule system remembers, with the types of its data."""

OPS = [
    "add",
    "set",
    "card",
    "mark",
    "lift",
    "status",
    "act",
    "owe",
    "settle",
    "phase",
    "join",
    "option",
    "table",
    "chart",
    "doubt",
    "clear",
]
"""Every kind of effect."""

MENDS = {"strike", "restore", "undo", "redo", "amend", "shift"}
"""Every kind of correction but `insert`, which is an entry with its place."""


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    """The JSON lines that a command prints."""
    assert main(list(arguments)) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def expected(save: Path) -> Any:
    return json.loads(save.with_suffix(".expected.json").read_text(encoding="utf-8"))


@cache
def bodies(save: Path) -> list[Any]:
    """The lines of a save as they stand in the file, read by nothing of the program."""
    return [json.loads(line) for line in save.read_text(encoding="utf-8").splitlines()]


def effects(op: str) -> Iterator[tuple[str, Any]]:
    """The rule system and the value of each effect of a kind in all the saves."""
    for save in SAVES:
        head, *acts = bodies(save)
        for act in acts:
            for ruling in act.get("rulings", {}).values():
                yield from ((head["system"], part[3]) for part in ruling.get("effects", ()) if part[0] == op)


def form(line: str, about: list[str]) -> str:
    """The form of an `about`."""
    return " ".join(_word(line, item) for item in about)


def _word(line: str, item: str) -> str:
    if item.startswith("declared="):
        return "declared"
    if re.fullmatch(r"\d+\.\d+", item):
        return "mark"
    if item.isdecimal():
        return "number"
    if item.count("|") == 2:
        return "place=text" if "=" in item else "place"
    return "firer" if line == "torpedo-damage" and item not in ("standard", "light") else item


@EACH
def test_a_save_is_shown_as_it_was(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches an act, a reason, a ship's value or a question that is read otherwise than written."""
    assert told(capsys, "show", str(save), "--json") == [expected(save)["show"]]


@EACH
def test_what_its_entries_did_names_no_ship_twice(save: Path) -> None:
    """Catches whole sentences of an older version told behind the name that they begin with."""
    session = Session.look(save, find_systems())
    for act in session.timeline.log:
        effect = summary(session.system, session.timeline, act).effect
        for ship in session.battle.ships.values():
            assert not effect.startswith((f"{ship.name}: {ship.name}", f"{ship.name}: critical"))


@EACH
def test_a_save_verifies(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches a checksum that no longer fits, and what differs though no declared ruling explains it."""
    assert main(["verify", str(save)]) == 0
    assert "every checksum fits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("advanced-quickfire-answered", ("AQF-PH-9", "AQF-DAM-10", "AQF-GUN-17")),
        ("quickfire-answered", ("AQF-PH-8", "QF-GUN-7")),
    ],
)
def test_a_save_says_by_which_rulings_it_would_differ(
    name: str, clauses: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a changed ruling that old saves do not name."""
    save = next(each for each in SAVES if each.stem == name)
    assert main(["verify", str(save)]) == 0
    shown = capsys.readouterr().out
    assert [clause for clause in clauses if f"by a ruling changed in 0.2: {clause}\n" not in shown] == []


@ONE_A_SYSTEM
def test_every_open_question_takes_its_answers(save: Path) -> None:
    """Catches an open question whose facts are lost: it takes no answer, or decides it otherwise."""
    kept, session = expected(save), Session.look(save, find_systems())
    open_still = session.timeline
    keys = {owed["key"] for owed in kept["show"]["battle"]["owed"]}
    assert {row["order"].split()[1] for row in kept["answers"]} == keys
    for row in kept["answers"]:
        session.timeline = open_still
        entered = session.enter(row["order"])
        answered = json.loads(json.dumps(entered_row(session, InputOrder(1, row["order"]), entered)))
        same = _but_for_words(answered) == _but_for_words(row)
        mended = (save.stem, row["order"]) in ANSWERED_LATE
        assert same or mended or shown_otherwise(answered, row) & _declared(kept), answered


ANSWERED_LATE = {
    ("gq2-answered", "roll 126/critical/westfalen/1 4"),
    ("gq2-answered", "roll 126/critical/westfalen/2 4"),
}
"""Answers that owe damage control in a phase that is over: the sinking rolls behind it wait for it, as they
would have at the table, and come back with its die (GQ2-REP-1); the first version let them stand."""


def _but_for_words(row: Any) -> Any:
    """A row without the words of its reasons and of the table, and without what no clause stands behind.

    Which entries newer rulings alone decide otherwise is for `verify` to say, not for a row.
    """
    told = [{**one, "text": ""} for one in row.get("because", ()) if one.get("rule")]
    said = dict(row.get("consequences") or {})
    said.pop("rules_differ", None)
    said["table"] = len(said.get("table", ()))
    return {**row, "because": told, "consequences": said}


def shown_otherwise(now: Any, was: Any) -> set[str]:
    """The clauses, fields and lines of what one of two rows has and the other has not."""
    parts = [("because", "rule"), ("effects", "field"), ("owed", "line")]
    return {
        part.get(name, "")
        for row, other in ((now, was), (was, now))
        for place, name in parts
        for part in row.get(place, ())
        if part not in other.get(place, ())
    } - {""}


def _declared(kept: Any) -> set[str]:
    """The clauses and fields by which rulings changed since these saves show."""
    system = find_systems()[kept["show"]["battle"]["ruleset"]]
    return {shown for ruling in system.changed_rulings for shown in (ruling.clause, *ruling.seen_in)}


@EACH
def test_a_save_goes_on(save: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches a save that opens but takes no further act, or takes one after which it does not open."""
    kept = tmp_path / save.name
    copy(save, kept)
    session = Session.resume(kept, find_systems())
    entered = session.enter("note the evening goes on")
    session.close()
    assert entered.number == len(bodies(save))
    [shown] = told(capsys, "show", str(kept), "--json")
    assert shown["entries"][-1]["order"] == "note the evening goes on"
    assert shown["battle"] == expected(save)["show"]["battle"]
    assert main(["verify", str(kept)]) == 0


@EACH
def test_a_save_is_the_first_versions_own(save: Path) -> None:
    """Catches a save made anew by a later program, which would be no witness."""
    head = bodies(save)[0]
    assert (head["format"], head["program"]) == (1, "0.1.0")
    assert save.with_suffix(".orders").is_file()


def test_every_owed_line_is_there_in_every_form() -> None:
    """Catches a kind of question that no save holds, so that nothing would see it misread."""
    found: dict[str, dict[str, set[str]]] = {}
    for system, owed in effects("owe"):
        line = owed["line"]
        found.setdefault(system, {}).setdefault(line, set()).add(form(line, owed.get("about", [])))
    wanted = {system: {line: set(forms) for line, forms in lines.items()} for system, lines in OWED.items()}
    assert found == wanted


def test_every_owed_line_is_open_at_the_end_of_a_save() -> None:
    """Catches a kind of question that every save has answered: an open one is read again by its rules."""
    found: dict[str, set[str]] = {}
    for save in SAVES:
        shown = expected(save)["show"]["battle"]
        found.setdefault(shown["ruleset"], set()).update(owed["line"] for owed in shown["owed"])
    assert found == {system: set(lines) for system, lines in OWED.items()}


def test_every_kind_of_act_is_there() -> None:
    """Catches a kind of memory that no save holds, and one whose data have other types than they had."""
    found: dict[str, dict[str, set[str]]] = {}
    for system, act in effects("act"):
        types = " ".join(type(item).__name__ for item in act.get("data", []))
        found.setdefault(system, {}).setdefault(act["kind"], set()).add(types)
    assert found == {
        system: {kind: {types} for kind, types in kinds.items()} for system, kinds in ACTS.items()
    }


def test_every_kind_of_effect_and_correction_is_there() -> None:
    """Catches a kind of line that no save holds."""
    assert [op for op in OPS if not any(effects(op))] == []
    acts = [act for save in SAVES for act in bodies(save)[1:]]
    assert {act["mend"] for act in acts if "mend" in act} == MENDS
    assert any("after" in act for act in acts if "order" in act)
    states = {ruling.get("state") for act in acts for ruling in act.get("rulings", {}).values()}
    assert states == {None, "parked", "spare"}


def test_a_late_question_is_open_in_each_rule_system() -> None:
    """Catches late questions, those of an order put into a phase that was over, that no save holds open."""
    found = set()
    for save in SAVES:
        inserted = {act["n"] for act in bodies(save)[1:] if "order" in act and "after" in act}
        battle = expected(save)["show"]["battle"]
        found |= {battle["ruleset"] for owed in battle["owed"] if int(owed["key"].split("/")[0]) in inserted}
    assert found == set(OWED)
