"""Advanced Quickfire: the rules of a miniatures game for pre-dreadnought battles with twelve-sided dice.

The rules that it shares with the other Quickfire games are in `qf_tui.rules.quickfire_family`.

`clauses`     the clauses in our own words, and the switches
`game`        the orders, the shapes of the charts, the ships' cards and logs; values for the shared rules
`initiative`  the throw for the side that moves first
`gunnery`     battery fire, boat guns and torpedo attacks
`damage`      damage codes and their overflow, the rolls that damage causes, and repairs
`system`      the rule system, which joins these parts
"""

from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire

SYSTEM = AdvancedQuickfire()
"""The rule system that the entry point names."""
