"""The battle as a value, the log as its truth, and the seam that every rule system fills.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`values`, `facts`, `charts`, `measure`   battle, ship, mark, act, question; named facts; cells; distances
`replace`        a value with other fields
`numbered`       values by number, as versions and rulings by entry
`errors`, `text`   errors that a person meets; text that may enter a battle, and words for counts
`ship_facts`, `ratings`, `worth`   a ship as she was built; what a system makes of that; what she counts for
`ranges`         the range book: what was measured between two ships, and what of it still holds
`effects`        what a decision changes, and `evolve`, which applies it in the same way for every system
`decisions`      how a decision is written down while the rules work it out: effects and reasons
`results`        what happened to a ship that an evening is told by; what is counted of throws
`grammar`        the order language: forms, orders as values, the one reader
`declarations`, `chart_shapes`, `system`   what a rule system declares, and of its charts; what it does
`log_sheet`      her log as it is printed, and how a ship looks where her system says no more
`possible_orders`   the orders that a form allows a ship, so that who may act is asked of the rules
`availability`   who may still act; `volley` which order many ships may give one after the other
`builtin_forms`, `builtin_orders`, `manual_edits`   the orders of every system
`plan`, `schedule`   what the start says of later: what is owed on which turn, and what wins
`acts`, `timeline`   the acts of a log; which are in force; the battle that follows
`prepare`, `decide`   one order on one battle: prepared by the rules; refused, declared or decided
`prepared_order`, `question_key`   an order made ready, judged by faces; the key of a question that is owed
`corrections`    a correction into an act of the log
`revisions`      an act worked out with its consequences: where a late answer goes, what is decided again
`sealed_dice`, `sealed_check`   faces that a seed, words and a call make; the context of
                each throw; all of them worked out again
`verify`         every entry decided again on the battle as recorded: what differs, and by what
`odds`           exact chances, what people must throw, and what each face of an owed roll does,
                from the same judgement
"""
