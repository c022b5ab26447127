"""The battle as a value, the log as its truth, and the seam that every rule system fills.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`values`, `charts`, `measure`   battle, ship, mark, act, owed roll; chart cells; distances
`effects`        what a decision changes, and `evolve`, the plain book-keeping that applies it
`builder`        how a decision is written down while the rules work it out
`grammar`        what orders look like, and text into orders; dialogs, palette and help come from it
`declarations`, `system`   what a rule system declares; what it does
`builtin_forms`, `builtin_orders`, `manual_edits`, `phase_end`   the orders of every system
`acts`, `order_of_play`   the acts of a log as values; what is in force, and in which order
`prepare`, `decide`   one order on one battle: made ready; refused, declared or decided
`timeline`       the log with the battle that follows from it
`corrections`    corrections in words into acts
`redecide`, `revisions`   decide again behind a correction; an act worked out with its consequences
`odds`           the exact chances of an order, from the same judgement
"""
