"""What the Quickfire games share: black and white dice, two batteries a ship, eight speed boxes, one log.

No rule system is here. Each game is a folder beside this one, declares in a `Game` what differs, and
keeps what it alone has.

`game`      a game's declaration, and the scales of the table
`ship`      card, log, batteries, speed boxes, and which ships take orders
`rating`    facts of a ship into a card: guns, ROF, armor
`chart`     codes, cells, percentage lines, and who reads them
`throws`    a throw, strict mode's question, attacks whose dice come later
`movement`  what ships moved and may move, and the order for it
`ledger`    the damage dealt to each ship in a phase, as acts of the battle
`damage`    ROF, boxes and fires lost, the checks that follow, repairs
`settlement` the damage of a phase in one order, whatever the order of entry
`attacks`   who may attack whom, shots, boat guns, torpedoes
`grid`      the grid, the card and the log as they are shown
`system`    a game as the core sees it, what ships are worth, the cells that a battle needs
"""
