"""Runs the command `qf-tui` for `python -m qf_tui`."""

from qf_tui.cli import main

# A worker process loads this module under another name, and must not run the command.
if __name__ == "__main__":
    raise SystemExit(main())
