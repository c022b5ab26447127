"""Measures the previews of amendments within the installed program, for `tests.tools.speed`.

    python speed_inside.py SAVE COUNT

It prints the seconds of `COUNT` previews, spread evenly over the log, as a JSON list.
"""

import gc
import json
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, perf_counter

from qf_tui.core.errors import OrderRefused
from qf_tui.library.systems import find_systems
from qf_tui.session import Session


def measure_previews(save: str, count: int) -> list[float]:
    """Preview other dice for entries of the whole log, in a battle opened as the console does it."""
    gc.disable()
    session = Session.resume(Path(save), find_systems())
    session.start_clock(monotonic)
    gc.freeze()
    gc.enable()
    versions = session.timeline.versions
    thrown = [number for number, version in versions.items() if version.dice]
    taken = []
    for number in thrown[:: max(1, len(thrown) // count)]:
        dice = " ".join(str(face % 12 + 1) for face in versions[number].dice)
        begun = perf_counter()
        with suppress(OrderRefused):
            session.preview(f"amend {number} {dice}")
            taken.append(perf_counter() - begun)
    return taken


if __name__ == "__main__":
    print(json.dumps(measure_previews(sys.argv[1], int(sys.argv[2]))))
