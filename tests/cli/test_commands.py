"""The commands except `run`: each through `main`, a few in a separate process."""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve

import qf_tui
from qf_tui.cli.commands import COMMANDS, WIDTH
from qf_tui.cli.look import open_sample
from qf_tui.cli.opening import choose_rules, find_save, find_targets, save_named
from qf_tui.core.decisions import Decision, Op, Reason
from qf_tui.core.errors import QfError
from qf_tui.document.text import lay_out_rows
from qf_tui.journal.disk import BESIDE
from qf_tui.journal.lines import encode_json
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import find_own_folder
from qf_tui.session import Session
from tests.cli.calling import Caller, run_process
from tests.journal.making import seal_lines
from tests.posix import make_pipe
from tests.systems import load_our_battles

FLEETS = Path(qf_tui.__file__).parent.parent / "fleets"
BATTLE = "next\nfire mikasa heavy borodino long 5 8\nfire ohio heavy massena long\nundo\ndoubt 2 range\n"


def test_version_and_help_are_printed(call: Caller) -> None:
    versions = call("--version").out
    assert versions.startswith(f"qf-tui {qf_tui.__version__} (Python {platform.python_version()}, Textual ")
    assert platform.platform() in versions
    called = call("--help")
    assert called.status == 0
    assert [one.name for one in COMMANDS if f"    {one.name}" not in called.out] == []


@pytest.mark.parametrize("command", [one.name for one in COMMANDS])
def test_the_help_of_a_command_fits_its_width(call: Caller, command: str) -> None:
    assert [line for line in call(command, "--help").out.splitlines() if len(line) > WIDTH] == []


def test_show_prints_the_log_and_the_ships(call: Caller) -> None:
    called = call("show", call.save(BATTLE))
    assert called.status == 0
    for words in (
        "       fire mikasa heavy borodino long 5 8\n",
        "    3  Ohio heavy at Massena, long  [struck]\n",
        "    4  undo\n",
        "disputed: 2\n",
        "Red   Borodino ",
    ):
        assert words in called.out


def test_show_prints_each_fact_of_an_entry_once(call: Caller) -> None:
    """Detect a move that is printed above its order and again below it."""
    called = call("show", call.save("move mikasa 4\nnext\n"))
    assert sum("Mikasa: " in line and "4 boxes" in line for line in called.out.splitlines()) == 1
    assert "    2  turn 1, First gunnery\n       next\n\n" in called.out


def test_show_prints_json(call: Caller) -> None:
    called = call("show", call.save(BATTLE), "--json")
    (row,) = called.rows
    assert row["battle"]["doubts"] == [2]
    states = [(entry["entry"], entry["order"], entry["state"]) for entry in row["entries"]]
    assert states == [
        (1, "next", "stands"),
        (2, "fire mikasa heavy borodino long 5 8", "stands"),
        (3, "fire ohio heavy massena long", "struck"),
        (4, "undo", "stands"),
        (5, "doubt 2 range", "stands"),
    ]
    assert row["entries"][1]["hits"] == ["S", "G"]


def test_a_save_in_the_user_s_folder_is_found_by_its_name(call: Caller) -> None:
    save = call.save(BATTLE)
    find_own_folder("saves").mkdir(parents=True)
    save.rename(find_own_folder("saves") / "mine-1.qfb")
    for name in ("mine-1.qfb", "mine-1"):
        assert call("show", name).status == 0


def test_a_scenario_name_wins_over_a_save_and_a_prefix_does_not(call: Caller) -> None:
    save = call.save(BATTLE)
    find_own_folder("saves").mkdir(parents=True)
    whole, begun = (find_own_folder("saves") / f"{name}.qfb" for name in ("yellow-sea-1904", "yellow"))
    for one in (whole, begun):
        shutil.copy(save, one)
    assert (find_save(whole.stem), save_named(whole.stem)) == (None, whole)
    assert find_save(begun.stem) == begun
    assert find_save("yel") is None


