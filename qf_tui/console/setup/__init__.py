"""The screens before a battle: the first screen, and the screen of a scenario.

`start`       the first screen: saves, sample battles, scenarios and what features offer to open
`scenario`    the screen of a scenario, before its battle begins
`opening`     reads a scenario for these screens, and asks the sides for what its dice need
"""
