"""`qf-tui run`: rows, refusals, saves, dice, and any bytes that a pipe may carry."""

import io
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from qf_tui.cli.run import LINE_MOST, SKIPPED_MOST, read_order_lines
from qf_tui.library.paths import find_home
from tests.cli.calling import Called, Caller, Row, run_process
from tests.console.playing import HOSTILE, write_hostile_scenario
from tests.posix import make_pipe, posix_only

SHOT = "fire mikasa heavy borodino long 5 8"
GUNNERY = f"next\n{SHOT}\n"


def find_ship(called: Called, id: str) -> Row:
    """Find a ship's values in the last row."""
    found: Row = called.rows[-1]["battle"]["ships"][id]
    return found


def test_a_shot_has_a_row(call: Caller) -> None:
    """Use the worked example: Mikasa's heavy guns at Borodino, long range, black 5 and white 8."""
    called = call.play("# the first turn\n\nnext\nfire mik h BORO l 5,8\n")
    assert called.status == 0
    row = called.rows[1]
    keys = ["line", "entry", "order", "ok", "fired", "hits", "blast", "effects", "because", "owed"]
    assert list(row) == keys
    because = row.pop("because")
    assert row == {
        "line": 4,
        "entry": 2,
        "order": SHOT,
        "ok": True,
        "fired": True,
        "hits": ["S", "G"],
        "blast": [],
        "effects": [
            {"ship": "borodino", "field": "speed_hits", "from": 0, "to": 1},
            {"ship": "borodino", "field": "rof_heavy", "from": 6, "to": 5},
        ],
        "owed": [],
    }
    assert {"text": "gunnery 20 v armor 10: 200% line", "rule": "AQF-GUN-5", "chart": "attested"} in because


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("311", "a 311 on the black D12: its faces are 1 to 12; did you mean 3 11?"),
        ("111", "a 111 on the black D12: its faces are 1 to 12; did you mean 1 11 or 11 1?"),
        ("3 1 1", "too many dice: 3 given; the order takes 2 dice: black D12, white D12; did you mean 3 11?"),
        ("3 13", "a 13 on the white D12: its faces are 1 to 12"),
        ("3 1 3", "too many dice: 3 given; the order takes 2 dice: black D12, white D12"),
        (" ".join("1" * 9), "too many dice: 9 given; the order takes 2 dice: black D12, white D12"),
    ],
)
def test_ambiguous_dice_are_refused_with_both_readings(call: Caller, dice: str, said: str) -> None:
    """Detect faces without a space that are refused although the bar can read them."""
    row = call.play(f"next\nfire mikasa heavy borodino long {dice}\n").rows[1]
    assert row["error"] == said


def test_the_battle_is_the_last_row(call: Caller) -> None:
    called = call.play(GUNNERY)
    battle = called.rows[-1]["battle"]
    assert isinstance(battle, dict)
    ships = battle.pop("ships")
    assert battle == {
        "ruleset": "advanced-quickfire",
        "turn": 1,
        "phase": "first-gunnery",
        "owed": [],
        "parked": [],
        "spare": [],
        "doubts": [],
    }
    assert ships["borodino"] | {"side": "red", "rof_heavy": 5, "speed_hits": 1} == ships["borodino"]


def test_a_declared_shot_owes_its_dice_and_has_no_result_yet(call: Caller) -> None:
    row = call.play("next\nfire mikasa heavy borodino long").rows[1]
    assert "fired" not in row
    assert row["owed"] == [{"key": "2/fire/mikasa/1", "line": "fire", "ship": "mikasa", "dice": "2d12"}]


def test_a_question_for_words_has_no_dice(call: Caller) -> None:
    scenario = write_strict_scenario(call.folder)
    row = call.play("next\nfire massena heavy ohio long 3 4", battle=scenario).rows[1]
    (owed,) = row["owed"]
    assert owed["dice"] is None
    assert owed["words"] == []
    assert owed["prompt"]


def write_strict_scenario(folder: Path) -> Path:
    path = folder / "strict.toml"
    path.write_text(
        'title = "Strict"\nruleset = "advanced-quickfire"\nstrict = true\n'
        '[[side]]\nname = "Blue"\nfleet = "rulebook-examples"\nships = ["massena"]\n'
        '[[side]]\nname = "Red"\nfleet = "rulebook-examples"\nships = ["ohio"]\n'
    )
    return path