def test_verify_finds_today_s_rules_in_an_untouched_save(call: Caller) -> None:
    save = call.save(BATTLE)
    called = call("verify", save)
    assert (called.status, called.err) == (0, "")
    assert called.out.startswith("5 acts, all checksums match; of 3 entries in force none")
    assert ": 1 act of " in call("branch", save, "--at", "1", "--save", call.folder / "one.qfb").out
    assert call("verify", call.folder / "one.qfb").out.startswith("1 act, all checksums match; of 1 entry in")


def write_recorded(
    call: Caller, orders: str, *decided: Callable[[Decision], Decision], program: str = qf_tui.__version__
) -> Path:
    """Write a save of orders whose entries from 2 on were decided differently by another program."""
    read = read_save(call.save(orders))
    other = call.folder / "other.qfb"
    journal = Journal.create(other, evolve(read.header, program=program))
    journal.append(read.log[0])
    for act, change in zip(read.log[1:], decided, strict=False):
        (ruling,) = act.rulings.values()
        journal.append(evolve(act, rulings={act.number: evolve(ruling, decision=change(ruling.decision))}))
    journal.close()
    return other


def test_verify_lists_different_decisions_of_today_s_rules(call: Caller) -> None:
    """Use a save whose charts differ: its record holds the other program's decisions."""
    decision = Decision((), (Reason("a shot short"),), (("fired", True),))
    called = call("verify", write_recorded(call, BATTLE, lambda was: decision))
    assert called.status == 1
    assert "    2  fire mikasa heavy borodino long 5 8\n       recorded: a shot short\n" in called.out
    assert "of 2 entries in force 1 is decided differently by today's rules: 1 otherwise\n" in called.out
    assert "by a ruling" not in called.out


def test_verify_shows_different_effects_as_the_save_has_them(call: Caller) -> None:
    """Detect a question printed as an object with its address, and one effect lost among many."""

    def elsewhere(was: Decision) -> Decision:
        effects = tuple(evolve(one, field="fires") if one.op is Op.OWE else one for one in was.effects)
        return evolve(was, effects=effects)

    lines = call("verify", write_recorded(call, "next\ndamage borodino D\n", elsewhere)).out.splitlines()[1:3]
    told = [json.loads(line.partition(": ")[2]) for line in lines]
    assert [one[:3] for one in told] == [["owe", "borodino", "fires"], ["owe", "borodino", "direction"]]
    assert told[0][3] == told[1][3]


def test_verify_tells_a_changed_ruling_apart_from_other_differences(call: Caller) -> None:
    """Use a save begun by 0.2: a miss that it counted differently, and a reason without a ruling."""

    def counted(was: Decision) -> Decision:
        return evolve(was, reasons=(Reason("as it counted then", "AQF-DAM-12"), *was.reasons))

    def odd(was: Decision) -> Decision:
        return evolve(was, reasons=(*was.reasons, Reason("nobody knows why", "AQF-GUN-10")), effects=())

    called = call("verify", write_recorded(call, BATTLE, counted, odd, program="0.2.0"))
    assert called.status == 1
    of_ruling, other = called.out.index("    2  fire"), called.out.index("    3  fire")
    assert of_ruling < called.out.index("       by a ruling changed in 0.3: AQF-DAM-12\n") < other
    assert "2 are decided differently by today's rules: 1 by a changed ruling, 1 otherwise" in called.out


def _change_and_seal(save: Path, old: str, new: str) -> None:
    """Change a save and seal it again."""
    lines = map(json.loads, save.read_text(encoding="utf-8").replace(old, new).splitlines())
    bodies = ({key: value for key, value in line.items() if key != "sum"} for line in lines)
    save.write_bytes(seal_lines(*map(encode_json, bodies)))


