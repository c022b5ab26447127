"""The umpire's console for pre-dreadnought naval miniatures.

The packages, from the inside out; each may import those before it and none after:

`core`      the values of a battle, the log of acts, the order language; pure, knows no rule system
`rules`     the rule systems, one folder each; pure, open no file
`journal`   the save file: one checksummed line for each act, durable before it is acknowledged
`library`   fleets, scenarios and charts that people write
`session`   owns the one open battle: takes an order, asks the rules, appends, hands out the new battle
`document`  texts about a battle for people, each worded in one place, and the renderers that draw them
`console`   turns keys into orders, and battles into screens (the only package that imports Textual)
`cli`       the command line, with the commands that draw no screen
`features`  parts that the program can do without, a folder each; the packages above import none of them

`hooks` declares what a feature can add to the base; `registry` finds the features.

`operating_systems` contains what Windows does differently from Linux and macOS. `__main__` makes
`python -m qf_tui` the command `qf-tui`.
"""

__version__ = "0.3.0"
