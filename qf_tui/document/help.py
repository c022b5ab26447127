"""The help pages, one Markdown file each: as documents, in a search, and as one HTML page."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from markupsafe import Markup

import qf_tui
from qf_tui.document.values import (
    GAP,
    Block,
    Document,
    Line,
    Row,
    Section,
    Table,
    TextSpan,
    Tone,
    build_line,
    build_text_columns,
)

_ORDER = (
    "keys", "talk", "orders", "corrections", "setup", "ships", "files", "rules", "dice", "watch", "board",
    "sheets", "rescue", "state", "points", "report", "film", "court", "campaign", "simulation",
    "worth", "performance",
)  # fmt: skip
"""Names of all pages, in the order in which a new umpire needs them."""


def _find_files() -> Iterator[tuple[str, Traversable]]:
    """Yield the pages by name: those of the base, and the Markdown files in each feature's folder.

    A page `help.md` of a feature has the name of the feature.
    """
    package = files("qf_tui")
    features = package / "features"
    feature_folders = features.iterdir() if features.is_dir() else ()
    for folder in (package / "help", *feature_folders):
        for file in folder.iterdir() if folder.is_dir() else ():
            name, _, kind = file.name.partition(".")
            if kind == "md":
                yield folder.name if name == "help" else name, file


_FILES = dict(_find_files())
TOPICS = tuple(topic for topic in _ORDER if topic in _FILES)
"""Names of the available pages, in that order."""
_SENTENCE = re.compile(r"(?<=[.:?!]) +(?=[^a-z])")
_ITEM_INDENT = 2
"""Indent of list items and script lines, in characters."""


@cache
def _make_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def read_page_source(topic: str) -> str:
    """Return the Markdown text of a page."""
    return _FILES[topic].read_text(encoding="utf-8")


@cache
def build_help_page(topic: str) -> Document:
    """Build the document of the page on a topic, with a section for each heading below its title."""
    parts: list[tuple[str, list[Block]]] = []
    for node in SyntaxTreeNode(_make_parser().parse(read_page_source(topic))).children:
        if node.type == "heading":
            parts.append((node.children[0].content, []))
        else:
            _, section_blocks = parts[-1]
            section_blocks += [*([GAP] if section_blocks else []), *_build_blocks(node)]
    (title, first), *rest = parts
    sections = (Section(heading, tuple(blocks)) for heading, blocks in rest)
    return Document(title, (*first, *sections), topic)


def find_pages(words: Sequence[str]) -> tuple[Section, ...]:
    """Find the pages that contain all the words, ignoring case.

    Returns:
        A section for each page, with the sentences that contain any of the words.
    """
    sought = [word.casefold() for word in words]
    sections = []
    for topic in TOPICS:
        page = build_help_page(topic)
        lines = [part for text in _list_texts(page.blocks) for part in _SENTENCE.split(text)]
        page_text = " ".join((topic, page.title, *lines)).casefold()
        if all(word in page_text for word in sought):
            matches = (line for line in lines if any(word in line.casefold() for word in sought))
            blocks = tuple(build_line(line, indent=_ITEM_INDENT) for line in matches)
            sections.append(Section(f"{topic}: {page.title}", blocks))
    return tuple(sections)


def render_help() -> str:
    """Build one HTML page of all help pages, with a table of contents; it needs no network."""
    # Imported late: no other function here needs templates.
    from qf_tui.document.html import render

    pages = [
        (topic, build_help_page(topic).title, Markup(_make_parser().render(read_page_source(topic))))
        for topic in TOPICS
    ]
    return render("document/help.html", pages=pages, version=qf_tui.__version__)


def _list_texts(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the texts of blocks: lines, rows of tables, and headings."""
    for block in blocks:
        if isinstance(block, Line):
            yield block.text
        elif isinstance(block, Table):
            yield from (" ".join(row.cells) for row in block.rows)
        elif isinstance(block, Section):
            yield from (block.title, *_list_texts(block.blocks))


def _build_blocks(node: SyntaxTreeNode) -> Iterator[Block]:
    """Yield the blocks of one paragraph, list, script or table."""
    if node.type == "table":
        # The children of a table are its head and its body.
        titles, *rows = (
            tuple("".join(span.text for span in _build_spans(cell)) for cell in row.children)
            for part in node.children
            for row in part.children
        )
        yield Table(build_text_columns(*titles), tuple(map(Row, rows)))
    elif node.type == "fence":
        yield from (build_line(line, indent=_ITEM_INDENT) for line in node.content.rstrip().split("\n"))
    elif node.type == "bullet_list":
        for item in node.children:
            yield Line((TextSpan("• "), *_build_spans(item.children[0])), _ITEM_INDENT)
    else:
        yield Line(tuple(_build_spans(node)))


def _build_spans(node: SyntaxTreeNode) -> Iterator[TextSpan]:
    """Yield the spans of the text in a paragraph or a table cell; code keeps its backquotes."""
    (line,) = node.children
    for part in line.children:
        if part.type == "code_inline":
            yield TextSpan(f"`{part.content}`", Tone.ASKED)
        elif part.type == "strong":
            # A line break in strong text has no content.
            yield TextSpan("".join(child.content or " " for child in part.children), Tone.STRONG)
        elif part.type == "softbreak":
            yield TextSpan(" ")
        else:
            yield TextSpan(part.content)