@pytest.mark.parametrize(
    ("old", "new", "doors"),
    [
        ('"phase":"movement"', '"phase":"tea"', ("show", "run", "verify")),
        ('"id":"ohio"', '"id":"iowa"', ("show", "run", "verify")),
        ('"armor.heavy":11', '"armor.heavy":"½"', ("show",)),
        ('"scale":"medium"', '"scale":"tea"', ("show", "run", "verify")),
        ('"speed_hits":0', '"speed_hits":-100000000000000', ("show", "run", "verify")),
    ],
)
def test_a_sealed_save_that_no_rules_made_is_refused(
    call: Caller, old: str, new: str, doors: tuple[str, ...]
) -> None:
    """Detect a traceback if the checksums match but the content is nonsense."""
    save = call.save("note first\n" if "phase" in old else BATTLE)
    _change_and_seal(save, old, new)
    before = save.read_bytes()
    for door in doors:
        more = ("--orders", call.write_orders("note x")) if door == "run" else ()
        called = call(door, save, *more)
        assert (called.status, called.out) == (2, ""), door
        assert "Advanced Quickfire cannot make sense of this save" in called.err
    if "run" in doors:
        checked = call("check", save)
        assert checked.status == 1
        assert checked.out.startswith(f"{save.name}: Advanced Quickfire cannot make sense")
    assert save.read_bytes() == before


def test_check_accepts_all_shipped_files(call: Caller) -> None:
    files = [*FLEETS.glob("*.toml"), *(FLEETS / "scenarios").glob("*.toml"), call.save(BATTLE)]
    called = call("check", *files)
    assert called.status == 0
    assert called.out.count("no faults") == len(files)


CHECKED = [
    pytest.param('ruleset = "advanced-quickfire"\n[[ship]]\nid = "A B"\nsize = 3\n', 1, "id", id="fleet"),
    pytest.param('ruleset = "advanced-quickfire"\n[[table]]\nname = "x"\n', 1, "no table “x”", id="overlay"),
    pytest.param('ruleset = "sloops"\n[[side]]\nname = "A"\n', 1, "no rule system “sloops”", id="scenario"),
    pytest.param("nothing = 1\n", 1, "not a fleet", id="no file of ours"),
    pytest.param("a = = 1\n", 1, "line 1", id="no TOML"),
    pytest.param("{ no save", 1, "spoilt", id="no save"),
]


@pytest.mark.parametrize(("text", "status", "words"), CHECKED)
def test_check_prints_all_faults(call: Caller, text: str, status: int, words: str) -> None:
    path = call.folder / "spoilt.toml"
    path.write_text(text)
    called = call("check", path, *FLEETS.glob("japan*.toml"))
    assert called.status == status
    assert "spoilt.toml" in called.out
    assert words in called.out
    assert "a fleet, no faults" in called.out


def test_a_warning_is_no_fault(call: Caller) -> None:
    """Use an overlay that contradicts an attested cell, as the umpire may."""
    path = call.folder / "mine.toml"
    path.write_text(
        'ruleset = "advanced-quickfire"\n[[table]]\nname = "battery"\n[[table.row]]\nname = "200"\n'
        'cells = { "8" = "3" }\n'
    )
    called = call("check", path)
    assert called.status == 0
    assert "warning: battery, 200, 8: 3, but attested: 2" in called.out


def test_odds_are_exact(call: Caller) -> None:
    called = call("odds", call.save("next"), "fire", "mik", "h", "boro", "long")
    assert called.status == 0
    assert called.out.splitlines()[0] == "fire mikasa heavy borodino long"
    assert "dice: black D12, white D12" in called.out
    assert "58.33%  7/12" in called.out
    assert "refused" not in called.out


def test_odds_of_an_order_out_of_its_phase_include_the_refusal(call: Caller) -> None:
    called = call("odds", "rulebook-examples", "fire mik h boro long")
    assert called.status == 0
    assert "refused: guns fire in the two gunnery phases only (AQF-PH-1)" in called.out
    assert "58.33%  7/12" in called.out


def test_odds_with_a_given_die_cover_the_other_dice(call: Caller) -> None:
    out = call("odds", call.save("next"), "fire mik h boro long 5").out
    assert "dice: white D12\n" in out
    assert "100.00%" in out


@pytest.mark.parametrize(
    "order", ["fire mik h nobody long", "fire mik h mik long", "", "fire mik h boro long 13"]
)
def test_an_impossible_order_has_no_odds(call: Caller, order: str) -> None:
    called = call("odds", "rulebook-examples", order)
    assert called.status == 3
    assert "impossible: " in called.out
    assert "%" not in called.out


