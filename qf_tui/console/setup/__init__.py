"""The screens before a battle: the first screen, scenarios, ships, setting up a battle.

`start`       the first screen, and its offers, whose files are read as needed
`scenario`    a scenario before it begins
`screen`      a battle being set up, and its order of battle
`table`       its table, switches and ships; values that its panes share
`opening`     reads a scenario before it begins, and begins it
"""
