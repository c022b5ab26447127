"""The files that people write: fleets, scenarios, charts and the umpire's overlays.

What a file may hold is declared once, as fields; the checker, the card and the JSON Schema all come from
them. No rule system is named here: its declarations say what its ships, switches and charts are.

`faults`     plain data against declared fields; what is wrong with a file, every fault with its place
`declared`   the fields of fleets, scenarios and charts; the cards of ships, fleets, and where they are found
`paths`      where files lie, the user's and ours; TOML read; the record of a fault of the program
`systems`    the rule systems that are installed, and the books at hand
`books`      rule books that people declare in a file
`processes`  other processes for long work
`charts`     charts: ours, and the umpire's overlays
`fleets`     the one reader of a fleet
`csv_rows`   CSV as spreadsheets write it; the facts of a ship as a row, and what people type for one
`navies`     facts of ships: our navies, the user's own ships, and ships from spreadsheets
`ratings`    cards worked out from facts, as a rule system rates them; values set by hand
`scenarios`  scenario files: sides, schedule and victory
`other_rules` a scenario under other rules than its own
`drafts`     a battle being set up; the ships to pick from, and those that may join a battle later
`check`      any file, by what it holds; the same declarations as schemas for editors
`settings`   the user's settings, and his weights of what ships are worth
`writers`    what is written for the user: drafts as scenarios, fleets, cells of his own chart
"""
