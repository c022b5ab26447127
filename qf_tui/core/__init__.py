"""The battle as a value, the log as its truth, and the seam that every rule system fills.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`values`, `charts`, `measure`   battle, ship, mark, act, owed roll; chart cells; distances
`effects`        what a decision changes, and `evolve`, the plain book-keeping that applies it
`builder`         how a decision is written down while the rules work it out
`forms`          what an order looks like; parser, dialogs, palette and help come from it
`orders`, `naming`, `slots`, `parsing`   an order as a value; what a name means; a slot read; text into an order
`system`         what a rule system declares and does
`builtin_forms`, `builtin_orders`, `manual_edits`, `phase_end`   the orders of every system; edits by hand; phase ends
`acts`, `order_of_play`   the acts of a log as values; what is in force, and where each entry stands
`prepare`, `decide`   one order on one battle: made ready; refused, declared or decided
`timeline`       the log with the battle that follows from it
`corrections`    corrections in words into acts
`redecide`, `revisions`   decide again behind a correction; an act worked out with its consequences
`odds`           the exact chances of an order, from the same judgement
"""
