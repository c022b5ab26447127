"""General Quarters 2 with the house rules of the quick reference: half boxes, ten-sided dice, night.

`ship`       the data sheet, and what follows from it       `measures`    inches of the rules on any table
`movement`   inches moved, and what bars a move             `engines`     stokers, and getting under way
`steering`    what bridge and rudder leave a move        `wandering`   the checks of a division
`formation`  formations, one change a turn                  `lights`      daylight, and who is lit
`lighting`   searchlights and smoke                         `mistargeting`    the targeting roll by night
`shots`      shots as declared, and their modifiers         `hindrances`  what bars a shot
`gunnery`    what its dice do                               `torpedo`     torpedo attacks
`explosions` what torpedoes and mines do                    `damage`      boxes lost, ships that begin to sink
`armament`   the AF that boxes leave                    `navies`      navies and class codes
`criticals`  critical hits and barbettes                    `repair`      damage control and sinking
`targets`    who may attack whom                            `manual_damage`      damage by the umpire's word
`charts`     reading the tables                             `sticks`      the umpire's own sticks
`options`    the switches                                   `forms`       the orders
`grid`    grid and values                                `card_view`       the data sheet in full
`advice`     who may still act, and reminders               `clauses`     each clause in our own words
`attacks`    torpedo attacks as declared                    `spreads`     where torpedoes go by night
`phases`     the phases of a turn                           `log_sheet`   the data sheet as it is printed
`rating`     facts of a ship into its card                  `needed`      what of the charts can be needed
`facts`      what acts and questions keep                   `format_1`    positions in saves of format 1
`changed_rulings`   clauses that older versions decided otherwise
`system`     all of it as the core sees it                  `wander_checks`   where their dice set a ship
`worth`      what ships are worth, and which results count
"""

from qf_tui.rules.gq2.system import GeneralQuarters

SYSTEM = GeneralQuarters()
"""The rule system that the entry point names."""
