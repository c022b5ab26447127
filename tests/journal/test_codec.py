"""Values into JSON and strictly back, with the plan of a battle."""

import copy
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.decisions import Decision, Op, Reason, ReasonKind
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Correction, CorrectionKind, LogAct, Ruling
from qf_tui.core.values import Condition, Due, Plan, Points
from qf_tui.journal.codec import (
    Header,
    decode_act,
    decode_header,
    decode_value,
    encode_act,
    encode_header,
    encode_value,
)
from qf_tui.journal.lines import Misread, decode_json, encode_json, unseal
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.journal.saving import copy_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder
from qf_tui.session.session import branch_save, copy_to
from tests.journal.making import HEADERS, JSON, VALUES, build_shot, build_small_header, draw_logs, seal_lines
from tests.systems import load_start


@given(draw_logs())
def test_acts_come_back_equal_in_every_type(log: tuple[LogAct, ...]) -> None:
    for act in log:
        back = decode_act(decode_json(encode_json(encode_act(act))))
        assert back == act
        assert repr(back) == repr(act)


@given(HEADERS)
def test_headers_come_back_equal_in_every_type(head: Header) -> None:
    back = decode_header(decode_json(encode_json(encode_header(head))))
    assert back == head
    assert repr(back) == repr(head)


@pytest.mark.parametrize(
    "save",
    [
        find_shipped_folder("saves") / "yellow-sea-1904.qfb",
        Path(__file__).parent / "format_3" / "sample-0.2.0.qfb",
    ],
)
def test_the_lines_of_a_save_are_written_as_they_were_read(save: Path) -> None:
    """Keep the place of each key, and write no part at its default."""
    before, bodies = "", list[bytes]()
    for line in save.read_bytes().splitlines():
        body, before = unseal(line, before) or (b"", "")
        bodies.append(body)
    head, *acts = map(decode_json, bodies)
    assert encode_json(encode_header(decode_header(head))) == bodies[0]
    assert [encode_json(encode_act(decode_act(act))) for act in acts] == bodies[1:]


def test_every_kind_of_effect_is_drawn() -> None:
    """Notice a new kind in the core that is not tested here."""
    assert set(VALUES) == set(Op)


def test_an_entry_is_compact_and_legible() -> None:
    assert encode_json(encode_act(build_shot(12))).decode() == (
        '{"n":12,"order":"fire mikasa heavy orel long","dice":[5,8],"rulings":{"12":{"effects":['
        '["add","mikasa","rof",-1],'
        '["act","mikasa","fired",'
        '{"turn":1,"phase":"first-gunnery","kind":"fired","ship":"mikasa","facts":{"battery":"heavy"}}],'
        '["owe","orel","direction",{"key":"12/direction/orel/1","line":"direction","ship":"orel",'
        '"prompt":"direction of Orel","dice":[[12]]}]],'
        '"because":[["20 against 10: 200%","AQF-GUN-5","attested","gunnery long"]],'
        '"outcome":{"fired":true,"hits":["S","G"]}}}}'
    )


def test_only_dice_that_the_console_threw_are_marked() -> None:
    typed = build_shot(12)
    thrown = evolve(typed, version=evolve(typed.version, thrown=True))
    amended = Correction(13, CorrectionKind.AMEND, (12,), thrown.version)
    assert b"thrown" not in encode_json(encode_act(typed))
    for act in (thrown, amended):
        assert b'"thrown":true' in encode_json(encode_act(act))
        assert decode_act(decode_json(encode_json(encode_act(act)))) == act


def _build_body(**parts: object) -> dict[str, object]:
    return {"n": 1, "order": "note x", "rulings": {"1": parts}}


