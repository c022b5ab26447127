"""General Quarters 2, the rules of a miniatures game, with the house rules of the quick reference.

`clauses`     each clause in our own words, and the switches
`charts`      readers of the tables, and the shape that an umpire's own table must have
`ship`        the data sheet and the log of a ship, and values that follow from them
`rating`      a ship's card from her historical facts
`forms`       the orders, the facts that acts and owed questions keep, distances
`targets`     who may attack whom: light, searchlights, smoke, the targeting roll by night
`movement`    engines, steering, formations, inches moved
`wandering`   wander checks: dice by which ships drift after they moved
`damage`      boxes lost, critical hits, repair, sinking
`gunnery`     a battery's fire at a target
`torpedo`     torpedo attacks, spreads by night, mines
`grid`        the display of a ship: cells of the ship list, card, printed log, and changes on the table
`system`      the rule system as the core sees it
"""

from qf_tui.rules.gq2.system import GeneralQuarters

SYSTEM = GeneralQuarters()
"""The rule system; the entry point of the package names it."""