REFUSED = [
    pytest.param("fire mikasa heavy borodino long 6 6", "AQF-GUN-9", "has fired in this phase", id="rule"),
    pytest.param("fire massena heavy nobody long", None, "no ship “nobody”", id="no such ship"),
    pytest.param("fire massena heavy ohio long 13 1", None, "13", id="no such face"),
    pytest.param("frie massena", None, "no order “frie”", id="no such order"),
    pytest.param("amend 3 undo", None, "amend", id="correction of a correction"),
    pytest.param("preview fire massena", None, "preview", id="preview of an order"),
    pytest.param("chart nowhere.toml", None, "nowhere.toml", id="no such overlay"),
    pytest.param("roll 4", None, "nothing is owed", id="nothing owed"),
]


@pytest.mark.parametrize(("order", "clause", "words"), REFUSED)
def test_a_refused_order_changes_nothing(call: Caller, order: str, clause: str | None, words: str) -> None:
    called = call.play(f"{GUNNERY}{order}\nnote on")
    assert called.status == 3
    row = called.rows[2]
    assert (row["line"], row["ok"], row["order"], row["rule"]) == (3, False, order, clause)
    assert words in str(row["error"])
    assert called.rows[3]["entry"] == 3
    assert called.rows[-1] == call.play(f"{GUNNERY}note on").rows[-1]


def test_a_correction_lists_its_consequences(call: Caller) -> None:
    called = call.play(f"{GUNNERY}fire ohio heavy massena long 3 4\namend 2 5 11")
    row = called.rows[3]
    assert row["order"] == "amend 2 fire mikasa heavy borodino long 5 11"
    assert row["hits"] == ["G", "S", "G"]
    assert row["consequences"] == {
        "kept": 1,
        "reread": [],
        "parked": [],
        "spare": [],
        "owed": [],
        "changes": [{"ship": "borodino", "field": "rof_heavy", "from": 5, "to": 4}],
        "table": [],
    }


def test_a_parked_entry_and_the_change_of_the_table_are_listed(call: Caller) -> None:
    """Strike a phase end, which parks the later shots."""
    called = call.play(f"{GUNNERY}strike 1")
    consequences = called.rows[2]["consequences"]
    assert isinstance(consequences, dict)
    assert consequences["parked"] == [2]
    assert consequences["table"] == ["Red: Borodino: speed back to 6¾″"]
    assert called.rows[-1]["battle"]["parked"] == [2]


def test_a_preview_shows_the_same_and_changes_nothing(call: Caller) -> None:
    called = call.play(f"{GUNNERY}preview strike 2\nstrike 2\nredo")
    preview, strike = called.rows[2:4]
    assert preview["order"] == "preview strike 2"
    assert "entry" not in preview
    assert preview["consequences"] == strike["consequences"]
    assert called.rows[-1] == call.play(GUNNERY).rows[-1]


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        ("note a\nundo", "undo"),
        ("note a\nnote b\nundo 2", "undo 2"),
        ("note a\nundo\nredo", "redo"),
        ("note a\ninsert 0 note b", "insert 0 note b"),
        ("note a\nforce next", "force next"),
        ("note a\nnote b\nshift 2 after 0", "shift 2 after 0"),
    ],
)
def test_an_order_is_printed_as_it_could_be_typed(call: Caller, orders: str, text: str) -> None:
    assert call.play(orders).rows[-2]["order"] == text


def test_a_dagger_in_a_remark_is_not_explained(call: Caller) -> None:
    out = call("run", "rulebook-examples", "--orders", call.write_orders("note † for Massena")).out
    assert "† for Massena" in out
    assert "depends on a chart cell" not in out


def test_without_a_save_nothing_is_written(call: Caller) -> None:
    orders = call.write_orders(GUNNERY)
    call("run", "rulebook-examples", "--orders", orders)
    assert list(call.folder.iterdir()) == [orders]


def test_a_saved_battle_continues_in_memory_or_in_another_save(call: Caller) -> None:
    save = call.save(GUNNERY)
    before = save.read_bytes()
    other = call.folder / "other.qfb"
    first, second = call.play("undo", battle=save), call.play("undo", "--save", other, battle=save)
    assert first.status == second.status == 0
    assert first.rows == second.rows
    assert find_ship(first, "borodino")["rof_heavy"] == 6
    assert save.read_bytes() == before
    assert other.read_bytes().startswith(before)
    assert find_ship(call.play("redo", battle=other), "borodino")["rof_heavy"] == 5


