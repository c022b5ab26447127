"""Pictures of board and film: `python -m tests.tools.board_pictures` draws them into `.pictures/`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from qf_tui.features.board.values import BoardSwitch
from qf_tui.session import Session
from tests.browser import find_browser, open_browser
from tests.features.board.serving import Shown, serve_page
from tests.systems import find_our_systems
from tests.tools.pictures import FILM, PICTURES, ROOT

SIDE = "japan"
OF_THE_README = {"board-phone.png": ("side", (390, 844)), "board-table.png": ("table", (1280, 800))}
"""The pictures of the README, each with its view and size."""
OF_THE_FILM = {
    "film-phone.png": (390, 844),
    "film-tablet.png": (820, 1180),
    "film-screen.png": (1600, 1000),
}
TOLD = "document.querySelector('.marks a')"
"""The first mark of the film, whose entry is shown."""
SETTLED = "document.querySelector('nav a[href=report]')"


def main() -> None:
    if find_browser() is None:
        sys.exit("no Chromium is installed here")
    session = Session.view(ROOT / "saves" / "yellow-sea-1904.qfb", find_our_systems())
    title = f"Yellow Sea, 10 August 1904 · {SIDE.capitalize()}"
    shown = Shown(session.system, session.timeline, SIDE, BoardSwitch.AT_ONCE, title)
    with (
        TemporaryDirectory() as profile,
        open_browser(Path(profile)) as browser,
        serve_page(shown) as address,
    ):
        for name, (place, size) in OF_THE_README.items():
            browser.set_size(*size, dark=False)
            browser.open("about:blank")
            browser.open(f"{address}#{place}")
            browser.wait_for(SETTLED)
            browser.save_picture(PICTURES / name)
        for name, size in OF_THE_FILM.items():
            browser.set_size(*size, dark=False)
            browser.open("about:blank")
            browser.open((PICTURES / FILM).as_uri())
            browser.wait_for(f"(location.hash = {TOLD}?.getAttribute('href') ?? '')")
            browser.wait_for("document.querySelector('#told .event')")
            browser.save_picture(PICTURES / name)


if __name__ == "__main__":
    main()
