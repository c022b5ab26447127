"""The report as a page: whole, harmless, and without a request."""

import re
from colorsys import rgb_to_hls
from html.parser import HTMLParser

import pytest
from attrs import evolve

from qf_tui.document.html import html_text, plot_of
from qf_tui.document.values import Curve, Document, signed
from tests.report.made import MARKUP, points, report, without

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


def page_of(made: Document) -> str:
    return html_text(made)


class Page(HTMLParser):
    """What a browser would make of a page: every tag closed, each tag and attribute one that we know."""

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


def test_a_page_is_sound_and_tells_all() -> None:
    made = report()
    page = Page(page_of(made))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {"luck", "story", "ships", "ships-japan", "curve-title"} <= set(page.ids)
    for said in ("Mikasa hits Tsesarevich at 41″", "1 in 14", "+5.80", "▲", "Japan ahead"):
        assert said in page.said


@pytest.mark.parametrize("name", [MARKUP, "</title><script>", "</style>", "-->", "{{ 7*7 }}", "&lt;b&gt;"])
def test_no_name_is_markup(name: str) -> None:
    """Catches text that reaches the page, its title or its drawing without being escaped."""
    curve = Curve((name, name), points(), 15, name, name, name)
    page = Page(page_of(report(name, curve=curve)))
    assert page.said.count(name) > 5


def test_a_page_asks_for_nothing_and_runs_nothing() -> None:
    page = page_of(report(MARKUP))
    assert not re.search(r"https?:|url\((?!#)|@import|<script|<link|<img|<iframe|\sstyle=", page)
    assert not re.search(r"<[^>]*\son\w+=", page)


def test_a_page_of_two_thousand_ships_is_whole() -> None:
    page = Page(page_of(report(MARKUP, ships=2000)))
    assert page.open == []
    assert "Ship 1999" in page.said


def test_a_page_without_a_curve_is_whole() -> None:
    page = Page(page_of(without(report())))
    assert "curve" not in page.ids
    assert "▲" not in page.said


@pytest.mark.parametrize("count", [1, 2, 18])
@pytest.mark.parametrize("factor", [0.0, 1e-6, 1.0, 1e6])
def test_all_of_a_curve_stands_within_its_field(count: int, factor: float) -> None:
    """Catches a scale that fits only figures of the usual size, and a curve of nothing."""
    some = tuple(
        evolve(one, advantage=one.advantage * factor, luck=one.luck * factor, gained=one.gained * factor)
        for one in points()[-count:]
    )
    plot = plot_of(Curve(("a", "b"), some, 0, "a", "b", "worth"))
    heights = [float(one.split(",")[1]) for one in f"{plot.advantage} {plot.luck}".split()]
    assert all(22 <= y <= 214 for y in (*heights, plot.zero, *(level.y for level in plot.levels)))
    assert all(236 <= bar.y <= bar.y + bar.height <= 292.2 for bar in plot.bars)
    assert len({level.label for level in plot.levels}) == len(plot.levels) >= 2


def test_the_curve_is_never_red_and_green() -> None:
    for colour in set(re.findall(r"#([0-9a-f]{6})", page_of(report()))):
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
        hue, _, saturation = rgb_to_hls(red, green, blue)
        assert saturation < 0.3 or 20 < hue * 360 < 70 or 180 < hue * 360 < 260, colour


def test_a_figure_has_its_sign() -> None:
    assert [signed(one) for one in (2.75, -0.5, 0.0, -0.01)] == ["+2.8", "−0.5", "0.0", "0.0"]
