"""Tables in a book's file: faults are reported at once, with their lines and suggestions."""

from pathlib import Path

import pytest

from qf_tui.library.check import check_file
from qf_tui.library.systems import Systems
from tests.book.rivers import FILE

TEXT = FILE.read_text(encoding="utf-8")
ROLLS = "".join(
    f'\n[[table]]\nname = "t{at}"\ndice = "d6"\n[table.rows]\n1-6 = "roll t{at + 1}"\n' for at in range(5)
)


def check(folder: Path, text: str) -> list[str]:
    """List the faults of such a book that `check` finds."""
    path = folder / FILE.name
    path.write_text(text, encoding="utf-8")
    return [str(fault) for fault in check_file(path, Systems()).faults]


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ('table = "ramming"', 'table = "raming"', "raming", "no table “raming”; did you mean ramming?"),
        ('3 = "guns 1"', '3 = "gunz 1"', "gunz", "did you mean guns?"),
        ("guns 1, roll magazine", "guns 1, roll magazin", "magazin", "a roll needs a table"),
        ('5 = "boilers 1"', '5 = "boilers =1"', "=1", "how many more or fewer"),
        ('4 = "blaze"', '4 = "blaze 99"', "blaze 99", "at most 9 of a mark"),
        (
            '4 = "blaze"',
            '4 = "blaze | blaze"',
            '"blaze | blaze"',
            "expected 1, a cell for each column, found 2",
        ),
        ('3 = "guns 1"\n', "", "[[table]]", "“4” does not follow 2: write every number once"),
        ('3 = "guns 1"', 'three = "guns 1"', "[[table]]", "“three” is not a number, nor numbers like 2-5"),
        ("7-8 =", "8-7 =", "[[table]]", "“8-7” is not a number"),
        ('by = "range"', 'by = "rang"', "rang", "no value “rang”; did you mean range?"),
        ('by = "range"', 'by = "guns + range"', "guns + range", "only numbers can be added"),
        ('by = "range"', 'by = "guns target.armor"', "guns target", "is not a sum"),
        ('by = "range"', 'by = "end-on"', '"6in", "12in"', "“6in” is not a number"),
        ('["6in", "12in", "24in"]', '["6in", "24in", "12in"]', '"6in", "24in"', "the nearest first"),
        ('["6in", "12in", "24in"]', '["6in", "12cm", "24in"]', '"12cm"', "ranges in one unit"),
        ('["low", "high"]\nmod', '["low", "hihg"]\nmod', '"hihg"', "a column for each of low, high"),
        ('by = "river"\n', "", "[[table]]", "what chooses the column?"),
        ("kind = launch +2", "kind = lunch +2", "lunch", "expected “=” and one of casemate"),
        ("kind = launch +2", "kind > launch +2", "kind >", "expected “=” and one of casemate"),
        ("no boilers -2", "no boilers", "no boilers", "the condition, then the number, like no boilers -1"),
        ("no boilers -2", "boilers 2 -1", "boilers 2", "write < <= = >= or > between boilers and 2"),
        ("no boilers -2", "no boilers 2 -1", "boilers 2", "like boilers <= 2 -1"),
        ("speed >= 6 +1", "speed+1 >= 6 +1", "speed+1", "write it with spaces, like speed + 1"),
        ("end-on -1", "range +1", "range +1", "a range chooses a column"),
        ("speed >= 6 +1", "speed >= sped +1", "sped", "no value “sped”; did you mean speed?"),
        (
            "no boilers -2",
            "target.guns -2",
            'table = "shoals"',
            "asks for target.guns, but there is no slot for it",
        ),
        ("no boilers -2", "end-on -2", 'table = "shoals"', "asks for end-on, but there is no slot for it"),
        (
            'by = "blaze"',
            'by = "target.blaze"',
            "[[table]]",
            "a roll on magazine asks for target.blaze",
        ),
        ('2-3 = "hull 1"', '2-3 = "roll bucket"', "[[table]]", "these rolls owe more rolls without end"),
        ('dice = "2d6"\nby', 'dice = "9d6"\nby', "9d6", "at most 10000 results"),
        ('dice = "2d6"\nby', 'dice = "1-3"\nby', "1-3", "a fixed number of dice"),
        ('dice = "2d6"\ndiff', 'dice = "3d6"\ndiff', "difference", "a difference needs two dice"),
        ('table = "shoals"', 'table = "shoals"\ndice = "2"', 'table = "shoals"', "remove “dice” and “reads”"),
        ('table = "ramming"', 'table = "ramming"\neach = "guns"', "each", "give the table ramming one die"),
        ('slots = ["ship"]', 'slots = ["ships"]', 'slots = ["ships"]', "one ship throws on a table"),
        ('bounds = "guns"', 'bounds = "gun"', 'bounds = "gun"', "no track “gun”; did you mean guns?"),
        (
            'at = "half"\nbounds = "guns"',
            'at = "third"\nbounds = "guns"',
            "third",
            "expected 0, another number",
        ),
        (
            'name = "bucket"',
            'name = "fire"',
            '"fire"',
            "“fire” names an order already: give this [[table]]",
        ),
        ('name = "bucket"', 'name = "fire bucket"', '"fire bucket"', "one word of lower case letters"),
        ('name = "bucket"', 'name = "fire bucket"', '"fire bucket"', "write fire-bucket"),
        ('table = "bucket"', 'table = "Hose"', '"Hose"', "a name is one word in lower case letters"),
        ('name = "spars"', 'name = "roll"', '"roll"', "“roll” is a word of the console"),
    ],
)
def test_a_fault_of_a_table_is_reported_with_its_line(
    tmp_path: Path, old: str, new: str, at: str, words: str
) -> None:
    assert TEXT.count(old) >= 1, old
    text = TEXT.replace(old, new, 1)
    faults = check(tmp_path, text)
    found = [fault for fault in faults if words in fault]
    assert found, faults
    line = int(found[0].partition(",")[0].removeprefix("line "))
    assert at in text.splitlines()[line - 1], (found[0], text.splitlines()[line - 1])


def test_rolls_that_cause_rolls_have_an_end(tmp_path: Path) -> None:
    """Allow four tables in a row: the last has no table for a further roll."""
    faults = check(tmp_path, TEXT + ROLLS.replace("roll t5", "-"))
    assert [fault for fault in faults if "more than 3 deep" in fault], faults
    assert all("(t0)" in fault for fault in faults), faults


def test_sizes_have_bounds(tmp_path: Path) -> None:
    rows = "".join(f'{at} = "-"\n' for at in range(1, 62))
    table = f'\n[[table]]\nname = "long"\ndice = "d100"\n[table.rows]\n{rows}'
    (fault,) = check(tmp_path, TEXT + table)
    assert "expected 1 to 60, found 61" in fault


def test_a_whole_book_of_tables_is_valid(tmp_path: Path) -> None:
    assert check(tmp_path, TEXT) == []
    assert check(tmp_path, TEXT.replace("speed >= 6 +1", "speed>=6 +1")) == [], "signs need no blanks"
