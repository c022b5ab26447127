"""Quickfire-Clone: the rules of a miniatures game for fast pre-dreadnought battles with six-sided dice.

The rules that it shares with the other Quickfire games are in `qf_tui.rules.quickfire_family`.

`clauses`    the clauses in our own words, and the switches
`game`       the orders, the charts, the ships' cards and logs, and a card from a ship's facts
`gunnery`    battery fire (range estimate, dice, hit and blast) and torpedo launches
`damage`     damage codes, the rolls that a ship owes, and repairs
`collision`  ships that ram
`system`     the rule system, which joins these parts
"""

from qf_tui.rules.quickfire_clone.system import QuickfireClone

SYSTEM = QuickfireClone()
"""The rule system that the entry point names."""
