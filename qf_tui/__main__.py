"""`python -m qf_tui` is `qf-tui`."""

from qf_tui.cli import main

raise SystemExit(main())
