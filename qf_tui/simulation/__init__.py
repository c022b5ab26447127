"""Simulation: a scenario or a save played out by its own rules, with doctrines in place of people.

`model`      what all battles from one start have in common: what ships can do, and what that costs the enemy
`lines`      where the lines of ships are, and how they steer
`doctrines`  what a side orders, and what range it seeks
`playout`    one battle played to its end
`tally`      what is counted of many battles, and the figures that follow
`jobs`       shares of many battles, and where they are played
`simulate`   plays until enough is known; what each ship is good for
`even`       what would make a battle even
`again`      one battle of many, chosen and played again into a log

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
