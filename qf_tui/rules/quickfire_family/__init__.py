"""The rules that all Quickfire games share: black and white dice, two batteries, eight speed boxes.

This package is no rule system. Each game has its own folder next to it, declares its differences in a
`Game`, and keeps the rules that only it has.

`game`       the class `Game` in which a game declares its differences, and the scales of the table
`ship`       a ship's card and log, batteries, speed boxes, and which ships take orders
`rating`     works out a card from the facts of a ship: guns, rate of fire (ROF), armor
`chart`      damage codes, cells, percentage lines, and the reader of charts
`throws`     dice read on the charts, the question for a cell that the umpire reads, attacks with later dice
`movement`   what ships moved and may move, and the order for it
`ledger`     the damage dealt to each ship in a phase, remembered as acts of the battle
`damage`     loss of ROF, boxes and other points, the checks that follow, and repairs
`settlement` works out the damage of a phase in one fixed order, whatever the order of entry
`attacks`    who may attack whom, and the fire of batteries
`launches`   boat guns and torpedoes
`grid`       the display of a ship: cells of the ship list, card, printed log and table changes
`system`     the base class of the games, what ships are worth, and the chart cells that a battle needs
"""