WRONG_ACTS: tuple[tuple[object, str], ...] = (
    ([], "an object"),
    ({"n": 1}, "correction is missing"),
    ({"order": "note x"}, "n is missing"),
    ({"n": 1.0, "order": "note x"}, "whole number"),
    ({"n": True, "order": "note x"}, "whole number"),
    ({"n": 10**15, "order": "note x"}, "whole number"),
    ({"n": 1, "order": 5}, "not a text"),
    ({"n": 1, "order": "  "}, "empty"),
    ({"n": 1, "order": "roll"}, "“roll” does not name the question that it answers"),
    ({"n": 1, "order": "answer yes"}, "does not name the question that it answers"),
    ({"n": 1, "order": "roll x/fire/ant/1"}, "does not name the question that it answers"),
    ({"n": 1, "order": "note x", "correction": "undo"}, "unknown key “correction”"),
    ({"n": 1, "order": "note x", "dice": "58"}, "not a list"),
    ({"n": 1, "order": "note x", "dice": [5.0]}, "whole number"),
    ({"n": 1, "order": "note x", "forced": 1}, "true or false"),
    ({"n": 1, "order": "note x", "after": None}, "whole number"),
    ({"n": 1, "order": "note x", "overlay": {"g": {"name": "g"}}}, "missing"),
    ({"n": 1, "order": "note x", "overlay": {"g": {"name": "g", "title": "G", "rows": [], "x": 1}}}, "“x”"),
    ({"n": 1, "correction": "mend", "targets": [1]}, "is not a correction kind"),
    ({"n": 1, "correction": "undo", "targets": 1}, "not a list"),
    ({"n": 1, "correction": "amend", "targets": [1], "version": None}, "an object"),
    ({"n": 1, "order": "note x", "rulings": {"01": {}}}, "number of an entry"),
    ({"n": 1, "order": "note x", "rulings": {"x": {}}}, "number of an entry"),
    (_build_body(state="gone"), "is not a state"),
    (_build_body(more=1), "unknown key"),
    (_build_body(effects={}), "not a list"),
    (_build_body(effects=[["add", "ant", "hull"]]), "4 or 5 parts"),
    (_build_body(effects=[["scrape", "ant", "hull", 1]]), "“scrape” is not a kind of effect"),
    (_build_body(effects=[[["add"], "ant", "hull", 1]]), "not a kind of effect"),
    (_build_body(effects=[["add", "ant", "hull", "1"]]), "whole number"),
    (_build_body(effects=[["add", "ant", "hull", 1, 1]]), "true or false"),
    (_build_body(effects=[["add", None, "hull", 1]]), "are not texts"),
    (_build_body(effects=[["set", "ant", "hull", [1]]]), "a text or a number"),
    (_build_body(effects=[["set", "ant", "hull", float("inf")]]), "a text or a number"),
    (_build_body(effects=[["phase", "", "sail", [1]]]), "1 parts, not 2"),
    (_build_body(effects=[["phase", "", "sail", [1, 0]]]), "true or false"),
    (
        _build_body(effects=[["mark", "ant", "fire", {"id": "1.1", "kind": "fire", "turn": "1"}]]),
        "not a whole number @ $.rul",
    ),
    (_build_body(effects=[["mark", "ant", "fire", {"id": "1.1"}]]), "kind is missing"),
    (_build_body(effects=[["mark", "ant", "fire", {"id": "1.1", "kind": "f", "colour": "red"}]]), "“colour”"),
    (_build_body(effects=[["mark", "ant", "fire", ["1.1", "fire"]]]), "an object @ $.rulings[1].effects[0]"),
    (
        _build_body(effects=[["owe", "ant", "x", {"key": "x/y", "line": "", "ship": "", "prompt": ""}]]),
        "begin",
    ),
    (
        _build_body(
            effects=[["owe", "a", "x", {"key": "1/y", "line": "", "ship": "", "prompt": "", "dice": [[0]]}]]
        ),
        "die",
    ),
    (
        _build_body(
            effects=[
                [
                    "chart",
                    "",
                    "",
                    {
                        "g": {
                            "name": "",
                            "title": "",
                            "rows": {"r": {"name": "", "cells": {"c": {"text": "S", "status": "guessed"}}}},
                        }
                    },
                ]
            ]
        ),
        "“guessed” is not a provenance",
    ),
    (_build_body(because=[[]]), "1 to 6 texts"),
    (_build_body(because=[["x", 1]]), "not a text"),
    (_build_body(outcome={"hits": [1]}), "not a text"),
    (_build_body(outcome=[["hits", 1]]), "an object"),
    (_build_body(findings=[{"text": "x", "refused": "yes"}]), "true or false"),
)


@pytest.mark.parametrize(("body", "words"), WRONG_ACTS)
def test_a_wrong_act_is_refused_with_the_fault(body: object, words: str) -> None:
    with pytest.raises(Misread) as fault:
        decode_act(body)
    assert words in str(fault.value)


def _build_header_with(path: str, value: object) -> dict[str, object]:
    body: dict[str, object] = copy.deepcopy(json.loads(encode_json(encode_header(build_small_header()))))
    *parents, last = path.split(".")
    place: Any = body
    for parent in parents:
        place = place[parent]
    place[last] = value
    return body


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("format", True, "whole number"),
        ("format", 7, "format 3"),
        ("system", 3, "not a text"),
        ("more", 3, "unknown key"),
        ("start", [], "not an object"),
        ("start.turn", 1.5, "$.start.turn"),
        ("start.turn", "1", "$.start.turn"),
        ("start.began", {}, "unknown key"),
        ("start.sides", "japan", "not a list"),
        ("start.ships.mikasa.card", [], "$.start.ships['mikasa'].card"),
        ("start.ships.mikasa.card", {"speed": [1]}, "a text or a number"),
        ("start.charts", None, "an object"),
        ("extra", ["dice"], "an object"),
    ],
)
def test_a_wrong_header_is_refused_with_the_place(path: str, value: object, words: str) -> None:
    with pytest.raises(Misread) as fault:
        decode_header(_build_header_with(path, value))
    assert words in str(fault.value)


