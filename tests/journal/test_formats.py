"""Saves of format 1, made by version 0.1.0 and never made again, and what is new in format 2."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from attrs import evolve

from qf_tui.cli import main
from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Act, Owed, Ship
from qf_tui.core.verify import DifferenceKind, differences
from qf_tui.document.acts import summary
from qf_tui.document.scripts import InputOrder, entered_row
from qf_tui.journal.lines import written
from qf_tui.journal.reading import Save, SaveFault, read_save
from qf_tui.journal.save_summary import glance
from qf_tui.journal.saving import copy_save
from qf_tui.session import Session
from qf_tui.session.saves import rules_by
from tests.journal.making import sealed
from tests.systems import our_systems, started

OLD = Path(__file__).parent / "format_1"
SAVES = sorted(OLD.glob("*.qfb"))
EACH = pytest.mark.parametrize("save", SAVES, ids=lambda path: path.stem)
ONE_A_SYSTEM = pytest.mark.parametrize(
    "save",
    [path if path.stem.endswith("-open") else pytest.param(path, marks=pytest.mark.long) for path in SAVES],
    ids=lambda path: path.stem,
)
"""Of each rule system the save with the most open questions, the others in the long profile."""


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    """The JSON lines that a command prints."""
    assert main(list(arguments)) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def expected(save: Path) -> Any:
    return json.loads(save.with_suffix(".expected.json").read_text(encoding="utf-8"))


@EACH
def test_a_save_is_shown_as_it_was(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches an act, a reason, a ship's value or a question that is read otherwise than written."""
    assert told(capsys, "show", str(save), "--json") == [expected(save)["show"]]


@EACH
def test_what_its_entries_did_names_no_ship_twice(save: Path) -> None:
    """Catches whole sentences of an older version told behind the name that they begin with."""
    session = Session.look(save, SYSTEMS)
    for act in session.timeline.log:
        effect = summary(session.system, session.timeline, act).effect
        for ship in session.battle.ships.values():
            assert not effect.startswith((f"{ship.name}: {ship.name}", f"{ship.name}: critical"))


