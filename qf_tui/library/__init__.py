"""The files that people write: fleets, scenarios, charts and the umpire's overlays.

The contents of a file are declared once, as fields. The checker, the card and the JSON Schema all come from
these fields. No module here names a rule system: each system declares its ships, switches and charts itself.

`faults`     checks plain data against declared fields, and gives the place of each fault
`declared`   the fields of fleets, scenarios and charts; the cards of ships; fleets and their sources
`paths`      the folders of the user and of the program; reads TOML; records a crash of the program
`systems`    the rule systems that are installed, and the rule books at hand
`books`      rule books that people declare in a file
`processes`  starts and stops worker processes for long work
`charts`     charts of the rule systems, and the umpire's overlays
`fleets`     the one reader of a fleet
`csv_rows`   CSV as spreadsheets write it; the facts of a ship as a row; text that people type for a column
`navies`     facts of ships: the navies of the program, the user's own ships, and ships from spreadsheets
`ratings`    cards computed from facts, as a rule system rates them; values set by hand
`scenarios`  scenario files: sides, schedule and victory
`other_rules` a scenario played under a rule system for which it was not written
`joining`    the ships that may join a battle later
`check`      checks any file, and builds the schemas for editors from the same fields
`settings`   the user's settings, and his weights of what ships are worth
`own_charts` writes cells of the umpire's own charts
"""
