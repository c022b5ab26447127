"""The program with a hasty board, so that a test need not wait for its timeouts."""

from unittest.mock import patch

from qf_tui.cli import main

WHOLE_S = 1.0
"""Seconds within which a whole request must arrive."""
IN_HASTE = {
    "serving.WHOLE_S": WHOLE_S,
    "serving.BEAT_S": 1,
    "serving.LOOK_AGAIN_S": 0.2,
    "hub.BEAT_S": 1,
    "hub.AGAIN": b"retry: 100\n\n",
}

if __name__ == "__main__":
    for name, value in IN_HASTE.items():
        patch(f"qf_tui.features.board.{name}", value).start()
    raise SystemExit(main())
