"""Advanced Quickfire: pre-dreadnought battles with twelve-sided dice.

What it shares with its sister games is in `qf_tui.rules.quickfire_family`; here is what it has for itself.

`ship`      card and log
`game`      what it gives to the shared rules  `initiative` who moves first
`targeting` who may fire at what               `shots`      shots as declared
`boats`     boat guns                          `gunnery`    battery fire
`damage`    codes and their overflow           `torpedo`    torpedo attacks
`checks`    rolls that damage calls for, and repairs
`options`   the switches
`forms`     the orders                         `grid`       columns of the grid
`clauses`   each clause in our own words       `worth`      what ships are worth, and which results count
`facts`     what acts and questions keep, and positions in saves of format 1
`system`    all of it as the core sees it
"""

from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire

SYSTEM = AdvancedQuickfire()
"""The rule system that the entry point names."""
