"""Battles by the thousand: a scenario or a save played out by its own rules, by doctrines in place of people.

`playout`   one battle played to its end: what its ships may be ordered to do, the doctrines that order
`jobs`      shares of many battles, what came of them, and where they are played
`simulate`  plays until enough is known; what would make a battle even, what each ship is good for

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
