"""What the Quickfire games share: black and white dice, two batteries a ship, eight speed boxes, one log.

No rule system is here. Each game is a folder beside this one, declares in a `Game` what differs, and
keeps what it alone has.

`game`      what a game gives to the shared rules  `scales`     distances, ranges, units
`ship`      fields, batteries, speed boxes
`movement`  what ships moved, recorded or assumed  `moves`      the order to move, pivots, steering
`targeting` who may act, targets, what waits       `arcs`       bow and stern arcs
`chart`     codes, cells, percentage lines         `throws`     a throw, and strict mode's question
`damage`    ROF, boxes and fires lost              `checks`     rolls that a ship owes, sinking
`repair`    repair attempts                        `torpedo`    torpedoes by rating and motion
`course`    courses that damage forces
`grid`      grid and card                          `forms`      orders in common
`gunnery`   what shots have in common
`rating`    facts of a ship into a card: guns, ROF, armor
`facts`     what questions and acts keep, and positions in saves of format 1
`needed`    what of the charts can be needed
`report`    values for scripts, words for hands    `log_sheet`  the log as it is printed
`worth`     what ships are worth                   `attested`   what examples state of ships
`system`    the seam filled from a game's parts
"""
