"""Advanced Quickfire: pre-dreadnought battles with twelve-sided dice.

What it shares with its sister games is in `qf_tui.rules.quickfire_family`; here is what it has for itself.

`ship`      card and log                       `scales`     brackets and torpedo range
`game`      what it gives to the shared rules  `initiative` who moves first
`targeting` who may fire at what               `shots`      shots as declared
`boats`     boat guns                          `gunnery`    battery fire
`damage`    codes and their overflow           `torpedo`    torpedo attacks
`repair`    how it repairs                     `checks`     rolls that damage calls for
`charts`    what the combat chart may hold     `options`    the switches
`forms`     the orders                         `grid`       columns of the grid
`clauses`   each clause in our own words       `worth`      what ships are worth, and which results count
`facts`     what acts and questions keep       `format_1`   positions in saves of format 1
`needed`    what of the charts can be needed
`changed_rulings`  clauses that older versions decided otherwise
`system`    all of it as the core sees it
"""

from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire

SYSTEM = AdvancedQuickfire()
"""The rule system that the entry point names."""