def test_a_seed_throws_the_same_dice(call: Caller) -> None:
    orders = (
        "next\nfire mikasa heavy borodino long\nfire massena heavy ohio long\nfire ohio heavy massena long"
    )
    first, second, other = (call.play(orders, "--seed", seed) for seed in ("7", "7", "8"))
    assert first.out == second.out != other.out
    assert all(row["owed"] == [] for row in first.rows[:-1])
    thrown = [str(row["order"]).rpartition("long ")[2] for row in first.rows[1:-1]]
    assert all(1 <= int(face) <= 12 for faces in thrown for face in faces.split())


def test_the_console_s_dice_are_thrown_without_a_seed(call: Caller) -> None:
    path = write_strict_scenario(call.folder)
    path.write_text(path.read_text().replace("strict = true", 'dice = "console"'))
    called = call.play("next\nfire massena heavy ohio long", battle=path)
    assert "fired" in called.rows[1]


def test_a_seeded_save_keeps_the_faces(call: Caller) -> None:
    save = call.folder / "seeded.qfb"
    called = call.play("next\nfire mikasa heavy borodino long", "--save", save, "--seed", "7")
    assert called.rows[-1] == call.play("# nothing", battle=save).rows[-1]


def test_all_faults_of_a_scenario_are_printed(call: Caller) -> None:
    path = call.folder / "bad.toml"
    path.write_text('ruleset = "advanced-quickfire"\ndice = "loaded"\nstrict = 3\n[[side]]\nname = "A"\n')
    called = call.play("note a", battle=path)
    assert (called.status, called.out) == (2, "")
    for word in ("dice", "strict", "fleet"):
        assert word in called.err


@pytest.mark.parametrize("spoil", [b"{", b'{"save"', b"", b"\xff\xfe\0"], ids=repr)
def test_a_damaged_save_is_reported(call: Caller, spoil: bytes) -> None:
    path = call.folder / "spoilt.qfb"
    path.write_bytes(spoil)
    called = call.play("note a", battle=path)
    assert (called.status, called.out, "spoilt.qfb" in called.err) == (2, "", True)


def test_a_save_damaged_in_the_middle_is_reported_with_its_line(call: Caller) -> None:
    save = call.save(GUNNERY)
    save.write_bytes(save.read_bytes().replace(b'"next"', b'"text"'))
    called = call.play("note a", battle=save)
    assert called.status == 2
    assert "battle.qfb, line 2" in called.err


STRANGE = [
    pytest.param(b"note \xff\xfe", "not UTF-8", id="bytes"),
    pytest.param(b"note a\0b", "unprintable", id="a zero"),
    pytest.param(b"note " + b"x" * 5000, "2000", id="long"),
    pytest.param(b"note " + b"x" * 3 * LINE_MOST, "bytes", id="longer"),
    pytest.param("note \u202e".encode(), "unprintable", id="a sign that deceives"),
    pytest.param("fire mikasa heavy borodino long ٥ ٨".encode(), "٥", id="other digits"),
]


@pytest.mark.parametrize(("line", "words"), STRANGE)
def test_a_strange_line_is_refused_and_the_rest_goes_on(call: Caller, line: bytes, words: str) -> None:
    called = call.play(b"note a\n" + line + b"\r\nnote b")
    assert called.status == 3
    assert words in str(called.rows[1]["error"])
    assert [row.get("line") for row in called.rows] == [1, 2, 3, None]
    assert call("run", "rulebook-examples", "--orders", call.write_orders(line)).status == 3


def test_a_byte_order_mark_is_no_part_of_the_first_order(call: Caller) -> None:
    assert call.play(b"\xef\xbb\xbfnext").rows[0]["order"] == "next"


@given(some.binary(max_size=200))
def test_every_line_is_an_order_a_comment_or_blank(data: bytes) -> None:
    lines = list(read_order_lines(io.BytesIO(data)))
    assert [line.number for line in lines] == sorted({line.number for line in lines})
    assert len(lines) <= data.count(b"\n") + 1


PLAIN = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
"""A terminal with few signs."""


def test_standard_input_is_read_to_its_end_despite_an_ascii_output() -> None:
    orders = f"{GUNNERY}{SHOT}\nstrike 2"
    called = run_process("run", "rulebook-examples", text=orders, more=PLAIN)
    assert called.status == 3
    for words in (
        "Borodino: heavy ROF 6 -> 5",
        "    -  line 3: fire mikasa heavy borodino long 5 8\n",
        "refused: Mikasa's heavy battery has fired in this phase (AQF-GUN-9)\n",
        'on the table, Red: Borodino: speed back to 6 3/4"\n',
    ):
        assert words in called.out.replace(os.linesep, "\n")


