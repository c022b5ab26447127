"""The files that people write: fleets, scenarios, charts and the umpire's overlays.

What a file may hold is declared once, as fields; the checker, the card and the JSON Schema all come from
them. No rule system is known by name here: its declarations say what its ships, switches and charts are.

`faults`     what is wrong with a file, every fault with its place
`reading`    bytes into plain data, within limits
`checking`   plain data against declared fields, all faults at once
`declared`   the fields of fleets, scenarios and charts
`paths`      where files lie, the user's and ours; `crash_report`: the record of a fault of the program
`systems`    the rule systems that are installed
`navies`, `navy_ships`, `ship_register`   facts: a navy's file, its ships in a year, all navies
`cards`, `rated_cards`, `facts_reader`   a ship's card; what a rule system makes of her facts
`fleets`, `charts`, `scenarios`   the files themselves
`facts_fleets`, `navy_sides`   fleets and sides that name ships by their facts
`rebased`    a scenario for another rule system than the one that it is written for
`plans`, `draft_plan`   the schedule of a scenario and what wins it; the same through a set-up
`drafts`, `fleet_catalogue`, `scenario_writer`   a battle set up: what was chosen, from what, its scenario
`draft_ships`   where the ships of a draft come from, and how a scenario names them
`check`      any file, by what it holds
`schema`     the same declarations for editors; `schema_files`: where the first lines of files look for them
`csv_text`   tables of spreadsheets; `ship_csv`: facts of ships, `fleet_csv`: values of a fleet, out and in
`springsharp`  a Springsharp report into facts
"""
