"""The battle screen.

`view`      a battle that is only viewed: puts the widgets together, on any source of timelines
`screen`    the same for an open battle, with the order bar and all that is entered from there
`watch`     a battle that another console writes, as it goes on
`across`    the page for across the room, and `across_parts` how it fits
`board`     the board for the players' phones: switched on and off, turned, its links shown
`status`    title and phases, who may act, what is owed
`latest`    the latest entries; `footer` the line of keys
"""
