"""Quickfire, the standard game: pre-dreadnought battles with six-sided dice, three to a shot.

What it shares with its sister games is in `qf_tui.rules.quickfire_family`; here is what is its own.

`clauses`   each clause in our own words, and the switches
`game`      the orders, the shapes of the charts, card and log, facts of a ship into her card
`gunnery`   battery fire, boat guns and torpedo attacks
`damage`    codes and where they go, the rolls that damage calls for, repairs
`system`    all of it as the core sees it
"""

from qf_tui.rules.quickfire.system import Quickfire

SYSTEM = Quickfire()
"""The rule system that the entry point names."""