@given(st.data())
def test_a_part_of_another_kind_is_an_act_or_misread(data: st.DataObject) -> None:
    """Raise no other error for any part put in another's place, or for garbage."""
    body = json.loads(encode_json(encode_act(build_shot(1))))
    place: Any = body
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        below = place[key]
        if not isinstance(below, dict | list) or not below or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = below
    with suppress(Misread):
        decode_act(body)


def test_the_subject_of_a_reason_is_kept_apart_from_the_roller() -> None:
    reason = Reason("is out of torpedoes", "AQF-TOR-7", subject="Ohio")
    kept = encode_value(reason, Reason)
    assert kept == ["is out of torpedoes", "AQF-TOR-7", "", "", "Ohio", "", "subject"]
    back = decode_value(Reason, kept)
    assert (back.subject, back.of, back.text) == ("Ohio", "", "Ohio is out of torpedoes")


def test_a_reason_is_kept_in_its_parts_and_read_whole_from_an_older_save() -> None:
    for kind in ReasonKind:
        parts = encode_value(Reason("did a ship touch another?", "GQ2-MV-6", kind=kind), Reason)
        assert parts[2:] == (["", "", "", "", kind.value] if kind.value else [])
        assert decode_value(Reason, parts).kind is kind
    reason = Reason("a strike", "AQF-TOR-2", of="torpedo", roll="4-1")
    act = evolve(build_shot(12), rulings={12: Ruling(Decision(reasons=(reason,)))})
    kept: Any = encode_act(act)
    assert kept["rulings"][12]["because"] == [["a strike", "AQF-TOR-2", "", "", "torpedo", "4-1"]]
    (back,) = decode_act(decode_json(encode_json(encode_act(act)))).rulings[12].decision.reasons
    assert (back.result, back.of, back.roll) == ("a strike", "torpedo", "4-1")
    older = decode_act(
        {"n": 1, "order": "note x", "rulings": {"1": {"because": [["torpedo 4-1: a strike"]]}}}
    )
    assert older.rulings[1].decision.reasons[0].text == reason.text


SYSTEMS: Mapping[str, RuleSystem] = find_systems()
FIFTH = ("hashidate", "chin-yen", "matsushima", "asama")
SIXTH = ("akashi", "suma", "akitsushima")
HIGHER = "the higher sum wins if some Russian battleships get away, but not three"
PLAN = Plan(
    (
        Due(4, (*FIFTH, *SIXTH), "from the north-east edge"),
        Due(12, table={"light": "dusk"}, note="Dusk: the boats may attack."),
    ),
    (
        Condition(
            "russia",
            3,
            "russia",
            ("withdrawn",),
            "battleship",
            "south-east",
            "those with six speed boxes or more",
        ),
        *(
            Condition(side, 1, of, ("sunk",), "battleship", note=HIGHER, points=Points(1, "ship"))
            for side, of in (("japan", "russia"), ("russia", "japan"))
        ),
    ),
)


def begin_session(path: Path) -> Session:
    return Session.begin(*load_start("yellow-sea-1904"), path, extra={"x": 1})


