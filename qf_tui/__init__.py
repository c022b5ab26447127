"""The umpire's console for pre-dreadnought naval miniatures.

The packages, from the inside out; each may import those before it and none after:

`core`      the values of a battle, the log of acts, the order language; pure, knows no rule system
`rules`     the rule systems, one folder each; pure, open no file
`journal`   the save file: one checksummed line an act, durable before it is acknowledged
`library`   fleets, scenarios and charts that people write
`session`   owns the one open battle: takes an order, asks the rules, appends, hands out the new battle
`analysis`  a battle retold, as values: throws, luck, worth, story; pure
`simulation`  a scenario or a save played out by its own rules, a thousand times
`document`  what a person reads of a battle, worded once, and the renderers that draw it
`report`    the work of a report, here or by other processes, and the files that it is written into
`paper`     log sheets to be printed, and saves from the codes on them
`board`     a battle as browsers show it: what each viewer may know, and the server of it
`console`   keys into orders, battles into pictures (the only package that imports Textual)
`cli`       the commands that draw no screen

`__main__` makes `python -m qf_tui` the command `qf-tui`.
"""

__version__ = "0.2.0"
