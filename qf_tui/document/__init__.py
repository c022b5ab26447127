"""The texts that a person reads about a battle: documents, and the renderers that draw them.

`values`      the parts of a document: lines of styled text, tables, boxes, drawings, sections
`words`       texts for single facts: an order, a reason, the result of dice, a change on a ship's log
`acts`        texts for the acts of a log: what was ordered, what resulted, remarks
`glance`      the present battle in short: who may act, what it waits for, what to change on the table
`transcript`  acts in full: results, consequences of a correction, the whole log, why a box has its value
`history`     the log as a list: acts under turns and phases, with marks
`muster`      before a battle: a ship's card, the ships of each side, the conditions of a scenario
`help`        the help pages
`text`        documents as plain text
`ascii`       text in ASCII, for terminals and files that cannot hold other signs
`html`        the template environment for HTML pages
`scripts`     JSON and CSV
"""
