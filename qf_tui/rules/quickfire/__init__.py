"""Quickfire, the standard game: rules for pre-dreadnought battles with six-sided dice, three to a shot.

The rules that it shares with the other Quickfire games are in `qf_tui.rules.quickfire_family`.

`clauses`   the clauses in our own words, and the switches
`game`      the orders, the shapes of the charts, the ships' cards and logs, and a card from a ship's facts
`gunnery`   battery fire, boat guns and torpedo attacks
`damage`    damage codes and their overflow, the rolls that damage causes, and repairs
`system`    the rule system, which joins these parts
"""

from qf_tui.rules.quickfire.system import Quickfire

SYSTEM = Quickfire()
"""The rule system that the entry point names."""
