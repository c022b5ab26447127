"""The film on a slow phone: `python -m tests.tools.film_frames` prints its size and the times of frames.

The battle has 1,000 entries of 39 ships; the browser's processor is slowed down four times. A frame is the
whole task that draws it, by the clock of the page's thread. A page that draws one number is measured too,
since a busy computer slows both.
"""

import sys
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from qf_tui.features.film.film import build_film, render_film
from tests.browser import Browser, find_browser, open_browser
from tests.corrections.long_battles import play_long_battle
from tests.systems import find_our_systems

ENTRIES, DRAWN, SLOWED = 1000, 200, 4
SIZES = ((390, 844), (820, 1180), (1600, 1000))
SEEKS = """
(async () => {{ for (const to of {}) {{ seek(to); await new Promise((on) => setTimeout(on, 50)); }} }})()
"""
BARE = """<!doctype html><p>0</p><script>
function seek(to) { requestAnimationFrame(() => { document.querySelector("p").textContent = to; }); }
</script>"""
TRACED = {"includedCategories": ["toplevel", "devtools.timeline"]}


def measure_frames(browser: Browser, places: list[int]) -> list[float]:
    """Measure the milliseconds of each frame drawn while seeking some places."""
    browser.events.clear()
    browser.send("Tracing.start", traceConfig=TRACED, transferMode="ReportEvents")
    browser.evaluate(SEEKS.format(places))
    browser.send("Tracing.end")
    while not any(event["method"] == "Tracing.tracingComplete" for event in browser.events):
        browser.evaluate("1")
    sent = (event["params"] for event in browser.events if event["method"] == "Tracing.dataCollected")
    spans = [span for params in sent for span in params["value"] if "dur" in span]
    drawing = [span for span in spans if span["name"] == "FireAnimationFrame"]
    tasks = [span for span in spans if span["name"].endswith("RunTask")]
    return [
        task["tdur"] / 1000
        for task in tasks
        if any(task["tid"] == one["tid"] and 0 <= one["ts"] - task["ts"] < task["dur"] for one in drawing)
    ]


def main() -> None:
    if find_browser() is None:
        sys.exit("no Chromium is installed here")
    film = build_film(find_our_systems()["advanced-quickfire"], play_long_battle(ENTRIES), None)
    text, chance, last = render_film(film, None), Random(1904), len(film.frames) - 1
    print(f"{ENTRIES} entries: {len(text.encode()):,} bytes")
    on = list(range(1, DRAWN))
    anywhere = [chance.randint(0, last) for _ in on]
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, open_browser(Path(folder)) as browser:
        page, bare = Path(folder) / "film.html", Path(folder) / "bare.html"
        page.write_text(text, encoding="utf-8")
        bare.write_text(BARE, encoding="utf-8")
        for size in SIZES:
            browser.set_size(*size)
            orders = (bare, "one number", on), (page, "on", on), (page, "anywhere", anywhere)
            for path, name, places in orders:
                browser.open("about:blank")
                browser.open(path.as_uri())
                browser.wait_for("document.querySelector('.fleet, body > p:only-of-type')")
                browser.send("Emulation.setCPUThrottlingRate", rate=SLOWED)
                took = measure_frames(browser, places)
                browser.send("Emulation.setCPUThrottlingRate", rate=1)
                slow = quantiles(took, n=20)[-1]
                print(
                    f"{size[0]} x {size[1]}, {name}: {median(took):.1f} ms, one in twenty above {slow:.1f} ms"
                )


if __name__ == "__main__":
    main()
