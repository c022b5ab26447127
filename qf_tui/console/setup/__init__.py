"""Before a battle: the first screen, a scenario to look at, and a set-up of one's own.

`start`       the first screen; `shelf` what it offers, `finding_out` what is known of it, `saves` the saves of it
`scenario`    a scenario to look at; `order_of_battle` tells who fights whom
`screen`      a battle being set up: `catalogue` at the left, of `table` and `ships`; `order` the order of battle
`view`        what a set-up says in words; `entry` asks for a text
`picking`     the list that all pick from; `opening` files into battles
"""
