"""Before a battle: the first screen, scenarios, ships, the user's own set-up.

`start`       the first screen, and what it offers, read as needed
`scenario`    a scenario before it begins
`simulation`  battles by the thousand before one begins
`screen`      a battle being set up, and its order of battle
`table`       its table, switches and ships; what its panes share
`shipyard`    ships of all navies, and the user's own entered
`opening`     files into battles; the seal of sealed dice
"""
