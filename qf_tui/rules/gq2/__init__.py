"""General Quarters 2 with the house rules of the quick reference: half boxes, ten-sided dice, night.

`ship`            the data sheet, and what follows from it
`fields`          what may be set, and what models show
`armament`        the AF that boxes leave
`log_sheet`       the data sheet as it is printed
`card_view`       the data sheet in full
`grid`            grid and values
`rating`          facts of a ship into its card
`worth`           what ships are worth, which results count
`forms`           the orders
`options`         the switches
`advice`          who may still act, and reminders
`clauses`         each clause in our own words
`movement`        inches moved, and what bars a move
`engines`         stokers, and getting under way
`steering`        what bridge and rudder leave a move
`formation`       formations, one change a turn
`wandering`       the checks of a division
`wander_checks`   where their dice set a ship
`measures`        inches of the rules on any table
`shots`           shots as declared, and their modifiers
`hindrances`      what bars a shot
`targets`         who may attack whom
`gunnery`         what its dice do
`sticks`          the umpire's own sticks
`damage`          boxes lost, ships that begin to sink
`criticals`       critical hits and barbettes
`manual_damage`   damage by the umpire's word
`torpedo`         torpedo attacks
`attacks`         torpedo attacks as declared
`spreads`         where torpedoes go by night
`explosions`      what torpedoes and mines do
`lights`          daylight, and who is lit
`lighting`        searchlights and smoke
`mistargeting`    the targeting roll by night
`repair`          damage control and sinking
`charts`          reading the tables
`facts`           what acts and questions keep
`system`          all of it as the core sees it
"""

from qf_tui.rules.gq2.system import GeneralQuarters

SYSTEM = GeneralQuarters()
"""The rule system that the entry point names."""
