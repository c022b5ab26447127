"""The texts that a person reads about a battle: documents, and the renderers that draw them.

`values`      the parts of a document: lines of spans, tables, log boxes, sections
`words`       texts for facts without a battle: an order, a reason, an effect, a change
`acts`        texts for acts of the log: what was ordered, what resulted, remarks
`glance`      a battle at a glance: who may act, what it waits for, what to change on the table
`transcript`  acts in full: results, consequences of a correction, the log, why a box has its value
`history`     the log as a list: acts under turns and phases, with marks
`muster`      before a battle: a ship's facts and card, a scenario, its order of battle
`help`        the help pages
`text`        plain text
`ascii`       text in ASCII, for what cannot hold other signs
`html`        the template environment for HTML pages
`scripts`     JSON and CSV
"""
