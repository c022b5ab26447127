"""General Quarters 2 with the house rules of the quick reference: half boxes, ten-sided dice, night.

`clauses`     each clause in our own words, and the switches
`charts`      the tables, and the sticks that the umpire enters
`ship`        the data sheet and the log of a ship, and values that follow from them
`rating`      a ship's card from her facts
`forms`       the orders, the facts that acts and owed questions keep, distances
`targets`     who may attack whom: light, searchlights, smoke, the targeting roll by night
`movement`    engines, steering, formations, inches moved
`wandering`   the wander checks of a division
`damage`      boxes lost, critical hits, repair, sinking
`gunnery`     a battery's fire at a target
`torpedo`     torpedo attacks, spreads by night, mines
`grid`        a ship's grid cells, card and printed log, values for scripts, and changes on the table
`system`      the rule system as the core sees it
"""

from qf_tui.rules.gq2.system import GeneralQuarters

SYSTEM = GeneralQuarters()
"""The rule system; the entry point of the package names it."""
