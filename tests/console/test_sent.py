"""What is sent to a terminal: only what differs, and always enough for it to show what was drawn."""

import re
from random import Random

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from qf_tui.console.textual_patches.frame_diff import SentPicture
from tests.console.playing import SIZES, ChopsUpdate, LayoutUpdate, Table, gunnery, play

TRUE = ColorSystem.TRUECOLOR
_PART = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|(?:\x1b\[[ -?]*[@-~]|\x1b.|[\r\n])|(.)", re.DOTALL)


class Screen:
    """As much of a terminal as our pictures need: the sign and the style of each cell."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, str]] = {}

    def take(self, sent: str) -> None:
        x = y = 0
        style = ""
        for line, column, codes, sign in _PART.findall(sent):
            if line:
                x, y = int(column), int(line)
            elif not sign:
                style = codes.removeprefix("0").removeprefix(";") if codes else style
            else:
                shown = _seen(style, sign == " ")
                for at in range(cell_len(sign)):
                    self.cells[y, x + at] = (sign if not at else "", shown)
                x += cell_len(sign)

    @property
    def lines(self) -> list[str]:
        """What stands on it, line by line."""
        rows = {y: "" for y, _ in sorted(self.cells)}
        for y, x in sorted(self.cells):
            rows[y] += self.cells[y, x][0]
        return list(rows.values())


def _seen(codes: str, blank: bool) -> str:
    """What a style shows: of a blank not the colour of its sign, unless it is turned round or ruled."""
    parts, found = codes.split(";"), []
    while parts:
        one = [parts.pop(0)]
        if one[0] in ("38", "48"):
            more = 4 if parts[0] == "2" else 2
            one, parts = [*one, *parts[:more]], parts[more:]
        found.append(";".join(one))
    if not blank or {"4", "7", "9", "21", "53"} & set(found):
        return codes
    return ";".join(one for one in found if one.startswith("4"))


def whole(strips: list[list[Strip]]) -> LayoutUpdate:
    return LayoutUpdate(list(strips), Region(0, 0, 80, len(strips)))


@pytest.mark.parametrize("pressed", [12, pytest.param(60, marks=pytest.mark.long)])
def test_a_terminal_shows_what_is_drawn_after_every_key(pressed: int) -> None:
    """Catches a cell that was taken for known: a name of wide signs, a row under the cursor, a dialog."""

    async def steps(table: Table) -> None:
        sent, terminal = SentPicture(), Screen()
        compared = 0

        def drawn(update: object) -> None:
            if isinstance(update, LayoutUpdate):
                terminal.take("".join(sent.whole(update, TRUE)))
            elif isinstance(update, ChopsUpdate):
                terminal.take("".join(sent.changes(update, TRUE)))

        table.sent(drawn)
        table.app.screen.refresh(layout=True)
        random = Random(10)
        keys = (
            "down",
            "up",
            "left",
            "right",
            "x",
            "f",
            "h",
            "1",
            "2",
            "space",
            "enter",
            "escape",
            "s",
            "colon",
        )
        for _ in range(pressed):
            await table.press(random.choice(keys))
            fresh = Screen()
            fresh.take("".join(SentPicture().whole(table.picture(), TRUE)))
            differ = {at for at, cell in fresh.cells.items() if terminal.cells.get(at) != cell}
            assert not differ, (
                sorted(differ)[:3],
                [(terminal.cells.get(at), fresh.cells[at]) for at in differ][:3],
            )
            compared += len(fresh.cells)
        assert compared

    play(gunnery(), steps, size=SIZES[2], drawn=True)


@pytest.mark.parametrize(
    ("was", "now", "sent"),
    [
        ("Mikasa  7-10", "Mikasa  7-10", ""),
        ("Mikasa  7-10", "Mikasa  7-1x", "\x1b[1;12H\x1b[0mx\x1b[0m"),
        ("Mikasa  7-10", "Mixasa  7-1x", "\x1b[1;3H\x1b[0mx\x1b[0m\x1b[1;12H\x1b[0mx\x1b[0m"),
        ("Mikasa  7-10", "Mikxsx  7-10", "\x1b[1;4H\x1b[0mxsx\x1b[0m"),
        ("a 艦 b", "a 艇 b", "\x1b[1;1H\x1b[0ma 艇 b\x1b[0m"),
    ],
)
def test_only_cells_that_differ_are_sent(was: str, now: str, sent: str) -> None:
    """Those close together in one run; text with a wide sign is never cut."""
    picture = SentPicture()
    list(picture.whole(whole([[Strip([Segment(was, Style())])]]), TRUE))
    strip = Strip([Segment(now, Style())])
    update = ChopsUpdate([{0: strip}], [(0, 0, strip.cell_length)], [[strip.cell_length]])
    assert "".join(picture.changes(update, TRUE)) == sent


def test_after_another_size_nothing_is_taken_for_known() -> None:
    picture = SentPicture()
    strip = Strip([Segment("Mikasa", Style())])
    list(picture.whole(whole([[strip]]), TRUE))
    picture.forget()
    update = ChopsUpdate([{0: strip}], [(0, 0, 6)], [[6]])
    assert "Mikasa" in "".join(picture.changes(update, TRUE))
