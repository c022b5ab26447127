"""The battle as a value, the log as its truth, and the seam that every rule system fills.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`values`, `facts`, `charts`, `measure`   battle, ship, mark, act, owed roll; named facts; chart cells; distances
`effects`        what a decision changes, and `evolve`, which applies it in the same way for every system
`decisions`      how a decision is written down while the rules work it out: effects and reasons
`grammar`        the order language: forms, orders as values, the one reader
`system`, `possible_orders`   what a rule system declares and does; the orders that a form allows a ship
`builtin_forms`, `builtin_orders`, `manual_edits`, `phase_end`   the orders of every system; edits by hand; phase ends
`acts`, `timeline`   the acts of a log; which are in force, in which order they are played, and the battle that follows
`prepare`, `decide`   one order on one battle: prepared by the rules; refused, declared or decided
`corrections`    a correction into an act of the log
`redecide`, `revisions`   decide again behind a correction; an order or correction worked out with its consequences
`odds`, `outcomes`   exact chances, and what each face of an owed die does, from the same judgement
"""
