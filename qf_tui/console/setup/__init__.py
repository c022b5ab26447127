"""Before a battle: the first screen, scenarios, ships, the user's own set-up.

`start`            the first screen, and what it offers, read as needed
`scenario`         a scenario before it begins
`simulation`       battles by the thousand before one begins
`screen`           a battle being set up
`table`            its table and switches; what its panes share
`order_of_battle`  who fights whom, in lines: of a scenario and of a set-up
`shipyard`         ships of all navies, and the user's own entered
`ship_form`        the fields of a ship in the shipyard
`opening`          files into battles; the seal of sealed dice
"""
