"""Before a battle: the first screen, scenarios, ships, setting up a battle.

`start`       the first screen, and what it offers, read as needed
`scenario`    a scenario before it begins
`screen`      a battle being set up, and its order of battle
`table`       its table, switches and ships; what its panes share
`opening`     scenarios looked at and begun
"""
