"""Battles by the thousand: a scenario or a save played out by its own rules, by doctrines in place of people.

`attacks` finds what ships may be ordered to do and to repair, `model` what holds for all
battles of a scenario, `doctrine` says what a side orders, `playing` plays one battle, at the range of each
turn, `job` a share of them, `tally` adds up what came of many, `simulate` plays until enough is known,
`executor` says where, `cluster` on other computers, `even` looks for what would make it even, `contributions`
for what each ship is good for, `tables` puts it in words, `layout` in lines and on a page of HTML, and
`rows` gives it to scripts.

No rule is here: every order goes through the same `prepare`, `judge` and `decide` as one that is typed.
"""
