"""General Quarters 2 with the house rules of the quick reference: half boxes, ten-sided dice, night.

`clauses`     each clause in our own words, and the switches
`charts`      the tables, and the umpire's own sticks
`ship`        the data sheet and the log of a ship, and what follows from them
`rating`      facts of a ship into her card
`forms`       the orders, what acts and questions keep, distances
`targets`     who may attack whom: light, searchlights, smoke, the targeting roll by night
`movement`    engines, steering, formations, inches moved
`wandering`   the wander checks of a division
`damage`      boxes lost, critical hits, repair, sinking
`gunnery`     a battery at a target
`torpedo`     torpedo attacks, spreads by night, mines
`grid`        a ship on the grid, in scripts, in full and as a printed log
`system`      all of it as the core sees it
"""

from qf_tui.rules.gq2.system import GeneralQuarters

SYSTEM = GeneralQuarters()
"""The rule system that the entry point names."""
