"""The umpire's console for pre-dreadnought naval miniatures.

The packages, from the inside out; each may import those before it and none after:

`core`      the values of a battle, the log of acts, the order language; pure, knows no rule system
`rules`     the rule systems, one folder each; pure, open no file
`journal`   the save file: one checksummed line for each act, durable before it is acknowledged
`library`   fleets, scenarios and charts that people write
`session`   owns the one open battle: takes an order, asks the rules, appends, hands out the new battle
`document`  what a person reads of a battle, worded once, and the renderers that draw it
`console`   keys into orders, battles into pictures (the only package that imports Textual)
`cli`       the commands that draw no screen
`features`  what an evening can do without, a folder each; the packages above import none of them

`hooks` says what a feature adds to the base, `registry` which features there are.

`operating_systems` has what Windows does otherwise than Linux and macOS; `__main__` makes `python -m qf_tui`
the command `qf-tui`.
"""

__version__ = "0.3.0.dev0"
