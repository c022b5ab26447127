"""`qf-tui replay`: the page, and its permitted viewers."""

import pytest

from tests.cli.calling import Caller

SHOTS = """\
next
fire borodino heavy mikasa 40in 3 5
fire mikasa heavy borodino 40in 2 8
"""


def test_the_film_is_a_page_with_or_without_its_curve(call: Caller) -> None:
    save, path = call.save(SHOTS), call.folder / "film.html"
    called = call("replay", save, "--html", "--out", path)
    assert (called.status, called.out) == (0, f"{path}\n")
    page = path.read_text(encoding="utf-8")
    assert call("replay", save).out.splitlines() == page.splitlines()
    assert '<polyline class="advantage"' in page
    assert "--replace overwrites it" in call("replay", save, "--out", path).err
    assert call("replay", save, "--no-luck", "--out", path, "--replace").status == 0
    assert "polyline class" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("viewer", "said"), [("red", "is not over"), ("all", "is not over"), ("sea", "blue, red, all")]
)
def test_a_side_gets_no_film_before_the_end_and_unknown_viewers_are_refused(
    viewer: str, said: str, call: Caller
) -> None:
    refused = call("replay", call.save(SHOTS), "--viewer", viewer)
    assert (refused.status, refused.out) == (2, "")
    assert said in refused.err
