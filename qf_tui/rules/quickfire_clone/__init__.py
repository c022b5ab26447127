"""Quickfire-Clone: fast pre-dreadnought battles with six-sided dice, on what the Quickfire games share.

`clauses`    each clause in our own words, and the switches
`game`       the orders, the charts, card and log, facts of a ship into her card
`gunnery`    estimate, ROF, hit and blast, and torpedo launches
`damage`     codes and what they take, the rolls that a ship owes, repairs
`collision`  ships that ram
`system`     all of it as the core sees it
"""

from qf_tui.rules.quickfire_clone.system import QuickfireClone

SYSTEM = QuickfireClone()
"""The rule system that the entry point names."""
