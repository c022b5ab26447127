"""The files that people write: fleets, scenarios, charts and rule books; and the ships of all navies.

The contents of a file are declared once, as fields. The checker, the ships' cards and the JSON Schema all
come from these fields. No module here names a rule system. Each rule system declares what its own ships,
switches and charts have.

`faults`     checks plain data against declared fields, and gives the place of each fault
`declared`   the fields of fleets, scenarios and charts; the cards of ships; fleets and their sources
`paths`      the folders of the user and of the program; reads TOML; writes a report of a crash
`systems`    the rule systems that are installed, and the rule books at hand
`books`      rule books that people declare in a file
`processes`  starts and stops worker processes for long work
`charts`     charts of the rule systems, and the umpire's overlays: cells that replace those of a chart
`fleets`     the one reader of a fleet
`csv_rows`   CSV as spreadsheets write it; the facts of a ship as a row; text that people type for a column
`navies`     facts of ships: the navies of the program, the user's own ships, and ships from spreadsheets
`ratings`    cards of ships computed from facts by a rule system; values set by hand
`sides`      the sides of a scenario: divisions, ships, crews
`plans`      the schedule of a scenario, and its conditions of victory
`scenarios`  whole scenario files, which give the start of a battle
`other_rules` a scenario played under a rule system for which it was not written
`joining`    the ships that may join a battle later
`check`      checks any file, and builds the schemas for editors from the same fields
`settings`   the user's settings, and the user's own weights for what ships are worth
`own_charts` writes the umpire's own chart file: the cells that he has read from a printed chart
"""
