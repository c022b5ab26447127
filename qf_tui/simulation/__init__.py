"""Battles by the thousand: a scenario or a save played out by its own rules, by doctrines in place of people.

`battle_model`  what holds for all battles of a scenario: what its ships may be ordered to do, what that costs
`playout`       one battle played to its end; the doctrines that order in it
`jobs`          shares of many battles, what came of them, and where they are played
`simulate`      plays until enough is known; what would make a battle even, what each ship is good for

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