def test_charts_mark_what_is_reconstructed_and_cite_what_is_attested(call: Caller) -> None:
    out = call("charts", "advanced-quickfire").out
    assert "150  1   1   1   1   1   2   2   2   2   2   -   -\n" in out
    assert "  attested 150, 1 to 12: R 3.0, 18 against 12\n" in out
    assert "25   1†  1†  1†  -†" in out


@pytest.mark.clause("AQF-SCA-4")
def test_charts_begin_with_the_line_of_each_scale(call: Caller) -> None:
    """Detect a cable or a torpedo range that the charts do not list."""
    lines = [line.split() for line in call("charts", "advanced-quickfire").out.splitlines()]
    assert ["medium", "in", "0-4", "4-24", "24-48", "1-4", "13", "1¼", "6½", "7"] in lines
    assert ["jumbo", "cm", "0-20", "20-120", "120-240", "5-20", "65", "6.5", "32", "35"] in lines
    assert "Scales" not in call("charts", "gq2").out


def test_options_name_clause_values_and_default(call: Caller) -> None:
    out = call("options").out
    line = next(line for line in out.splitlines() if line.startswith("sx_check"))
    assert line.split()[:5] == ["sx_check", "AQF-REC-2", "11-12", "11-12,", "12"]


def test_the_shelf_lists_shipped_files_and_the_user_s_own(call: Caller) -> None:
    own = call.folder / "home" / "scenarios"
    own.mkdir(parents=True)
    shutil.copy(FLEETS / "scenarios" / "rulebook-examples.toml", own / "mine.toml")
    out = call("scenarios").out
    assert out.splitlines()[0].split() == ["mine", "The", "rules'", "examples", "yours"]
    assert "yellow-sea-1904 " in out
    assert "japan-1904 " in call("fleets").out


def test_rules_are_searched_by_word_and_by_clause(call: Caller) -> None:
    assert "AQF-GUN-9 " in call("rules", "aqf-gun-9").out
    found = call("rules", "BOAT", "guns").out.splitlines()
    assert found
    assert all("boat" in line.lower() and "guns" in line.lower() for line in found)
    assert call("rules", "zeppelin").status == 1


def test_a_search_warns_once_of_rules_that_cannot_be_loaded(call: Caller) -> None:
    """Detect a search without a match that loads all rule systems a second time."""
    own = find_own_folder("rules")
    own.mkdir(parents=True)
    (own / "broken.rules.toml").write_text("title = ")
    called = call("rules", "zeppelin")
    assert called.status == 1
    assert len(called.err.splitlines()) == 1
    assert "broken" in called.err


def test_without_a_terminal_the_console_prints_a_message(call: Caller) -> None:
    every: Sequence[Sequence[str]] = ([], ["play"], ["play", "rulebook-examples"], ["watch", "one.qfb"])
    for called in (run_process(), *(call(*arguments) for arguments in every)):
        assert (called.status, called.out) == (2, "")
        assert "no terminal" in called.err


def test_a_scenario_is_played_with_a_new_save_or_the_one_named(call: Caller) -> None:
    scenario = FLEETS / "scenarios" / "rulebook-examples.toml"
    assert find_targets("rulebook-examples", None) == (scenario, None)
    assert find_targets("rulebook-examples", "new.qfb") == (scenario, Path("new.qfb"))


def test_a_save_is_continued_in_its_own_file(call: Caller) -> None:
    save = call.save(BATTLE)
    assert find_targets(str(save), None) == (save, None)
    assert find_targets(None, None) == (None, None)
    with pytest.raises(QfError, match="leave --save out"):
        find_targets(str(save), "other.qfb")
    with pytest.raises(QfError, match="no save is overwritten"):
        find_targets("rulebook-examples", str(save))


