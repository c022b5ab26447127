"""Battles by the thousand: a scenario or a save played out by its own rules, by doctrines in place of people.

`attacks` finds what ships may be ordered to do, `ground` what holds for all battles of a scenario, `doctrine`
says what a side orders, `playing` plays one battle, `tally` adds up what came of many, `simulate` plays until
enough is known, `executor` says where, `even` looks for what would make it even, `tables` puts it in words.

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
