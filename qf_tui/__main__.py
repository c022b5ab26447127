"""`python -m qf_tui` is `qf-tui`."""

from qf_tui.cli import main

if __name__ == "__main__":  # a worker process loads this module under another name
    raise SystemExit(main())