def test_the_sample_is_printed_without_a_terminal(call: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    save = call.save(BATTLE)
    before = sorted(call.folder.rglob("*"))
    assert open_sample(save, terminal=False) == 0
    out = capsys.readouterr().out
    assert "       fire mikasa heavy borodino long 5 8\n" in out
    assert "Red   Borodino " in out
    assert sorted(call.folder.rglob("*")) == before


def test_a_pipe_that_closes_early_is_no_fault() -> None:
    command = [sys.executable, "-m", "qf_tui", "run", "rulebook-examples"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin
        assert running.stdout
        assert running.stderr
        running.stdin.write(b"note a\n")
        running.stdin.flush()
        assert running.stdout.readline()
        running.stdout.close()
        running.stdin.write(b"note b\n" * 50)
        running.stdin.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert lay_out_rows([["a", "1"], ["三笠", "10"]], [False, True]) == ["a      1", "三笠  10"]


@pytest.mark.parametrize("kind", ["toml", "qfb"])
def test_a_pipe_is_no_file_and_is_not_waited_for(call: Caller, kind: str) -> None:
    """Detect a `check` that waits forever for input from a pipe."""
    pipe = call.folder / f"pipe.{kind}"
    make_pipe(pipe)
    called = call("check", pipe)
    assert (called.status, called.out) == (2, f"{pipe}: not a file\n")
    for door in ("show", "verify", "run"):
        assert call(door, pipe).status == 2


def test_settings_are_shown_explained_and_set(call: Caller, tmp_path: Path) -> None:
    shown = call("settings")
    file = tmp_path / "home" / "settings.toml"
    assert shown.status == 0
    assert str(file) in shown.out
    assert "# the colours of the console" in file.read_text()
    assert "theme  light" in call("settings", "theme", "light").out
    assert 'theme = "light"' in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (("yellow-sea-1904",), "Advanced Quickfire · medium, in"),
        (("yellow-sea-1904", "--rules", "gq2"), "General Quarters 2 · standard, in"),
        (("yellow-sea-1904", "--rules", "quickfire"), "Quickfire · medium, in"),
        (("yellow-sea-1904-clone",), "Quickfire-Clone · medium, metric"),
        (("yellow-sea-1904-clone", "--rules", "gq2"), "General Quarters 2 · standard, in"),
    ],
)
def test_a_scenario_is_run_under_named_rules(call: Caller, arguments: tuple[str, ...], title: str) -> None:
    """Detect rules that are named but not used, and a former name that lost its own."""
    called = call("run", *arguments, "--orders", call.write_orders("next\n"))
    assert (called.status, called.err) == (0, "")
    assert f"Yellow Sea, 10 August 1904 · {title}" in called.out


def test_odds_use_the_named_rules(call: Caller) -> None:
    shot = "fire mikasa heavy tsesarevich 188cm guess 186"
    assert call("odds", "yellow-sea-1904", "--rules", "quickfire-clone", shot).out.startswith("fire mikasa")
    assert call("odds", "yellow-sea-1904", shot).status == 3


def test_rules_that_cannot_be_chosen_are_refused(call: Caller) -> None:
    save = call.save("next\n")
    with pytest.raises(QfError, match="a saved battle keeps its own rules"):
        choose_rules(str(save), "gq2")
    with pytest.raises(QfError, match="no rule system “gq3”; installed: "):
        choose_rules("yellow-sea-1904", "gq3")
    with pytest.raises(QfError, match="--rules is only for a new battle"):
        choose_rules(None, "gq2")
    assert choose_rules(None, None) == ""
    assert choose_rules(str(save), None) == ""
    assert choose_rules("yellow-sea-1904-clone", None) == "quickfire-clone"


ORDERS = "note one\n"
NO_NAME = "is not a file name; name the new save like battle.qfb"
NEW_SAVES = (
    ("branch", "old.qfb", "--at", "1", "--save"),
    ("rescue", "old.txt", "--save"),
    ("court", "old.qfb", "--branch"),
)
"""Commands, besides `run` and `play`, that make a save under a given name."""


@pytest.mark.parametrize("name", [*(f"new{ending}" for ending in BESIDE), "new.LOCK", "new.qfb.seed"])
def test_the_name_of_a_file_next_to_a_save_is_refused_for_a_battle(call: Caller, name: str) -> None:
    called = call.play(ORDERS, "--save", call.folder / name)
    assert called.status == 2
    assert "is for files next to a save; choose another name, like" in called.err
    assert "new.qfb\n" in called.err
    assert [one.name for one in call.folder.iterdir()] == ["battle.orders"]
    with pytest.raises(QfError, match="next to a save"):
        find_targets("rulebook-examples", name)