@EACH
def test_a_save_verifies(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches a checksum that no longer fits, and what differs though no declared ruling explains it."""
    assert main(["verify", str(save)]) == 0
    assert "all checksums match" in capsys.readouterr().out


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
    kept, session = expected(save), Session.look(save, SYSTEMS)
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
    system = SYSTEMS[kept["show"]["battle"]["ruleset"]]
    return {shown for ruling in system.changed_rulings for shown in (ruling.clause, *ruling.seen_in)}


@EACH
def test_a_save_goes_on(save: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches a save that opens but takes no further act, or takes one after which it does not open."""
    kept = tmp_path / save.name
    copy(save, kept)
    session = Session.resume(kept, SYSTEMS)
    entered = session.enter("note the evening goes on")
    session.close()
    assert entered.number == len(bodies(save))
    [shown] = told(capsys, "show", str(kept), "--json")
    assert shown["entries"][-1]["order"] == "note the evening goes on"
    assert shown["battle"] == expected(save)["show"]["battle"]
    assert main(["verify", str(kept)]) == 0


def test_a_save_is_the_first_versions_own() -> None:
    """Catches a save made anew by a later program, and one that is left out: neither would be a witness."""
    files = sorted(OLD.iterdir())
    whole = sha256(b"".join(path.name.encode() + path.read_bytes() for path in files))
    assert whole.hexdigest() == "16d2f84309a984c0c83ac29d82c446cadc39de9bf1f20e8324e8fd78796e68bc"


SYSTEMS: Mapping[str, RuleSystem] = our_systems()
ACTED = {"turn": 1, "phase": "gunnery", "kind": "b", "ship": "a"}
NOTED = {"rulings": {"1": {"because": [["x"]]}}}


def bodies(path: Path) -> list[Any]:
    """The lines of a save without their checksums."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{key: part for key, part in line.items() if key != "sum"} for line in lines]


def save_of(path: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """A save with those lines, its checksums right."""
    path.write_bytes(sealed(*map(written, lines)))
    return path


def read(path: Path) -> Save:
    return read_save(path, rules_by(SYSTEMS))


def begun(path: Path, name: str = "yellow-sea-1904", **more: Any) -> Session:
    """A battle in a new save."""
    system, start = started(name)
    return Session.begin(system, start, path, **more)


def continued(folder: Path, name: str = "gq2-answered") -> Path:
    """A save of format 1 with two acts more."""
    path = folder / "old.qfb"
    copy(OLD / f"{name}.qfb", path)
    session = Session.resume(path, SYSTEMS)
    session.enter("note one")
    session.enter("note two")
    session.close()
    return path


def test_a_save_of_format_1_goes_on_in_format_3_and_says_so_once(tmp_path: Path) -> None:
    path = continued(tmp_path)
    old, lines = bodies(OLD / "gq2-answered.qfb"), bodies(path)
    assert lines[: len(old)] == old, "what was written stays as it was"
    assert [line.get("format") for line in lines[len(old) :]] == [3, None]
    assert (read(path).header.format, read(path).format) == (1, 3)
    session = Session.resume(path, SYSTEMS)
    session.enter("undo")
    session.close()
    assert "format" not in bodies(path)[-1]
    assert bodies(path)[-1]["correction"] == "undo"
    assert main(["verify", str(path)]) == 0


def test_a_save_of_version_0_2_is_gone_on_with_and_verifies(tmp_path: Path) -> None:
    """Catches a rule that changes what an old entry means, and a key of a save that is read differently.

    The save is the sample battle as version 0.2.0 had it; it is never made anew.
    """
    path = tmp_path / "old.qfb"
    copy(Path(__file__).parent / "format_3" / "sample-0.2.0.qfb", path)
    session = Session.resume(path, SYSTEMS)
    assert session.program == "0.2.0"
    found = differences(session.system, session.timeline, session.program)
    assert {one.kind for one in found} <= {DifferenceKind.WORDS, DifferenceKind.RULING}
    before = session.battle
    session.enter("amend 4 3 8")
    session.enter("undo")
    assert session.battle == before
    session.enter("force next")
    session.close()
    assert main(["verify", str(path)]) == 0


def test_a_mixed_save_is_glanced_at_copied_and_branched(tmp_path: Path) -> None:
    path, acts = continued(tmp_path), len(bodies(OLD / "gq2-answered.qfb")) - 1
    assert glance(path).acts == acts + 2
    assert copy_save(path, tmp_path / "whole.qfb") == acts + 2
    assert read(tmp_path / "whole.qfb") == read(path)
    copy_save(path, tmp_path / "part.qfb", acts)
    assert read(tmp_path / "part.qfb").format == 1
    assert main(["branch", str(path), "--at", str(acts + 1), "--save", str(tmp_path / "b.qfb")]) == 0
    assert read(tmp_path / "b.qfb").format == 3


@pytest.mark.parametrize(
    ("header_format", "formats", "words"),
    [
        (2, (2,), "act 1): format 2 after lines of format 2"),
        (2, (1,), "act 1): format 1 after lines of format 2"),
        (1, (2, 1), "act 2): format 1 after lines of format 2"),
        (1, (2, 2), "act 2): format 2 after lines of format 2"),
        (1, (2, 3, 3), "act 3): format 3 after lines of format 3"),
        (1, (4,), "act 1): format 4 after lines of format 1"),
        (1, ("2",), "act 1): “2” is not a whole number"),
    ],
)
def test_a_format_that_does_not_go_up_is_refused(
    tmp_path: Path, header_format: int, formats: tuple[object, ...], words: str
) -> None:
    head = {**bodies(continued(tmp_path))[0], "format": header_format}
    head["start"] = {key: part for key, part in head["start"].items() if key != "reserve"}
    acts = [
        {"n": n, "format": each, "order": "note x", "rulings": {str(n): {}}}
        for n, each in enumerate(formats, 1)
    ]
    with pytest.raises(SaveFault) as fault:
        read(save_of(tmp_path / "new.qfb", [head, *acts]))
    assert words in str(fault.value)


@pytest.mark.parametrize(
    ("written_in", "changes", "words"),
    [
        (1, {"at": 5}, "unknown key “at”"),
        (1, {"by": "Anna"}, "unknown key “by”"),
        (2, {"proposal": "0"}, "unknown key “proposal”"),
        (2, {"nonce": "0"}, "unknown key “nonce”"),
        (1, {"call": 5}, "unknown key “call”"),
        (1, {"thrown": True}, "unknown key “thrown”"),
        (
            1,
            {"rulings": {"1": {"effects": [["owe", "a", "fire", {"line": "fire", "facts": {}}]]}}},
            "“facts”",
        ),
        (1, {"rulings": {"1": {"effects": [["join", "ghost", "", "british"]]}}}, "no ship “ghost” can join"),
        (
            1,
            {"rulings": {"1": {"effects": [["act", "a", "fire", {"kind": "fire", "data": ["x"]}]]}}},
            "its parts do not fit",
        ),
        (2, {"mend": "undo"}, "unknown key “mend”"),
        (2, {"at": -1}, "is not a number of seconds"),
        (2, {"at": None}, "is not a number of seconds"),
        (2, {"call": "5"}, "is not a whole number"),
        (2, {"estimated": 1}, "is not true or false"),
        (2, {"thrown": 1}, "is not true or false"),
        (2, {"rulings": {"1": {"effects": [["join", "ghost", "", "british"]]}}}, "not what was expected"),
        (
            2,
            {"rulings": {"1": {"effects": [["act", "a", "b", {**ACTED, "data": []}]]}}},
            "unknown key “data” @ $.rulings[1].effects",
        ),
    ],
)
def test_a_line_has_the_keys_of_its_own_format(
    tmp_path: Path, written_in: int, changes: dict[str, object], words: str
) -> None:
    head = bodies(OLD / "gq2-open.qfb")[0] if written_in == 1 else bodies(_empty(tmp_path))[0]
    head["format"] = written_in
    with pytest.raises(SaveFault) as fault:
        read(save_of(tmp_path / "new.qfb", [head, {"n": 1, "order": "note x", **NOTED, **changes}]))
    assert words in str(fault.value)


def _empty(folder: Path) -> Path:
    path = folder / "empty.qfb"
    begun(path).close()
    return path


SETTLED = {("act", "dealt"), ("act", "settles")}
SINCE: Mapping[str, set[tuple[str, str]]] = {
    "gq2": {("q", "measure"), ("q", "torpedo"), ("q", "wander-moves"), ("q", "wander-checks")},
    "advanced-quickfire": {("q", "initiative"), ("act", "s-hit"), *SETTLED},
    "quickfire": SETTLED,
    "quickfire-clone": SETTLED,
}
"""Questions and acts that no save of format 1 has kept with facts."""


def test_every_declared_fact_stands_in_an_old_save_and_every_fact_is_declared() -> None:
    """Catches a declaration that nothing keeps any more, and facts that no declaration knows."""
    found: dict[str, set[tuple[str, str]]] = {name: set() for name in SYSTEMS}
    for path in OLD.glob("*.qfb"):
        save = read(path)
        for act in save.log:
            for ruling in act.rulings.values():
                for effect in ruling.decision.effects:
                    value = effect.value
                    if isinstance(value, Act | Owed) and value.facts:
                        kind = ("act", value.kind) if isinstance(value, Act) else ("q", value.line)
                        found[save.header.system].add(kind)
    for name, system in SYSTEMS.items():
        declared = {("act", kind) for kind in system.facts.acts} | {
            ("q", line) for line in system.facts.questions
        }
        assert found[name] == declared - SINCE.get(name, set())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda facts: facts.pop("target"), "fact “target” is missing"),
        (lambda facts: facts.update(target=5), "fact “target”: a text was expected"),
        (lambda facts: facts.update(wind="fresh"), "unknown fact “wind”"),
    ],
)
def test_an_act_whose_facts_are_not_those_declared_is_refused(
    tmp_path: Path, change: Any, words: str
) -> None:
    path = tmp_path / "new.qfb"
    session = begun(path)
    for order in ("next", "fire mikasa heavy tsesarevich medium 5 8"):
        session.enter(order)
    session.close()
    lines = bodies(path)
    [act] = [part[3] for part in lines[2]["rulings"]["2"]["effects"] if part[2] == "fire"]
    change(act["facts"])
    with pytest.raises(QfError) as fault:
        Session.look(save_of(tmp_path / "wrong.qfb", lines), SYSTEMS)
    assert words in str(fault.value)
    assert "wrong.qfb: line 3 (act 2), what it remembers as “fire”" in str(fault.value)


def test_a_question_whose_facts_are_not_those_declared_is_refused(tmp_path: Path) -> None:
    lines = bodies(OLD / "gq2-open.qfb")
    for line in lines[1:]:
        for ruling in line.get("rulings", {}).values():
            for part in ruling.get("effects", []):
                if part[0] == "owe" and part[3]["line"] == "targeting":
                    part[3]["line"] = "critical"
    with pytest.raises(QfError, match="critical"):
        Session.look(save_of(tmp_path / "wrong.qfb", lines), SYSTEMS)


def test_without_its_rules_the_facts_of_an_old_save_have_numbers_and_no_rules_take_them() -> None:
    save = read_save(OLD / "gq2-open.qfb")
    facts = [
        effect.value.facts
        for act in save.log
        for ruling in act.rulings.values()
        for effect in ruling.decision.effects
        if isinstance(effect.value, Act) and effect.value.kind == "at"
    ]
    assert facts
    assert all(set(each) == {"0", "1"} for each in facts)


def test_an_old_join_brings_the_ship_of_the_header() -> None:
    for path in OLD.glob("*.qfb"):
        save, head = read(path), bodies(path)[0]
        for act in save.log:
            for ruling in act.rulings.values():
                for effect in ruling.decision.effects:
                    if effect.op is Op.JOIN:
                        assert isinstance(effect.value, Ship)
                        kept = save.header.start.reserve[effect.ship]
                        assert effect.value == evolve(kept, side=effect.value.side)
                        assert effect.ship in head["start"]["reserve"]


def test_a_join_brings_its_ship_whole_and_the_header_holds_no_navy(tmp_path: Path) -> None:
    path = tmp_path / "new.qfb"
    session = begun(path)
    id, ship = next(iter(session.battle.reserve.items()))
    entered = session.enter(f"join {session.battle.sides[0].id} {id}")
    session.close()
    assert "reserve" not in bodies(path)[0]["start"]
    assert entered.act.version is not None
    assert entered.act.version.arrivals == (ship,)
    opened = Session.resume(path, SYSTEMS)
    assert (
        opened.battle.ships[id] == session.battle.ships[id] == evolve(ship, side=session.battle.sides[0].id)
    )
    assert main(["verify", str(path)]) == 0
    opened.enter("strike 1")
    assert id not in opened.battle.ships
    opened.enter("restore 1")
    assert opened.battle.ships[id] == session.battle.ships[id]
    opened.close()
    assert main(["verify", str(path)]) == 0


def test_an_act_says_when_it_was_entered_and_a_resumed_battle_counts_on(tmp_path: Path) -> None:
    path, ticks = tmp_path / "new.qfb", iter((100.0, 102.26, 200.0))
    session = begun(path)
    session.enter("note before the clock")
    session.start_clock(lambda: next(ticks))
    session.enter("note a")
    session.enter("undo")
    session.close()
    later = iter((5000.0, 5001.0))
    resumed = Session.resume(path, SYSTEMS)
    resumed.start_clock(lambda: next(later))
    resumed.enter("note b")
    assert [act.at for act in resumed.timeline.log] == [None, 2.3, 100.0, 101.0]
    assert resumed.timeline.log == read(path).log
    resumed.close()


EXTRA = {"tides": {"high": "a1"}, "weather": [1, "x", None, {"deep": [0.5]}]}


def test_extra_parts_are_kept_copied_and_mentioned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.qfb"
    begun(path, extra=EXTRA).close()
    assert read(path).header.extra == EXTRA
    copy_save(path, tmp_path / "copy.qfb")
    session = Session.resume(tmp_path / "copy.qfb", SYSTEMS)
    assert session.extra == EXTRA
    assert session.notice == (
        "copy.qfb: it also holds “tides”, “weather”, and this program keeps them unread."
    )
    session.enter("note it goes on")
    session.close()
    assert read(tmp_path / "copy.qfb").header.extra == EXTRA
    assert Session.look(path, SYSTEMS).notice.startswith("new.qfb: it also holds “tides”")
    assert main(["check", str(path)]) == 0
    assert "warning: it also holds “tides”, “weather”" in capsys.readouterr().out
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().out.startswith("new.qfb: it also holds “tides”")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_no_line_holds_what_is_no_number(tmp_path: Path, number: str) -> None:
    body = written({**bodies(_empty(tmp_path))[0], "extra": {"x": 1}}).replace(
        b'"x":1', b'"x":' + number.encode()
    )
    (tmp_path / "new.qfb").write_bytes(sealed(body))
    with pytest.raises(SaveFault, match="not JSON"):
        read(tmp_path / "new.qfb")
