"""The file of a book: all faults at once, each with its line; nothing worse ever happens."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.availability import list_able_ships
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.text import find_unprintable
from qf_tui.library.books import find_book, load_book, load_saved_book, read_book, write_new_book
from qf_tui.library.check import check_file
from qf_tui.library.faults import Faults, FileFaults
from qf_tui.library.paths import find_shipped_folder, read_toml
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from tests.book.convoys import FILE, SCENARIO, copy_book
from tests.cli.calling import Caller
from tests.library.mutations import mutate
from tests.systems import BOOKS

TEXT = FILE.read_text(encoding="utf-8")


def check(path: Path) -> list[str]:
    """List the faults of a book that `check` finds."""
    return [str(fault) for fault in check_file(path, Systems()).faults]


def write_changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the made-up book with parts of its text replaced, each of them once."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / FILE.name
    path.write_text(text, encoding="utf-8")
    return path


def find_line(path: Path, part: str) -> int:
    """Find the line of a part of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if part in line)


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ('needs = ["guns"]', 'needs = ["gunz"]', "gunz", "no track or mark “gunz”; did you mean guns?"),
        (
            'phases = ["move"]\nslots = ["ships"]',
            'phases = ["moev"]\nslots = ["ships"]',
            "moev",
            "did you mean move?",
        ),
        ('spends = "fish"', 'spends = "fisch"', "fisch", "no track “fisch”; did you mean fish?"),
        ('does = "smoke"', 'does = "smoke hulk 2"', "hulk", "“hulk” is not on the log; did you mean hull?"),
        ('slots = ["ship"]', 'slots = ["ship", ""]', '["ship", ""]', "no slot “”"),
        ('slots = ["ship"]', "slots = []", "slots = []", "slots: name at least one"),
        ('values = ["fair", "foul"]', "values = []", "values = []", "values: name at least one"),
        ('key = "t"', 'key = "f" # too', "# too", "“shoot” has this key in gunnery: choose another"),
        ('dice = "d10"', 'dice = "d1000"', "d1000", "is not dice"),
        ('dice = "2"', 'dice = "two"', '"two"', "“two” is not dice; write 2, 2d6, d6+d10 or 1-12"),
        ('word = "steam"', 'word = "undo"', '"undo"', "“undo” is a word of the console"),
        ('key = "c"', 'key = "u"', 'key = "u"', "expected one of"),
        ("turns = 0 ", 'turns = "x" ', 'turns = "x"', "expected a whole number"),
        ('clause = "MY-3"', 'clause = "MY-9"', "MY-9", "no clause “MY-9”"),
        ('on = "blaze"', 'on = "hull"', 'on = "hull"', "no mark “hull”"),
        (
            'slots = ["ship"]',
            'slots = ["target"]',
            'slots = ["target"]',
            "the first must be the acting ship",
        ),
        ("seen = true                 #", "sen = true #", "sen = true", "no such key; did you mean seen?"),
        ("guns = 6, fish", "gunz = 6, fish", "gunz", "no track “gunz”"),
        ('out = "sunk"', 'out = "2 much"', "2 much", "expected one word"),
        ('looks_at = ["guns"]', 'looks_at = ["target.gun"]', "target.gun", "did you mean target.guns?"),
        ('kind = "count"', 'kind = "choice"', "[[slot]]", "a choice needs words"),
        (
            'name = "spread"\nkind = "count"',
            'name = "spread"\nkind = "ship"',
            '"target", "spread"]',
            "at most one other ship",
        ),
        ('title = "Movement"', 'title = "a\\u001bb"', "a\\u001bb", "expected printable text"),
    ],
)
def test_a_fault_is_reported_with_its_line_and_a_suggestion(
    tmp_path: Path, old: str, new: str, at: str, words: str
) -> None:
    path = write_changed(tmp_path, (old, new))
    faults = check(path)
    assert any(words in fault for fault in faults), faults
    lines = [fault for fault in faults if words in fault]
    assert lines[0].startswith(f"line {find_line(path, at)}, "), lines


def test_all_faults_are_reported_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = write_changed(
        tmp_path,
        ('spends = "fish"', 'spends = "fisch"'),
        ('out = "sunk"', "out = 3"),
        ('on = "blaze"', 'on = "x"'),
    )
    places = [fault.partition(":")[0] for fault in check(path)]
    lines = [find_line(path, part) for part in ("out = 3", "fisch", 'on = "x"')]
    assert places == [
        f"line {lines[0]}, track 1 (hull), out",
        f"line {lines[1]}, order 4, spends",
        f"line {lines[2]}, owes 1 (fight-fire), on",
    ]


def test_a_missing_key_is_reported_where_its_table_begins(tmp_path: Path) -> None:
    path = write_changed(tmp_path, ('word = "shoot"\n', ""))
    assert check(path)[0].startswith(
        f"line {find_line(path, '# An order with dice') + 1}, order 3, word: is missing"
    )


