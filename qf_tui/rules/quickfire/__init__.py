"""Quickfire, the standard game: pre-dreadnought battles with six-sided dice, three to a shot.

What it shares with its sister games is in `qf_tui.rules.quickfire_family`; here is what it has for itself.

`ship`      card and log
`game`      what it gives to the shared rules  `shots`      shots as declared
`targeting` who may fire at what               `gunnery`    battery fire and blast
`boats`     boat guns                          `torpedo`    torpedo attacks
`damage`    codes and where they go            `checks`     rolls that damage calls for
`repair`    how it repairs                     `options`    the switches
`forms`     the orders
`clauses`   each clause in our own words       `grid`       columns of the grid
`facts`     what acts and questions keep, and positions in saves of format 1
`rating`    facts of a ship into her card
`attested`  what the guide states of ships
`worth`     what ships are worth               `system`     all of it as the core sees it
"""

from qf_tui.rules.quickfire.system import Quickfire

SYSTEM = Quickfire()
"""The rule system that the entry point names."""
