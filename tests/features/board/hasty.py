"""The program with a board in haste: what takes seconds elsewhere is soon there for a test to see."""

from unittest.mock import patch

from qf_tui.cli import main

WHOLE_S = 1.0
"""Seconds in which a request must be there whole."""
IN_HASTE = {
    "serving.WHOLE_S": WHOLE_S,
    "serving.BEAT_S": 1,
    "hub.BEAT_S": 1,
    "hub.AGAIN": b"retry: 100\n\n",
}

if __name__ == "__main__":
    for name, value in IN_HASTE.items():
        patch(f"qf_tui.features.board.{name}", value).start()
    raise SystemExit(main())
