"""The core: the battle as a value, the log that decides it, and the base class of all rule systems.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`errors`, `text`   errors shown to people; text that may enter a battle, plurals, distances
`facts`          named facts of acts and questions, and the key of a question
`values`         battle, ship, mark, act, question, plan, charts; forms and orders
`grammar`        the order language: readers of dice, names and slots, and of whole orders
`decisions`      the effects and reasons of a decision, and the builder that records them
`declarations`   values by which a rule system declares itself, and an order prepared by its rules
`printed_logs`   the boxes and marks of a ship's log, for sheets, screens and scripts
`ship_facts`     a ship as built, and the card values that a rule system gives her
`system`         the base class that each rule system extends, and orders to try on a battle
`timeline`       the acts of a log, those in force, and the battles that follow from them
`builtin_forms`, `builtin_orders`   the orders that every rule system has: their forms, their effects
`schedule`       what falls due on a turn, and how close each side is to victory
`dice_source`    the protocol of a source of dice, which computes faces from a call
`crews`          the quality of crews and shells, as steps that change card values
`decide`         one order on one battle: prepared, then refused, declared or decided
`corrections`    how a correction becomes an act of the log
`revisions`      an order or correction worked out but not yet recorded, with its consequences
`availability`   ships that may still act, and the targets in their reach: range book and volleys
`odds`           exact chances, the faces people need, and the result of each face of an owed roll
`verify`         the check of a log: every entry decided again
"""
