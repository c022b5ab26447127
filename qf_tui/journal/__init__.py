r"""The save file of a battle, format 3: one line with a checksum for each order or correction (an act).

An act is on the disk before it is acknowledged. No line is ever changed or removed. A save is UTF-8 text with
one JSON object in each line. Line 1 is the header; each later line is an act, which is an entry or a
correction. A save needs no other file: the header holds the start battle, and each act holds its decisions,
so that a reader applies effects and needs no rules. Empty parts and default values are left out; null is
never written for them.

Every line begins with `n`, its number (0: the header; acts count from 1), and ends with `sum`. That is
BLAKE2b, 8 bytes in hexadecimal, over the `sum` of the line before (nothing before the header) and the line's
own bytes up to `,"sum"`, closed with `}`. An incomplete last line is what a power cut leaves of an act that
was never acknowledged. A complete last line with a wrong sum was acknowledged, and damaged later. Either kind
of last line is reported and kept aside. A wrong sum anywhere else is damage, and the save is refused. Only
`"` and `\` are escaped.

Next to a save, `NAME.end` remembers its last act (see `EndMark`), because no checksum shows that whole lines
are missing at the end.

Header
`save`      "qf-tui"
`format`    3
`program`   the version of the program that made it
`system`    the id of the rule system
`start`     the battle before act 1: `turn`, `phase`, `sides`, `ships` by id, `table`, `options`, `charts`,
            and if there are any `owed`, `doubts`, `acts`, `opened`, as the values of `qf_tui.core` have them;
            `crews` of the table is "as-stated" if the battle was begun so (left out: as-built)
`began`     true: the battle starts at the beginning of a phase
`extra`     a table by part: `schedule` and `victory`, the plan of the start; `rules`, the data of the
            rule book, so that no save needs the book's file; other parts belong to features, JSON of any
            kind. Reserved: `facts` (ships' facts with their sources)

Item of the schedule (each of `extra.schedule`)
`turn`      from 2: when this turn begins the battle owes the item, on the line `schedule`
`ships`     the ships that arrive, in full; until they join they are not in the battle
`where`     where they come from, as text  `note`  a remark
`table`     conditions of the table that change, by name; one that the rule system lacks is a remark

Condition of victory (each of `extra.victory`)
`side`      the side that wins           `count`, `of`  number of ships, and their side
`status`    the statuses that count      `kind`, `edge`  kind on the card; edge by which they withdrew
`note`      a condition that the program cannot count

Entry
`order`     the resolved order, as text, without its dice
`dice`      the faces
`forced`    true: the umpire forced it; `overrode`: the clauses that it overrode
`overlay`   the charts of its overlay
`arrivals`  the ships that it brings, in full
`call`      the call that threw the dice, 00 to 99, in older saves any whole number
`between`   [least, greatest face] of each die that the call threw
`context`   of an order whose dice a call may throw: a text that identifies its throws
`estimated` true: its range was estimated
`thrown`    true: the console threw some of its dice
`after`     the entry after which it was inserted; 0: at the start
`before`    with `after`: the entry that this one must precede, an early answer or the phase's end
`rulings`   rulings by number of entry: its own, and those of the entries that it changed
`at`        seconds since the battle began; rules never read it
`by`        the player whose order it is
`extra`     data that features keep with it: JSON of any kind by name. Two older ones are keys of the line
            itself: `proposal`, the id of the player's proposal; `nonce`, of an entry that ends a phase, 128
            random bits in hexadecimal

Correction
`correction`  strike, restore, undo, redo, amend or shift
`targets`     the numbers of the acts
`version`     of amend, and of a forced shift for its first target: `order` to `thrown` of an entry
`after`       of shift: the entry that it follows now
`rulings`, `at`, `by`, `extra` and the two older ones: as for an entry

Ruling
`effects`   each [op, ship, field, value], with true behind it if it was set by hand
`because`   reasons, each [text, clause, status of the chart cell, place of the cell, whose, roll, sign],
            without empty parts at the end. The sign is "remark" for a remark, "question" for a question to
            the umpire, "subject" if `whose` begins the sentence
`outcome`   facts of the result by name: scalars, or lists of texts
`state`     parked or spare; left out for an entry in force
`findings`  reasons against it: `text`, `clause`, `refused`

Ops, with their field and value
`add`     a counted field of the log: a difference      `set`     a field of the log: a scalar
`card`    a field of the card: a scalar                 `status`  "status": a text; "edge": a text
`mark`    kind: `id`, `kind`, `text`, `turn`, `until`, `lifted`
`lift`    kind: the id of a mark
`act`     kind: `turn`, `phase`, `kind`, `ship`, `facts`
`owe`     line: `key`, `line`, `ship`, `prompt`, `dice` (each [sides, name, least face]), `words`, `order`,
          `faces`, `facts`, `cell`, `late`; the key begins with the number of the entry that is the cause
`settle`  line: the key of a question
`phase`   the phase that begins: [turn, whether rolls were carried over]
`join`    "": the ship as it joins, whole
`option`  a switch: a scalar                            `table`   a condition of the table: a scalar
`chart`   "": charts                                    `doubt`, `clear`  "": the number of an act

A scalar is a text, a number, true, false or null. `facts` are named: scalars, or lists of whole numbers or of
texts. The rule system declares the names and their kinds (`RuleSystem.facts`); a save with other names is
refused when it is opened.

A reader keeps and mentions parts of `extra` that it does not know, and refuses any other unknown key, op or
kind. A save of any other `format` is refused. Formats 1 and 2 belong to versions that were never published.

`lines`         the form of a line: number, JSON, checksum; strict reading of JSON values
`converting`    strict conversion of plain data to values, by cattrs, with the place of each fault
`save_values`   the form of orders, effects, reasons and dice in a line
`codec`         headers, acts and plans to and from JSON
`reading`       a whole save, with a message for each kind of damage; a save that another console extends
`saving`        the journal of the open battle: create, open, append; copies of saves
`save_summary`  a summary of a save from its two ends
`disk`          durable files; the lock and the remembered end of a save
"""