def read_header(path: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    del made["sum"]
    return made


def test_points_come_back_from_the_header(tmp_path: Path) -> None:
    system, start = load_start("yellow-sea-1904")
    rules = (
        Condition("japan", 1, "russia", ("sunk",), points=Points(3, "ship", 1, 4, secret=True)),
        Condition("japan", 1, "russia", (), points=Points(1, "speed_hits")),
    )
    scored = evolve(start, plan=evolve(start.plan, victory=rules))
    Session.begin(system, scored, tmp_path / "a.qfb").close()
    extra = read_header(tmp_path / "a.qfb")["extra"]
    assert extra["victory"][1] == {
        "side": "japan",
        "count": 1,
        "of": "russia",
        "status": [],
        "points": {"points": 1, "each": "speed_hits"},
    }
    again = Session.resume(tmp_path / "a.qfb", find_systems())
    assert again.battle.plan.victory == rules
    again.close()


def test_the_header_holds_the_plan_and_the_ships_whole(tmp_path: Path) -> None:
    begin_session(tmp_path / "new.qfb").close()
    extra = read_header(tmp_path / "new.qfb")["extra"]
    first, second = extra["schedule"]
    assert list(extra) == ["x", "schedule", "victory"]
    assert [ship["id"] for ship in first["ships"]] == [*FIFTH, *SIXTH]
    assert first["ships"][0]["card"]["gunnery.heavy"] == 10
    assert second == {"turn": 12, "table": {"light": "dusk"}, "note": "Dusk: the boats may attack."}
    assert extra["victory"][0] == {
        "side": "russia",
        "count": 3,
        "of": "russia",
        "status": ["withdrawn"],
        "kind": "battleship",
        "edge": "south-east",
        "note": "those with six speed boxes or more",
    }


@pytest.mark.parametrize("copied", ["resumed", "branch", "save as", "cut off"])
def test_every_copy_of_a_save_keeps_its_plan(tmp_path: Path, copied: str) -> None:
    path = tmp_path / "new.qfb"
    session = begin_session(path)
    for _ in range(18):
        session.enter("next")
    battle = session.battle
    session.close()
    if copied == "branch":
        path = branch_save(path)
    elif copied == "save as":
        path = copy_to(session, str(tmp_path / "other.qfb"))
    elif copied == "cut off":
        copy_save(path, tmp_path / "cut.qfb", 18)
        path = tmp_path / "cut.qfb"
    resumed = Session.resume(path, SYSTEMS)
    assert resumed.timeline.start.plan == resumed.battle.plan == PLAN
    assert (resumed.battle, resumed.extra) == (battle, {"x": 1})
    assert "schedule" not in resumed.notice
    assert [owed.line for owed in resumed.battle.owed] == ["schedule"]
    resumed.enter("join japan " + " ".join((*FIFTH, *SIXTH)))
    joined = resumed.battle
    assert (joined.owed, joined.ships["akashi"].division) == ((), "sixth")
    resumed.close()
    again = Session.view(path, SYSTEMS)
    assert again.battle == joined


def test_late_ships_come_from_the_save_and_not_from_the_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a changed card on the shelf not enter an old battle."""
    path = tmp_path / "new.qfb"
    begin_session(path).close()
    first = read_header(path)
    first["extra"]["schedule"][0]["ships"][0]["card"]["gunnery.heavy"] = 3
    path.write_bytes(seal_lines(encode_json(first)))
    session = Session.view(path, SYSTEMS)
    session.enter("join japan hashidate")
    assert session.battle.ships["hashidate"].card["gunnery.heavy"] == 3


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda extra: extra.update(schedule={}), "an object is not a list @ $.extra.schedule"),
        (lambda extra: extra.update(schedule=["x"]), "an object @ $.extra.schedule[0]"),
        (lambda extra: extra["schedule"][0].update(turn=1), "turn 1: the first possible turn is 2"),
        (lambda extra: extra["schedule"][0].update(turn=4.0), "“4.0” is not a whole number"),
        (lambda extra: extra["schedule"][0].pop("turn"), "turn is missing"),
        (lambda extra: extra["schedule"][0].update(whence="x"), "unknown key “whence”"),
        (
            lambda extra: extra["schedule"][0]["ships"][0].update(id="mikasa"),
            "“mikasa” is in the battle already",
        ),
        (
            lambda extra: extra["schedule"][0]["ships"][0].update(id="suma"),
            "ship “suma” is in the battle already",
        ),
        (
            lambda extra: extra["schedule"][0]["ships"][0].update(side="x"),
            "“hashidate” has an unknown side: “x”",
        ),
        (lambda extra: extra["schedule"][0]["ships"][0].pop("card"), "card is missing"),
        (lambda extra: extra["schedule"][1].update(note="x" * 301), "a text of 301 characters"),
        (
            lambda extra: extra["schedule"][1].update(table={"light": ["x"]}),
            "schedule[1].table['light']",
        ),
        (lambda extra: extra["victory"][0].update(side="nobody"), "extra.victory: there is no side “nobody”"),
        (lambda extra: extra["victory"][0].update(of="nobody"), "extra.victory: there is no side “nobody”"),
        (
            lambda extra: extra["victory"][0].update(count=0),
            "extra.victory: “russia”: it has no count or no status",
        ),
        (
            lambda extra: extra["victory"][0].update(status=[]),
            "extra.victory: “russia”: it has no count or no status",
        ),
        (lambda extra: extra["victory"][0].update(kind=7), "$.extra.victory[0].kind"),
    ],
)
def test_an_impossible_plan_is_refused(tmp_path: Path, change: Change, told: str) -> None:
    path = tmp_path / "new.qfb"
    begin_session(path).close()
    first = read_header(path)
    change(first["extra"])
    path.write_bytes(seal_lines(encode_json(first)))
    with pytest.raises(SaveFault) as caught:
        read_save(path, make_rules_finder(SYSTEMS))
    assert str(caught.value).startswith("new.qfb, line 1 (the header): ")
    assert told in str(caught.value), str(caught.value)