def test_signs_outside_ascii_are_escaped_in_json(call: Caller) -> None:
    assert call("run", "rulebook-examples", "--orders", call.write_orders("note ä"), "--json").out.isascii()


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("note he said, she said", "note he said, she said"),
        ("insert 0 note port , then starboard", "insert 0 note port , then starboard"),
        ("doubt 1 4, not 5", "doubt 1 4, not 5"),
    ],
)
def test_a_remark_keeps_its_commas(call: Caller, order: str, text: str) -> None:
    row = call.play(f"note first\n{order}\n").rows[1]
    assert row["order"] == text
    assert row["because"][0]["text"].endswith(text.partition("note ")[2] or text[8:])


@pytest.mark.parametrize("name", ["gone", "gone.toml", "x" * 1500, "home", "a/b/c"])
def test_a_missing_chart_is_refused_and_the_rest_goes_on(call: Caller, name: str) -> None:
    """Detect a name longer than any file's that ends the run."""
    rows = call.play(f"chart {name}\nnote x\n").rows
    assert rows[0]["ok"] is False
    assert rows[0]["error"].startswith(f"no chart “{name[:200]}")
    assert str(Path("home", "charts")) in rows[0]["error"]
    assert rows[1]["ok"] is True


@pytest.mark.parametrize(
    ("value", "speed"), [("4.25", 4.25), ("+0.5", 7.25), ("-1", 5.75), (".5", 0.5), ("7.0", 7)]
)
def test_a_number_of_a_card_is_set_or_changed_by_hand(call: Caller, value: str, speed: float) -> None:
    """Detect +1 on a number with decimals that sets it to 1."""
    (effect,) = call.play(f"mark mikasa speed {value}").rows[0]["effects"]
    assert effect == {"ship": "mikasa", "field": "speed", "from": 6.75, "to": speed}


@pytest.mark.parametrize("value", ["٣", "1_0", "1e1", "nan", "inf", "-7", "1000", "1/2", "0" * 12])
def test_a_number_in_an_odd_form_is_refused(call: Caller, value: str) -> None:
    row = call.play(f"mark mikasa speed {value}").rows[0]
    assert row["ok"] is False
    assert "is not a number from 0 to 999" in row["error"]


def test_waiting_for_a_pipe_is_announced(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Detect a command that waits silently."""
    pipe = call.folder / "orders"
    make_pipe(pipe)
    monkeypatch.setattr("qf_tui.cli.run._PATIENCE_S", 0.05)
    said: list[str] = []

    def write() -> None:
        while not said:
            time.sleep(0.01)
        pipe.write_text("note one\nnote two\n")

    monkeypatch.setattr("qf_tui.cli.run.warn", said.append)
    with ThreadPoolExecutor(1) as other:
        other.submit(write)
        called = call("run", "rulebook-examples", "--orders", pipe, "--json")
    assert said == [f"orders {pipe}: waiting for orders from this pipe"]
    assert [row.get("order") for row in called.rows] == ["note one", "note two", None]


@posix_only
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
def test_an_endless_device_is_no_file_of_orders(call: Caller, device: str) -> None:
    called = call("run", "rulebook-examples", "--orders", device)
    assert called.status == 2
    assert called.err == f"qf-tui: orders {device}: a device; name a file of orders, or a pipe\n"


def test_the_null_device_is_an_empty_file(call: Caller) -> None:
    assert call("run", "rulebook-examples", "--orders", os.devnull).status == 0


def test_an_endless_line_is_refused(call: Caller) -> None:
    path = call.write_orders(b"note x\n" + bytes(SKIPPED_MOST + 3 * LINE_MOST))
    called = call("run", "rulebook-examples", "--orders", path)
    assert called.status == 2
    assert "a line of more than 1000000 bytes" in called.err


def test_hostile_names_are_run_saved_shown_and_verified_unchanged(call: Caller) -> None:
    write_hostile_scenario(find_home())
    save = call.folder / "hostile.qfb"
    ran = call(
        "run",
        "qq-hostile",
        "--orders",
        call.write_orders(GUNNERY.replace("borodino", "hannibal")),
        "--save",
        save,
    )
    shown = call("show", save)
    assert ran.status == shown.status == call("verify", save).status == 0
    for name in HOSTILE.values():
        assert name in ran.out
        assert name in shown.out
    assert call("run", save, "--orders", call.write_orders("note [/ 艦"), "--json").status == 0
