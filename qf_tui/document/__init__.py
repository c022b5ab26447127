"""What a person reads of a battle: documents, worded once, and the renderers that draw them.

`values`      what a document is: lines of spans, tables, a curve, boxes of a log, sections of them
`words`       facts in words, without a battle: an order, a reason, an effect, what changed
`acts`        acts of the log in words: what was ordered, what came of it, remarks
`glance`      a battle at a glance: who may act, what it waits for, what hands must change
`transcript`  acts in full: what an order did, what a correction changes, the log, why a box is so
`history`     the log to read: acts at their places, with marks and their state
`muster`      before a battle: a ship's facts and card, a scenario, its order of battle
`help`        the pages of the help
`text`        plain text and Markdown, and the curve in letters
`html`        pages, and the one environment of their templates
`scripts`     JSON and CSV
"""
