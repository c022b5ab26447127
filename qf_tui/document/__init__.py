"""What a person reads of a battle: the words, made once, and the renderers that draw them.

`values`      what a report is: a headline, a curve, sections of sentences and tables
`acts`        entries in words, what happened to whom by each, remarks
`changes`     what an entry changed on the logs and cards, and why a ship is as she is
`glance`      a battle at a glance
`report`      an analysis in words: luck, throws, the story, ships, what it rests on
`court`       the rules court in words
`simulation`  a thousand battles in words
`transcript`  what an order did, in words and as JSON
`curve`       advantage and luck drawn: for a page, and in block letters
`text`, `html`, `markdown`, `scripts`   columns of plain text, pages, Markdown, JSON and CSV
"""
