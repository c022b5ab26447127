"""The pages of the help: listed, shown, searched, and as one page for a browser."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from qf_tui.cli import main
from qf_tui.document.help import TOPICS, build_help_page, find_pages, read_page_source, render_help
from qf_tui.document.text import lay_out_document
from qf_tui.document.values import Table

SOURCE = Path(__file__).parent.parent.parent / "qf_tui"
README = SOURCE.parent / "README.md"


def test_every_page_is_listed_and_no_other() -> None:
    pages = [*(SOURCE / "help").iterdir(), *(SOURCE / "features").glob("*/*.md")]
    names = {path.parent.name if path.name == "help.md" else path.stem for path in pages}
    assert names == set(TOPICS)


def test_without_features_their_pages_are_missing_and_no_others(tmp_path: Path) -> None:
    """Detect a program that cannot show its help because a feature was removed."""
    copytree(SOURCE, tmp_path / "qf_tui", ignore=ignore_patterns("features", "__pycache__"))
    command = [sys.executable, "-m", "qf_tui", "help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, encoding="utf-8")
    bare = {path.stem for path in (SOURCE / "help").iterdir()}
    listed = [line.split()[0] for line in done.stdout.splitlines()]
    assert listed == [topic for topic in TOPICS if topic in bare]


def test_the_readme_names_every_page() -> None:
    part = README.read_text(encoding="utf-8").partition("## Read on")[2].partition("\n## ")[0]
    assert set(TOPICS) <= set(re.findall(r"`([a-z]+)`", part))


@pytest.mark.parametrize(("page", "most"), [("README.md", 8_000), ("CONTRIBUTING.md", 10_000)])
def test_a_page_is_short(page: str, most: int) -> None:
    assert len((SOURCE.parent / page).read_text(encoding="utf-8")) <= most


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_shown_whole_within_its_width(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Detect a word lost between page and document, and a line that cannot be wrapped."""
    assert main(["help", topic]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 100
    written = re.sub(r"```\w*", "", read_page_source(topic))
    heads = {
        word
        for block in build_help_page(topic).blocks
        if isinstance(block, Table)
        for column in block.columns
        for word in re.findall(r"\w+", column.title)
    }
    assert set(re.findall(r"\w+", written)) - set(re.findall(r"\w+", printed)) <= heads


def test_pages_are_listed_with_their_titles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(TOPICS)


def test_words_are_found_anywhere_in_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert [page.title.split(":")[0] for page in find_pages(["BIP-39"])] == ["dice"]
    assert main(["help", "Umpire's", "switch"]) == 0
    assert "board: " in capsys.readouterr().out


def test_a_search_without_result_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "simulatoin"]) == 1
    assert "did you mean simulation?" in capsys.readouterr().out


def test_all_pages_make_one_page_for_a_browser(tmp_path: Path) -> None:
    out = tmp_path / "help.html"
    assert main(["help", "--html", "--out", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert page == render_help()
    assert re.findall(r'<article id="(\w+)">', page) == list(TOPICS)
    assert not re.search(r"<script|https?://", page)


def test_a_wrapped_line_is_indented_next_to_its_term() -> None:
    lines = list(lay_out_document(build_help_page("keys"), 60))
    at = next(place for place, line in enumerate(lines) if line.startswith("`n` "))
    assert lines[at + 1].startswith(" " * 20)