@pytest.mark.parametrize("words", NEW_SAVES)
@pytest.mark.parametrize(
    ("name", "said"),
    [("", NO_NAME), (".", NO_NAME), (" ", NO_NAME), ("new\n.qfb", NO_NAME), ("new.board", "next to a save")],
)
def test_other_commands_refuse_such_a_name_for_a_save(
    call: Caller, words: tuple[str, ...], name: str, said: str
) -> None:
    call.save(ORDERS, "old.qfb")
    before = sorted(call.folder.iterdir())
    called = call(*words, name)
    assert called.status == 2
    assert said in called.err
    assert sorted(call.folder.iterdir()) == before


@pytest.mark.parametrize("ending", ["", *BESIDE])
@pytest.mark.parametrize("words", [("sheets",), ("report", "--md"), ("report", "--md", "--replace")])
def test_nothing_is_written_over_a_save(call: Caller, words: tuple[str, ...], ending: str) -> None:
    """Detect a report written over the secret seed, and advice to overwrite a save by `--replace`."""
    save = call.save(ORDERS)
    before = sorted(call.folder.iterdir())
    called = call(*words, save, "--out", f"{save}{ending}")
    assert called.status == 2
    assert called.err.endswith(
        ": this is a save, or belongs to one, and is never overwritten; choose another name\n"
    )
    assert sorted(call.folder.iterdir()) == before


BRANCHED = "next\nfire mikasa heavy borodino long 5 8\nundo\nnote after\n"


@pytest.mark.parametrize("upto", [0, 2, 3, 4])
def test_a_branch_holds_the_acts_up_to_the_named_one(call: Caller, upto: int) -> None:
    """Detect an act too many or too few, or a broken chain of checksums."""
    save, branch = call.save(BRANCHED), call.folder / "branch.qfb"
    before = save.read_bytes()
    assert call("branch", save, "--at", str(upto), "--save", branch).status == 0
    assert read_save(branch).log == read_save(save).log[:upto]
    assert read_save(branch).header == read_save(save).header
    assert save.read_bytes() == before


