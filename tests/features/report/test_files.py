"""The report as Markdown, CSV, JSON and HTML: complete, harmless, and without a request."""

import csv
import io
import json
import re
from base64 import b64decode
from colorsys import rgb_to_hls
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from attrs import evolve
from jinja2 import UndefinedError

from qf_tui.document.html import make_environment, render
from qf_tui.document.values import Document, Section, build_line
from qf_tui.features.report.curve import Curve, draw_bars, draw_curve, find_curve, format_signed
from qf_tui.features.report.document import BattleReport
from qf_tui.features.report.luck import THROW_COLUMNS
from qf_tui.features.report.page import build_plot, render_report
from qf_tui.features.report.rows import format_analysis_json
from qf_tui.features.report.text import escape_markdown, format_csv, format_markdown
from qf_tui.features.report.values import NOTHING, Analysis, Count, LeftOut
from qf_tui.features.report.work import FileKind, format_report, save_report
from qf_tui.library.csv_rows import read_table
from tests.features.report.battles import OPENING, analyse_golden
from tests.features.report.made import MARKUP, THROWS, build_points, build_report, strip_report


@pytest.mark.parametrize(
    "text", [MARKUP, "![a](http://x)", "<img src=x onerror=y>", "a|b", "~~x~~", "&#106;", "[a]: x", "\\<b>"]
)
def test_names_are_no_markdown_and_no_html(text: str) -> None:
    """Guard against a link, picture, cell or tag that a forum makes from a ship's name."""
    said = escape_markdown(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]|`*_~]|[<>]|&(?!amp;|lt;|gt;)", said)
    assert "](javascript:" not in re.sub(r"\\\]", "", said)


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "12) a", "# a", "> a", "---", "==="])
def test_no_sentence_begins_a_list_or_a_heading(text: str) -> None:
    made = Document("T", (build_line(text), Section("A", (build_line(text),), "a")))
    lines = format_markdown(made).splitlines()
    for line in (lines[2], lines[-2].removeprefix("- ")):
        assert not re.match(r"[-+=>#]|\d+[.)]", line), line


def test_block_letters_grow_with_their_figures() -> None:
    assert draw_bars([0, 1, 7]) == "▁▂█"
    assert draw_bars([3.0, 3.0]) == "▁▁"
    assert draw_bars([]) == ""
    assert len(draw_bars(list(range(1000)), bars_most=60)) <= 60


def test_the_curve_in_letters_is_above_its_turns() -> None:
    advantage, luck, turns, mark, _ = draw_curve(find_curve(build_report()) or pytest.fail("no curve"))
    assert len(advantage.split()[1]) == len(luck.split()[1]) == 18
    assert turns == "turn       1  2  3  4  5  6"
    assert mark.index("▲") == len("turn       ") + 15


def test_turns_of_a_long_curve_never_run_into_each_other() -> None:
    many = tuple(evolve(point, turn=at // 3 + 1) for at, point in enumerate(build_points() * 40))
    turns = draw_curve(Curve(("a", "b"), many, 700, "a", "b", "worth"))[2]
    numbers = [int(one) for one in turns.split()[1:]]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] <= 240


def test_csv_has_one_row_for_each_throw() -> None:
    rows = list(csv.DictReader(io.StringIO(format_csv(THROWS))))
    assert ",".join(rows[0]).startswith("turn,phase,side,firer,target,weapon,odds,dice,result,damage,")
    assert rows[0]["odds"] == "0.041667"
    assert rows[0]["dice"] == "5 10"
    assert rows[2]["odds"] == rows[2]["luck"] == ""
    assert [row["luck"] for row in rows] == ["3.25", "-0.5", ""]


def test_csv_holds_no_formula_and_reads_back() -> None:
    text = format_csv(THROWS)
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not [cell for cell in cells if re.match(r"[=+@-]", cell) and not re.fullmatch(r"-[\d.]+", cell)]
    back = read_table(text.encode(), Path("x.csv"), [column.title for column in THROW_COLUMNS])
    assert back.rows[1]["result"] == "=HYPERLINK(1)"


def load_analysis() -> Analysis:
    return analyse_golden("port-arthur-1904-evening", OPENING)


def test_json_has_the_documented_keys() -> None:
    first, *others = load_analysis().throws
    third = Count("china", "", 0, 0, NOTHING)
    made = evolve(
        load_analysis(),
        throws=(evolve(first, luck=None, left_out=LeftOut.JUDGED_OTHERWISE), *others),
        sides=(*load_analysis().sides, "china"),
        damage=(*load_analysis().damage, third),
    )
    rows = json.loads(format_analysis_json(made))
    assert list(rows) == [
        *("throws", "sides", "start", "worth", "turning_point", "advantage_moved", "cells"),
        *("struck_throws", "left_out", "losses"),
    ]
    keys = {"entry", "side", "ship", "kind", "dice", "results", "expected", "variance", "luck", "as_well"}
    assert keys <= set(rows["throws"][0])
    assert rows["throws"][0]["luck"] is None
    assert rows["left_out"] == [{"entry": first.entry, "reason": "judged otherwise"}]
    assert rows["sides"]["china"]["luck"] is None, "a third side has none of its own"
    assert {"turn", "phase", "sides", "luck"} <= set(rows["worth"][0])


@pytest.mark.parametrize("kind", FileKind)
def test_a_report_is_written_in_full_and_overwrites_no_file(kind: FileKind, tmp_path: Path) -> None:
    made = BattleReport(load_analysis(), build_report(MARKUP), THROWS)
    first, second = (save_report(made, tmp_path / "battle.qfb", kind) for _ in range(2))
    assert set(tmp_path.iterdir()) == {first, second}
    for path in (first, second):
        assert path.read_bytes().decode(kind.encoding) == format_report(made, kind)


TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "figure"),
    *("figcaption", "details", "summary", "h1", "h2", "h3", "p", "span", "ul", "li", "div"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("svg", "desc", "line", "text", "tspan", "polyline", "polygon", "rect", "clippath"),
}
ATTRIBUTES = {
    *("id", "class", "lang", "charset", "name", "content", "http-equiv", "scope", "role", "overflow"),
    *("x", "y", "x1", "x2", "y1", "y2", "dx", "width", "height", "points", "viewbox"),
    *("preserveaspectratio", "text-anchor", "clip-path", "aria-hidden", "aria-label", "aria-labelledby"),
}
VOID = {"meta"}


def build_page(made: Document) -> str:
    return render_report(made)


class Page(HTMLParser):
    """A page as a browser reads it: every tag closed, each tag and attribute known."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.said = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, f"{tag} {name}={value}"
            self.ids += [value or ""] if name == "id" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data if "style" not in self.open else ""


def test_a_page_is_valid_and_complete() -> None:
    made = build_report()
    page = Page(build_page(made))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {"luck", "story", "ships", "ships-japan", "curve-title"} <= set(page.ids)
    for said in ("Mikasa hits Tsesarevich at 41″", "1 in 14", "+5.80", "▲", "Japan ahead"):
        assert said in page.said


@pytest.mark.parametrize("name", [MARKUP, "</title><script>", "</style>", "-->", "{{ 7*7 }}", "&lt;b&gt;"])
def test_no_name_is_markup(name: str) -> None:
    """Guard against text that reaches the page, its title or its drawing unescaped."""
    curve = Curve((name, name), build_points(), 15, name, name, name)
    page = Page(build_page(build_report(name, curve=curve)))
    assert page.said.count(name) > 5


def test_a_page_requests_nothing_and_runs_nothing() -> None:
    page = build_page(build_report(MARKUP))
    assert not re.search(r"https?:|url\((?!#)|@import|<script|<link|<img|<iframe|\sstyle=", page)
    assert not re.search(r"<[^>]*\son\w+=", page)


def test_a_page_without_a_curve_is_complete() -> None:
    page = Page(build_page(strip_report(build_report())))
    assert "curve" not in page.ids
    assert "▲" not in page.said


@pytest.mark.parametrize("count", [1, 2, 18])
@pytest.mark.parametrize("factor", [0.0, 1e-6, 1.0, 1e6])
def test_a_curve_stays_within_its_field(count: int, factor: float) -> None:
    """Guard against a scale that fits only usual figures, and an empty curve."""
    some = tuple(
        evolve(one, advantage=one.advantage * factor, luck=one.luck * factor, gained=one.gained * factor)
        for one in build_points()[-count:]
    )
    plot = build_plot(Curve(("a", "b"), some, 0, "a", "b", "worth"))
    heights = [float(one.split(",")[1]) for one in f"{plot.advantage} {plot.luck}".split()]
    assert all(22 <= y <= 214 for y in (*heights, plot.zero, *(level.y for level in plot.levels)))
    assert all(236 <= bar.y <= bar.y + bar.height <= 292.2 for bar in plot.bars)
    assert len({level.label for level in plot.levels}) == len(plot.levels) >= 2


def test_the_curve_is_never_red_and_green() -> None:
    for colour in set(re.findall(r"#([0-9a-f]{6})", build_page(build_report()))):
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
        hue, _, saturation = rgb_to_hls(red, green, blue)
        assert saturation < 0.3 or 20 < hue * 360 < 70 or 180 < hue * 360 < 260, colour


def test_a_figure_has_its_sign() -> None:
    assert [format_signed(one) for one in (2.75, -0.5, 0.0, -0.01)] == ["+2.8", "−0.5", "0.0", "0.0"]


def _render_source(source: str, **values: object) -> str:
    return make_environment().from_string(source).render(values)


@pytest.mark.parametrize("text", ["<script>", '" onmouseover="x', "'><b>", "a & b"])
def test_values_in_a_template_are_escaped(text: str) -> None:
    """Guard against an environment that escapes by template name, or not in attributes."""
    assert not re.search("[<>\"']|&(?!#?\\w+;)", _render_source("{{ text }}", text=text))


def test_a_missing_value_in_a_template_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        _render_source("{{ nobody }}")


def test_the_frame_allows_only_its_own_style() -> None:
    page = render("document/base.html")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    said = policy[1].replace("&#39;", "'")
    digest = re.search(r"style-src 'sha256-([^']+)'", said)
    assert digest is not None
    assert b64decode(digest[1]) == sha256(style[1].encode()).digest()
    assert "default-src 'none'" in said
    assert not re.search(r"<script|https?:|url\(|@import|<link|<img", page)
