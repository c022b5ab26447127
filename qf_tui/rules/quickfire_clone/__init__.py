"""Quickfire-Clone: fast pre-dreadnought battles with six-sided dice, on what the Quickfire games share.

`game`      scale, ranges and clauses     `ship`       card, log and what follows from them
`charts`    cells, and the gunnery chart  `options`    the switches
`targeting` who may fire at what          `gunnery`    estimate, ROF, hit and blast
`torpedo`   launches                      `collision`  ships that ram
`damage`    codes and what they take      `checks`     rolls that a ship owes
`repair`    repairs and their choice      `forms`      the orders
`grid`      columns and cells             `clauses`    each clause in our own words
`facts`     what acts and questions keep, and positions in saves of format 1
`rating`    facts of a ship into her card
`worth`     what ships are worth          `attested`   what the rules state of ships
`system`    all of it as the core sees it
"""

from qf_tui.rules.quickfire_clone.system import QuickfireClone

SYSTEM = QuickfireClone()
"""The rule system that the entry point names."""