def test_a_nameless_order_or_slot_is_not_called_none(tmp_path: Path) -> None:
    """Detect “None” among the slots, and among the orders that already have a key."""
    path = write_changed(
        tmp_path,
        ('name = "spread"\n', ""),
        ('word = "shoot"\n', ""),
        ('key = "t"', 'key = "f" # too'),
    )
    faults = check(path)
    assert any("“another order” has this key in gunnery" in fault for fault in faults), faults
    assert not [fault for fault in faults if "None" in fault]


def test_a_newer_language_is_left_to_a_newer_program(tmp_path: Path) -> None:
    path = write_changed(tmp_path, ("language = 1", "language = 2"))
    (fault,) = check(path)
    assert fault.startswith(f"line {find_line(path, 'language')}, language: this program reads language 1;")


@pytest.mark.parametrize("name", ["gq2.rules.toml", "My Book.rules.toml", "book.toml"])
def test_an_impossible_file_name_for_a_book_is_a_fault(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TEXT, encoding="utf-8")
    assert len(check(path)) == 1


def test_the_template_of_a_book_is_valid_and_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    path = write_new_book("club")
    assert (check(path), find_book("club")) == ([], path)
    assert Systems()["club"].name == "club"
    with pytest.raises(QfError, match="this book already exists"):
        write_new_book("club")
    for name in ("../club", "Club", "", "a/b"):
        with pytest.raises(QfError, match="is not a name for a book"):
            write_new_book(name)
    assert (find_shipped_folder("rules") / "new.toml").read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize("name", ["gq2", BOOKS[0], "club"])
def test_a_template_of_a_book_cannot_take_the_name_of_rules(name: str, call: Caller) -> None:
    """Detect a user's book that hides a shipped one, whose scenarios then cannot begin."""
    call("rules", "--new", "club")
    called = call("rules", "--new", name)
    assert (called.status, called.err) == (
        2,
        f"qf-tui: {name}: there are rules of this name already; choose another\n",
    )


def test_a_book_next_to_a_scenario_wins_over_one_of_that_name_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path / "home"))
    own = write_new_book("convoy")
    own.write_text(TEXT.replace("A book of my own", "Mine"), encoding="utf-8")
    scenario = copy_book(tmp_path)
    system, _ = load_scenario(scenario, Systems())
    assert (system.title, Systems()["convoy"].title) == ("A book of my own", "Mine")


def test_all_books_are_listed_with_their_places(tmp_path: Path, call: Caller) -> None:
    """Detect a book with a taken name, or a faulty one, that is not listed."""
    copy_book(tmp_path)
    own = Path(call("rules", "--new", "club").out.strip())
    own.write_text("language = = 1\n", encoding="utf-8")
    taken = own.with_name("gq2.rules.toml")
    taken.write_text(TEXT, encoding="utf-8")
    listed = [line.split("  ") for line in call("rules").out.splitlines()[2:]]
    assert {line[0].strip(): line[-1].strip() for line in listed} == {
        "convoy": FILE.name,
        "club": str(own),
        "gq2": str(taken),
        **{name: str(find_shipped_folder("rules") / f"{name}.rules.toml") for name in BOOKS},
    }
    assert "a rule system has this name" in call("rules").out
    assert "MY-1" not in call("rules", "torpedoes").out


def test_a_faulty_book_hides_no_other_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    write_new_book("club").write_text("language = 1\n", encoding="utf-8")
    systems = Systems()
    assert "club" in systems
    assert "gq2" in list(systems)
    assert systems["gq2"].name == "gq2"
    with pytest.raises(FileFaults, match="is missing"):
        systems["club"]


STRANGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)
KEYS = [field.name for field in load_book(FILE).card] + list(read_toml(FILE))


@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=9), STRANGE, max_size=6))
def test_any_data_is_a_book_or_is_refused_with_a_message(data: dict[str, object]) -> None:
    system, faults = read_book(data, "x")
    assert (system is None) == bool(faults)
    assert not [fault for fault in faults if find_unprintable(str(fault))]
    with suppress(QfError, ValueError):
        load_saved_book("x", data)


@given(st.integers(0, 10**9), st.integers(1, 4))
def test_a_changed_book_is_refused_with_a_message_or_can_be_played(seed: int, times: int) -> None:
    data = mutate(read_toml(FILE), Random(seed), times)
    system, faults = read_book(data, "convoy", tomli_w.dumps(_to_toml_values(data)))
    assert not [fault for fault in faults if find_unprintable(str(fault))]
    if system is None:
        return
    json.dumps(system.data)
    with suppress(Faults):
        _, start = load_scenario(SCENARIO, {"convoy": system})
        session = Session.begin(system, start)
        for order in (
            "next",
            "shoot arrow beacon 12in 5 4",
            "answer nothing",
            "damage arrow hull 1",
            "next",
            "next",
        ):
            with suppress(OrderRefused):
                session.enter(order)
            list_able_ships(system, session.battle)
            for ship in session.battle.ships.values():
                system.log_sheet(session.battle, ship)


def _to_toml_values(data: dict[str, object]) -> dict[str, object]:
    """Convert data to values that TOML can hold."""
    plain: dict[str, object] = json.loads(json.dumps(data))
    return plain
