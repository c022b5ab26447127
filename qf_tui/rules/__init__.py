"""The rule systems, one folder each, found by the entry point group `qf_tui.rules`."""
