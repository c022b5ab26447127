"""Simulation: a scenario or a save played out by its own rules, with doctrines in place of people.

`playout`   one battle played to its end: the orders its ships may get, the doctrines that give them
`jobs`      shares of many battles, their results, and where they are played
`simulate`  plays until enough is known; what would make a battle even, what each ship is good for

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