RUN = ("run", "rulebook-examples", "--orders", os.devnull)
NO_SAVE = "qf-tui: “” is not a name for a save; give one like battle.qfb\n"
YEARS = "not a year of any ship; name one from 1850 to 1950\n"
REFUSED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("sail",), "qf-tui"),
    (("run",), "qf-tui"),
    (("run", "x", "--seed", "y"), "qf-tui"),
    (("schema", "ship"), "qf-tui"),
    (("show", "rulebook-examples"), "qf-tui: rulebook-examples: "),
    (("check", "gone.toml"), "gone.toml: there is no such file"),
    *(((*words, "sloops"), "no rule system “sloops”; installed: ") for words in (["charts"], ["options"])),
    (("schema", "fleet", "sloops"), "no rule system “sloops”; installed: "),
    ((*RUN, "--rules", "gq2"), "toml: ruleset: expected “gq2”, found “advanced-quickfire”"),
    ((*RUN, "--save", ""), NO_NAME),
    ((*RUN, "--save", ".end"), "choose another name, like battle.qfb"),
    (("run", "rulebook-examples", "--orders", ""), "name a file of orders, or - for standard input"),
    (("run", "no-such-battle"), "no scenario “no-such-battle”"),
    (("run", "gone.qfb"), "there is no such file"),
    (("run", "gone.toml"), "there is no such file"),
    (("run", "."), "no scenario “.”"),
    (("run", "rulebook-examples", "--orders", "gone"), "orders gone"),
    (("run", "rulebook-examples", "--orders", "."), "orders ."),
    (("run", "a\0b"), "a"),
    ((*RUN, "--save", "no/where.qfb"), "where.qfb"),
    ((*RUN, "--save", "battle.qfb"), "battle.qfb"),
    (("run", "battle.qfb", "--orders", os.devnull, "--save", "battle.qfb"), "battle.qfb"),
    *((("board", "battle.qfb", "--port", port), f"--port {port}: a port is a") for port in ("65536", "-1")),
    (("board", "nowhere.qfb"), "there is no such file"),
    (("board", "battle.qfb", "--lan", "--host", "10.0.0.1"), "leave one of them out"),
    (("board", "battle.qfb", "--host", "0.0.0.0"), "name one address of this computer"),
    (("board", "battle.qfb", "--host", "club.local"), "give a numeric address"),
    (("board", "battle.qfb", "--host", "192.0.2.77"), "is not an address of this computer"),
    (("board", "battle.qfb", "--switch", "never"), "invalid choice"),
    (("ship", "japan/mikasa", "--year", "1890"), "is known from 1902 on; name a later --year"),
    *((("ship", "japan/mikasa", "--year", year), f"--year {year}: {YEARS}") for year in ("-5", "0", "12004")),
    (("sheets", "battle.qfb", "--out", ""), "qf-tui: “” is not a file name; give one\n"),
    (("sheets", "battle.qfb"), "--out FILE"),
    (("sheets", "battle.qfb", "--side", "", "--out", "page.html"), "need a name"),
    (("sheets", "battle.qfb", "--division", "", "--out", "page.html"), "need a name"),
    (("rescue", "battle.qfb"), "--save FILE"),
    (("rescue", "nowhere.txt", "--save", "back.qfb"), "no such file"),
    (("rescue", ".", "--save", "back.qfb"), "not a file"),
    *(((*command.split(), ""), NO_SAVE) for command in ("report", "show", "verify", "board", "court")),
    (("verify", "--dice", ""), NO_SAVE),
    (("report", "battle.qfb", "--worth", ""), ""),
    (("branch", "battle.qfb", "--at=5", "--save", "new.qfb"), "its acts are 1 to 4"),
    (("branch", "battle.qfb", "--at=-1", "--save", "new.qfb"), "its acts are 1 to 4"),
    (("branch", "battle.qfb", "--at", "1", "--save", "battle.qfb"), "no save is overwritten"),
    (("fleets", "japan-1904"), "add --csv to print the ships"),
    (("fleets", "--import", "none.csv"), "name a rule system with --rules"),
    (("fleets", "--import", "none.csv", "--rules", "gq2"), "there is no such file"),
    (("ships", "--import", "none.csv"), "there is no such file"),
    (("ship", "--springsharp", "none.txt"), "there is no such file"),
)


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a save of four acts, and close it."""
    path = tmp_path_factory.mktemp("refused") / "battle.qfb"
    session = Session.begin(*load_our_battles()["rulebook-examples"], path)
    for line in BRANCHED.splitlines():
        session.enter(line)
    session.close()
    return path


@pytest.mark.parametrize(("arguments", "words"), REFUSED)
def test_a_wrong_call_is_refused_and_changes_no_file(
    call: Caller, battle: Path, arguments: tuple[str, ...], words: str
) -> None:
    """Call each command wrongly; no byte of a named save may change."""
    shutil.copy(battle, call.folder)
    called = call(*arguments)
    assert called.status == 2
    assert words in called.out + called.err
    assert "Traceback" not in called.err
    assert [path.name for path in call.folder.iterdir()] == ["battle.qfb"]
    assert (call.folder / "battle.qfb").read_bytes() == battle.read_bytes()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("shwo", "x.qfb"), "“shwo” is no command; did you mean show? `qf-tui --help` lists all"),
        (("zzzz",), "“zzzz” is no command; `qf-tui --help` lists all"),
        (("--versoin",), "“--versoin” is no command; did you mean --version?"),
        (("show", "x.qfb", "--jsn"), "“--jsn” is no option of show; did you mean --json?"),
        (("run", "--seeds=3"), "“--seeds” is no option of run; did you mean --seed?"),
        (("sh\x1b[2Jow",), "“sh�[2Jow” is no command"),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest_one(
    call: Caller, words: tuple[str, ...], says: str
) -> None:
    called = call(*words)
    assert called.status == 2
    assert says in called.err
    assert not called.out


def test_words_after_two_dashes_are_no_options(call: Caller) -> None:
    assert "no option" not in call("odds", "rulebook-examples", "--", "--json").err
