"""Advanced Quickfire: pre-dreadnought battles with twelve-sided dice.

What it shares with its sister games is in `qf_tui.rules.quickfire_family`; here is what is its own.

`clauses`     each clause in our own words, and the switches
`game`        the orders, the shapes of the charts, card and log, and what it gives to the shared rules
`initiative`  who moves first
`gunnery`     battery fire, boat guns and torpedo attacks
`damage`      codes and their overflow, the rolls that damage calls for, repairs
`system`      all of it as the core sees it
"""

from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire

SYSTEM = AdvancedQuickfire()
"""The rule system that the entry point names."""
