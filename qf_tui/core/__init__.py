"""The battle as a value, the log as its truth, and the seam that every rule system fills.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`values`    battle, ship, mark, act, owed roll
`effects`   what a decision changes, and `evolve`, the plain book-keeping that applies it
`ledger`    how a decision is written down while the rules work it out
`forms`     what an order looks like; parser, dialogs, palette and help come from it
`parsing`   text into an order and back
`system`    what a rule system declares and does
`common`    the orders that every rule system has
`deciding`  one order on one battle: refused, declared or decided
`timeline`  the log of acts, what is in force, and the order of play
`replay`    deciding again after a correction, and what that changes
`odds`      the exact chances of an order, from the same judgement
"""
