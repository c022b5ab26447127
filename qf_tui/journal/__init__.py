r"""The save file, format 3: one checksummed line an act, on disk before it is acknowledged.

No line is ever changed or taken out again. A save is UTF-8 text, one JSON object a line: line 1 is the
header, each line behind it an act, which is an entry or a correction. It stands alone: the header holds the
start battle, each act the decisions that it had, so that a reader folds effects and asks no rules. Parts that
are empty or at their default are left out; null is never written for them.

Every line begins with `n`, its number (0 is the header, acts count from 1), and ends with `sum`: BLAKE2b, 8
bytes in hexadecimal, of the `sum` of the line before (nothing before the header) followed by the line's own
bytes up to `,"sum"`, closed with `}`. A last line that was cut off is what a power cut leaves of an act that
was never acknowledged; a whole one whose sum is wrong was. Either is told and set aside. A wrong sum anywhere
else is damage: the save is refused. No character but `"` and `\` is escaped.

Beside a save, `NAME.end` remembers its last act (see `EndMark`), since no checksum shows that whole lines are
gone from the end.

Header
`save`      "qf-tui"
`format`    3
`program`   the version of the program that made it
`system`    the id of the rule system
`start`     the battle before act 1: `turn`, `phase`, `sides`, `ships` by id, `table`, `options`, `charts`,
            and if there are any `owed`, `doubts`, `acts`, `opened`, as the values of `qf_tui.core` have them;
            `crews` of the table is "as-stated" if the battle was begun so (left out: as-built)
`began`     true: the start is also the battle as its phase began
`extra`     a table by part: `schedule` and `victory`, what the start says of later; `rules`, the
            rule book that it is played by, as its file had it: no save needs that file; others are those of
            features, JSON of any kind. Reserved: `facts` (ships' facts with their sources)

What falls due (each of `extra.schedule`)
`turn`      from 2: as it begins the battle owes it, on the line `schedule`
`ships`     the ships that arrive, whole, as they mustered; until they join they are in no battle
`where`     from where, in words         `note`  a remark
`table`     conditions of the table that change, by name; what the rule system lacks is a remark

Condition of victory (each of `extra.victory`)
`side`      who wins by it               `count`, `of`  how many ships, of which side
`status`    the statuses that count      `kind`, `edge`  of the card; the edge by which they withdrew
`note`      what nobody can count here

Entry
`order`     the resolved order, as text, without its dice
`dice`      the faces
`forced`    true: the umpire forced it; `overrode`: the clauses that it overrode
`overlay`   the charts of its overlay
`arrivals`  the ships that it brings, whole, as the library had them
`call`      the call that threw the dice, 00 to 99, in older saves any whole number; `between`, of each of
            these dice [least face, greatest]
`context`   of an order whose dice a call may throw: what tells its throws from all others
`estimated` true: what it measures was estimated
`thrown`    true: the console threw some of its dice
`after`     the entry behind which it was inserted; 0: at the start
`before`    an answer behind that entry, given early, that it stands ahead of
`rulings`   by number of entry, how it and every entry that it changed stand now
`at`        seconds since the battle began; rules never read it
`by`        the player whose order it is
`extra`     a table of what features keep with it: JSON of any kind by name. Two older ones stand beside it in
            the line: `proposal`, the id of the player's proposal that it was; `nonce`, of an entry that ends
            a phase, 128 random bits in hexadecimal

Correction
`correction`  strike, restore, undo, redo, amend or shift
`targets`     the numbers of the acts
`version`     of amend, and of a forced shift for its first target: `order` to `thrown` of an entry
`after`       of shift: the entry behind which it stands now
`rulings`, `at`, `by`, `extra` and the two older ones: as of an entry

Ruling
`effects`   each [op, ship, field, value], with true behind it if it was set by hand
`because`   each [text, clause, status of the chart cell, its place, whose, its roll, sign], empty ends left
            out; the sign is "remark" for what is no part of why, "question" for what asks the umpire
            something, "subject" where whose begins the sentence
`outcome`   facts of the result by name: scalars, or lists of texts
`state`     parked or spare; else it stands
`findings`  what hinders it: `text`, `clause`, `refused`

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
texts. Which names an act or a question has, and of which kind, its rule system declares (`RuleSystem.facts`);
a save that has others is refused when it is opened.

What a reader does not know: a part of `extra`, of the header or of an act, it keeps and mentions; any other
key, op or kind it refuses.
A save of any other `format` is refused. Formats 1 and 2 were written by versions that were never published.

`lines`         the form of a line: its number, its JSON, its checksum; what JSON gives, taken strictly
`converting`    plain data of any file into values, strictly, each fault with its place; made of cattrs
`save_values`   how orders, effects, reasons and dice stand in the lines of a save
`codec`         headers and acts, and what the start says of later
`reading`       a whole save, with a message for each way in which it may be damaged; one read on as it grows
`saving`        the journal of the open battle: create, open, append; copies
`save_summary`  a save by its two ends
`disk`          what is done to files; the lock and the remembered end of a save
"""
