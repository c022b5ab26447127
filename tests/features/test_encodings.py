"""Output that cannot hold every sign: each command keeps every figure."""

import io
import sys

import pytest

from qf_tui.cli import main
from qf_tui.document.ascii import to_ascii
from qf_tui.library.paths import find_shipped_folder

SAMPLE = str(find_shipped_folder("saves") / "yellow-sea-1904.qfb")
FIRE = "fire mikasa heavy tsesarevich long"
COMMANDS = (
    ("show", SAMPLE),
    ("verify", SAMPLE),
    ("report", SAMPLE),
    ("careers", str(find_shipped_folder("saves"))),
    ("odds", "yellow-sea-1904", "fire peresvet heavy mikasa long"),
    ("charts", "advanced-quickfire"),
    ("options", "gq2"),
    ("ships", "japan", "1904"),
    ("ship", "japan/mikasa"),
    ("ratings",),
    ("scenarios",),
    ("help", "keys"),
    ("simulate", "chemulpo-1904", "-n", "2", "--seed", "1"),
)


def read_printed(words: tuple[str, ...], encoding: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command whose output goes to a file in an encoding, and return the text of that file."""
    printed = io.BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding, newline="\n"))
        main(list(words))
        sys.stdout.flush()
        return printed.getvalue().decode(encoding)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_no_figure_is_lost_in_an_encoding(
    words: tuple[str, ...], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    whole = read_printed(words, "utf-8", monkeypatch)
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    printed = read_printed(words, encoding, monkeypatch)
    assert whole
    assert to_ascii(printed) == to_ascii(whole)
    assert printed.count("?") == whole.count("?")


def test_a_file_or_pipe_gets_utf_8_unless_the_user_asks_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, "cp1252", newline="\n"))
    assert main(["show", SAMPLE]) == 0
    assert "5⅝″, 6 boxes" in printed.getvalue().decode("utf-8")


def test_a_mixed_number_stays_a_mixed_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Detect 5⅝ written as 55/8, where the encoding holds the 5 but not the fraction."""
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    assert '5 5/8", 6 boxes' in read_printed(("show", SAMPLE), "cp1252", monkeypatch)
