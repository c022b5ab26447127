"""The core: a battle as a value, the log of orders that leads to it, and the base class of all rule systems.

Nothing here opens a file, draws, throws a die, or knows a rule system by name. An order of the umpire becomes
an act of the log: an entry, or a correction of earlier ones. Dice that are still to be thrown, and questions,
are "owed".

`errors`         errors and objections shown to people
`text`           checks of text, plurals, distances, fractions
`facts`          named facts that acts and owed questions keep, and the key of a question
`values`         the classes of a battle: ships, orders, forms of orders, owed dice, charts, schedule
`grammar`        the order language: readers of dice, names and whole orders
`decisions`      what an entry does to a battle and why, and the builder that records both
`declarations`   classes in which a rule system declares itself, and an order that its rules have checked
`printed_logs`   the boxes and marks of a ship's log, for paper, screens and scripts
`ship_facts`     a ship as built, and readers for her guns and dates
`system`         the base class that each rule system extends, and orders to try on a battle
`timeline`       the acts of a log, those in force, and the battles that follow from them
`builtin_forms`  the forms of the orders that every rule system has
`builtin_orders` the effects of these orders
`schedule`       what falls due on a turn, and how close each side is to victory
`dice_source`    the protocol of a source of dice, which computes faces from a called number
`crews`          the quality of crews and shells, as steps that change card values
`decide`         one order on one battle: prepared, then refused, declared or decided
`corrections`    how a correction becomes an act of the log
`revisions`      an order or correction worked out but not yet recorded, with its consequences
`availability`   ships that may still act, targets in their reach, and the known ranges between ships
`odds`           exact chances, the faces that bring a result, and the effect of each face
`verify`         the check of a log: every entry decided again
"""
