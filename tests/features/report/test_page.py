"""The width of a report's tables in a browser."""

from pathlib import Path

import pytest

from qf_tui.document.values import Document, Row, Section, Table, build_line, build_text_columns
from qf_tui.features.report.page import render_report
from tests.browser import Browser, find_browser
from tests.features.board.test_page import NO_BROWSER

pytestmark = pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)

BOXES = "□□□□□□□□ → XXX□□□□□"
EDGES = """['h3', '#ships-a table', '#ships-b table', '#ships-c table'].map((one) => {
  const box = document.querySelector(one).getBoundingClientRect();
  return [Math.round(box.left), Math.round(box.right)];
})"""
HIDDEN = """[...document.querySelectorAll('.wide')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.querySelector('td').innerText)"""


def write_page(folder: Path) -> str:
    """Write a report with tables of 5 columns, of 2 columns, and of sentences."""
    sentence = "hit by everything that the other line has " * 4
    rows = {"a": ("Seydlitz", *(BOXES,) * 4), "b": ("Lion", BOXES), "c": ("Tiger", sentence, sentence)}
    sections = (
        Section(
            id, (Table(build_text_columns(*"12345"[: len(cells)]), (Row(cells),)), build_line("Afloat.")), id
        )
        for id, cells in rows.items()
    )
    report = Document("Dogger Bank · 5 turns", (Section("Ships", tuple(sections), "ships"),))
    path = folder / "report.html"
    path.write_text(render_report(report), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "hidden"), [(1100, []), (1920, []), (700, ["Seydlitz"])])
def test_a_table_wider_than_the_text_uses_the_whole_page(
    browser: Browser, tmp_path: Path, width: int, hidden: list[str]
) -> None:
    """Guard against a last column out of sight although the page has room for it."""
    browser.set_size(width, 900)
    browser.open(write_page(tmp_path))
    browser.wait_for("document.readyState == 'complete' && document.querySelector('footer')")
    assert browser.evaluate(HIDDEN) == hidden
    assert browser.evaluate("document.documentElement.scrollWidth") == width
    text, wide, *others = browser.evaluate(EDGES)
    if width == 1920:
        assert wide[0] == text[0], "a table begins where the text begins, if it has room there"
    if not hidden:
        assert 20 <= wide[0] <= text[0] < text[1] < wide[1] <= width - 20
        assert others == [text, text]
