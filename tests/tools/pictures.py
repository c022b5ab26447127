"""The README's pictures, drawn by the program: `python -m tests.tools.pictures` fills `.pictures/`.

Each is the sample battle, the Yellow Sea, played to one moment by real keys. A browser prints its log sheets;
its film is a page.
"""

import html
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen
from rich.cells import cell_len

from qf_tui.console.app import Console
from qf_tui.features.film.film import build_film, render_film
from qf_tui.features.report.document import build_film_curve
from qf_tui.features.report.work import analyse_battle
from qf_tui.features.sheets.sheets import SheetChoice, build_sheets, write_page
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, play
from tests.systems import load_start
from tests.tools.pace import read_orders

ROOT = Path(__file__).parent.parent.parent
PICTURES = ROOT / ".pictures"
GOLDEN = Path(__file__).parent.parent / "golden"
SIZE = (120, 36)
SHEETS, FILM = "sheets.png", "film.html"

_FONT_FACES = re.compile(r"\s*@font-face \{[^}]*\}")
"""Rich names fonts that a page would download; these pictures need nothing from outside."""

_TEXT = re.compile(
    r'(<text class="[^"]*") x="([\d.]+)" (y="[^"]*") textLength="([\d.]+)"([^>]*)>([^<]*)</text>'
)
_WORDS = re.compile("(?:(?!\xa0\xa0).)+")


def _place_words(run: re.Match[str]) -> str:
    """Place each word of a text separately, so that columns are straight in any font."""
    head, x, y, length, tail, escaped = run.groups()
    text = html.unescape(escaped)
    cell = float(length) / max(1, cell_len(text))
    words = []
    for word in _WORDS.finditer(text):
        shown = word[0].strip("\xa0")
        begins = cell_len(text[: word.start()]) + len(word[0]) - len(word[0].lstrip("\xa0"))
        if shown:
            place = f'x="{float(x) + begins * cell:.1f}" {y} textLength="{cell_len(shown) * cell:.1f}"'
            words.append(f"{head} {place}{tail}>{html.escape(shown)}</text>")
    return "".join(words)


def draw_screen(app: Console, title: str) -> str:
    """Draw the screen as SVG that needs nothing from outside."""
    svg = _FONT_FACES.sub("", app.export_screenshot(title=title, simplify=True))
    svg = _TEXT.sub(_place_words, svg)
    return svg.replace("Fira Code", "Menlo, Consolas, DejaVu Sans Mono, Liberation Mono").rstrip() + "\n"


def begin_fought(name: str, acts: int) -> Session:
    """Begin a golden battle and enter its first orders, without a save."""
    system, start = load_start(name)
    session = Session.begin(system, start)
    for line in read_orders(GOLDEN / f"{name}.orders")[:acts]:
        session.enter(line)
    return session


@frozen
class Shot:
    """One picture: a golden battle after some orders, the keys pressed, the size of the screen."""

    battle: str
    acts: int
    keys: str = ""
    size: tuple[int, int] = SIZE


SHOTS = {
    "battle": Shot("yellow-sea-1904", 85),
    "fire": Shot("yellow-sea-1904", 80, "f h t s 3 0 space"),
    "across": Shot("yellow-sea-1904", 212, "v", (140, 44)),
    "night": Shot("gq2-fourth-flotilla-1916", 30),
}


AMENDED = "correction"
STEPS = (
    ("", "a battle under way"),
    ("h", "h: its history"),
    ("home down down down", "up to an old shot"),
    ("enter", "Enter: the dialog that made it"),
    ("2 2", "2 2: the dice as they really fell"),
    ("enter", "Enter: what that changes, before it is done"),
    ("enter", "Enter: every later entry decided again"),
    ("escape", "Esc: the battle, as if it had been entered so"),
)
"""The moving picture: the keys before each picture, and its caption."""
SHOWN_S = 2.5
"""Seconds for which each picture is shown."""
_INSIDE = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


def animate(pictures: Sequence[str]) -> str:
    """Combine pictures of one size into one that shows them in turn, or the last one if nothing moves."""
    opening = pictures[0][: pictures[0].index(">") + 1]
    count = len(pictures)
    style = (
        f"@keyframes shown {{ from {{ visibility: visible }} {100 / count:.3f}% {{ visibility: hidden }} }}"
        "@media (prefers-reduced-motion: no-preference) {"
        f" .picture {{ visibility: hidden; animation: shown {count * SHOWN_S}s step-end infinite }} }}"
    )
    parts = []
    for at, picture in enumerate(pictures):
        inside = _INSIDE.search(picture)
        assert inside is not None
        still = "" if at == count - 1 else "visibility: hidden; "
        delay = f"animation-delay: {at * SHOWN_S}s"
        parts.append(f'<g class="picture" style="{still}{delay}">{inside[1]}</g>')
    return f"{opening}<style>{style}</style>{''.join(parts)}</svg>\n"


def draw_amended() -> None:
    """Draw how an old shot is amended, picture by picture."""
    drawn = []

    async def steps(table: Table) -> None:
        for keys, title in STEPS:
            for key in keys.split():
                await table.press(key)
            drawn.append(draw_screen(table.app, title))

    play(begin_fought("yellow-sea-1904", 85), steps, SIZE)
    (PICTURES / f"{AMENDED}.svg").write_text(animate(drawn), encoding="utf-8")


def draw(name: str, shot: Shot) -> None:
    async def steps(table: Table) -> None:
        for key in shot.keys.split():
            await table.press(key)
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / f"{name}.svg").write_text(draw_screen(table.app, "qf-tui"), encoding="utf-8")

    play(begin_fought(shot.battle, shot.acts), steps, shot.size)


def print_sheets(name: str, acts: int) -> None:
    """Print log sheets by a browser, and keep the upper half of the first page."""
    session = begin_fought(name, acts)
    with TemporaryDirectory() as folder:
        page, pdf = Path(folder) / "sheets.html", Path(folder) / "sheets.pdf"
        write_page(page, build_sheets(session.system, session.timeline, SheetChoice()))
        browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        subprocess.run([*browser, f"--print-to-pdf={pdf}", page.as_uri()], check=True, capture_output=True)
        half = ["-gray", "-r", "100", "-f", "1", "-l", "1", "-singlefile", "-H", "620"]
        subprocess.run(
            ["pdftoppm", "-png", *half, str(pdf), str(PICTURES / SHEETS.removesuffix(".png"))], check=True
        )


def make_film() -> None:
    """Make the film of the sample battle, with its luck."""
    session = Session.view(ROOT / "saves" / "yellow-sea-1904.qfb", find_systems())
    system, timeline = session.system, session.timeline
    film = build_film(system, timeline, None)
    curve = build_film_curve(
        system, timeline, system.worth, analyse_battle(system, timeline), film.frames[1:]
    )
    (PICTURES / FILM).write_text(render_film(film, curve), encoding="utf-8")


if __name__ == "__main__":
    make_film()
    print_sheets("yellow-sea-1904", 340)
    for name, shot in SHOTS.items():
        draw(name, shot)
    draw_amended()
