"""The battle as a value, the log that decides it, and the base class of every rule system.

Nothing here opens a file, draws, throws a die, or knows a rule system by name.

`errors`, `text`   errors that a person meets; text that may enter a battle, words for counts, distances
`facts`          named facts of acts and questions, and the key of a question
`values`         battle, ship, mark, act, question, plan, charts; forms and orders
`grammar`        the order language: dice, names and slots read, and the one reader
`decisions`      what a decision changes, and how it is recorded: effects and reasons
`declarations`   what a rule system declares of itself, as values, and an order prepared by its rules
`ship_facts`     a ship as she was built, and the values that a rule system gives her
`system`         what a rule system does: the base class that each extends; the orders that it may try
`timeline`       the acts of a log, which of them are in force, and the battle that follows
`builtin_forms`, `builtin_orders`   the orders of every rule system: their forms, what they do
`schedule`       what falls due on a turn, and how close each side is to its victory
`dice_source`    what a source of dice does, which throws them by a call
`crews`          how well crews shoot and what their shells are worth: steps on cards
`decide`         one order on one battle: prepared; refused, declared or decided
`corrections`    a correction into an act of the log
`revisions`      an act worked out: where a late answer goes, what is decided again, what values it changes
`availability`   who may still act, and whom each can reach: the range book, and volleys
`odds`           exact chances, what people must throw, and what each face of an owed roll does
`verify`         every entry decided again on the battle as recorded
"""
