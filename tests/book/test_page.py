"""The page for authors of books: its book, fleet and scenario can be played unchanged."""

import re
from pathlib import Path
from string import ascii_uppercase

from qf_tui.document.help import read_page_source
from qf_tui.library.books import list_book_fields
from qf_tui.rules.book.declaration import KEYS
from tests.cli.calling import Caller

FILES = ("pond.rules.toml", "boats.toml", "pond.toml")
ORDERS = """sail ant,bee
next
shoot ant bee 12in 5 4
answer hu 2 gu bl
amend 3 5 5
answer hull 1
force next
"""


def test_the_book_of_the_page_is_valid_and_can_be_played(tmp_path: Path, call: Caller) -> None:
    texts = re.findall(r"```toml\n(.*?)```", read_page_source("rules"), re.DOTALL)
    paths = [tmp_path / name for name in FILES]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    assert call("check", *paths).status == 0
    orders = tmp_path / "orders"
    orders.write_text(ORDERS, encoding="utf-8")
    played = call("run", paths[-1], "--orders", orders)
    assert played.status == 0, played.out
    assert re.search(r"Bee +4 +2$", played.out, re.MULTILINE)


def test_the_page_lists_the_free_keys() -> None:
    lower = [key for key in KEYS if key.islower()]
    taken = sorted({*ascii_uppercase} - {*KEYS})
    said = f"keys are {' '.join(lower)} and all capitals but {' and '.join(taken)}"
    assert said in " ".join(read_page_source("rules").split())


def test_the_page_names_every_key_of_the_file() -> None:
    page = read_page_source("rules")
    missing = [field.name for field in list_book_fields() if field.name not in page]
    missing += [
        f"{table.name}.{field.name}"
        for table in list_book_fields()
        for field in table.parts
        if f"`{field.name}" not in page
    ]
    assert missing == []


def test_the_tables_of_the_page_are_valid(tmp_path: Path, call: Caller) -> None:
    """Add them to its book in the same order, and throw for their results."""
    book, fleet, scenario = re.findall(r"```toml\n(.*?)```", read_page_source("rules"), re.DOTALL)
    tables = next(
        text
        for text in re.findall(r"```text\n(.*?)```", read_page_source("rules"), re.DOTALL)
        if "[[table]]" in text
    )
    book = book.replace('dice = "2"\n', 'table = "broadside"\n') + tables
    for name, text in zip(FILES, (book, fleet, scenario), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert call("check", *(tmp_path / name for name in FILES)).status == 0
    orders = tmp_path / "orders"
    orders.write_text("next\nshoot ant bee 6in 6 6\nroll 4\nshoot bee ant 12in 6 5\n", encoding="utf-8")
    played = call("run", tmp_path / FILES[-1], "--orders", orders)
    assert played.status == 0, played.out
    assert re.search(r"Bee +5// +2/", played.out)
