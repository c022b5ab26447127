"""The board in a browser: `python -m tests.tools.board_pictures` draws those of the README into `.pictures/`.

With a folder behind it, every view under every switch at three sizes, light and dark, into that folder.
"""

import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.session import Session
from tests.board.browser import Browser, browsing, found
from tests.board.serving import Shown, serving
from tests.systems import our_systems
from tests.tools.pictures import PICTURES, ROOT

SIZES = {"phone": (390, 844), "laptop": (1280, 800), "television": (1920, 1080)}
SIDE, SHIP = "japan", "fuji"
OF_THE_README = {"board-phone.png": ("side", "phone"), "board-table.png": ("table", "laptop")}
"""Each picture of the README: its view and size."""
SETTLED = "document.querySelector('nav a[href=report]')"


def drawn(browser: Browser, folder: Path, shown: Shown, place: str, size: str, *, dark: bool = False) -> Path:
    """A picture of one view, once all of it has come."""
    name = "-".join((shown.viewer or "all", shown.switch.value, place.partition("/")[0], size))
    path = folder / f"{name}{'-dark' if dark else ''}.png"
    with serving(shown) as address:
        browser.sized(*SIZES[size], dark=dark)
        browser.opens("about:blank")
        browser.opens(f"{address}#{place}")
        browser.until(SETTLED)
        browser.picture(path)
    return path


def main() -> None:
    if found() is None:
        sys.exit("no Chromium is installed here")
    session = Session.look(ROOT / "saves" / "yellow-sea-1904.qfb", our_systems())

    def shown(viewer: str, switch: BoardSwitch) -> Shown:
        of = viewer.capitalize() or "all"
        title = f"Yellow Sea, 10 August 1904 · {of}"
        return Shown(session.system, session.timeline, viewer, switch, title)

    with TemporaryDirectory() as profile, browsing(Path(profile)) as browser:
        if len(sys.argv) < 2:
            for name, (place, size) in OF_THE_README.items():
                drawn(browser, PICTURES, shown(SIDE, BoardSwitch.AT_ONCE), place, size).replace(
                    PICTURES / name
                )
            return
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        views = [(ALL, "table"), *((SIDE, place) for place in ("table", "side", f"ship/{SHIP}"))]
        for (viewer, place), switch, size, dark in product(views, BoardSwitch, SIZES, (False, True)):
            print(drawn(browser, folder, shown(viewer, switch), place, size, dark=dark))


if __name__ == "__main__":
    main()
