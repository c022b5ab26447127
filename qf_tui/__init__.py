"""The umpire's console for pre-dreadnought naval miniatures: the umpire enters the orders of a battle.

The packages, from the inside out; each may import those before it and none after:

`core`      a battle, the log of all orders, and the language of orders, as values; knows no rule system
`rules`     the rule systems, one folder each; they open no file
`journal`   the save file: one checksummed line for each order, on the disk before its result is shown
`library`   the files that people write: fleets, scenarios and charts
`session`   the open battle: takes an order, asks the rules, saves the result, and returns the new battle
`document`  all texts about a battle, and their output as plain text, HTML, JSON and CSV
`console`   turns keys into orders, and battles into screens (the only package that imports Textual)
`cli`       the command line, with the commands that draw no screen
`features`  parts that the program can do without, a folder each; the packages above import none of them

`hooks` declares what a feature can add to the program; `registry` finds the features.

`operating_systems` contains what Windows does differently from Linux and macOS. `__main__` makes
`python -m qf_tui` the command `qf-tui`.
"""

__version__ = "0.4.0.dev0"
