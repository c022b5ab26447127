"""The files that people write: fleets, scenarios, charts and the umpire's overlays.

What a file may hold is declared once, as fields; the checker, the card and the JSON Schema all come from
them. No rule system is known by name here: its declarations say what its ships, switches and charts are.

`faults`     what is wrong with a file, every fault with its place; `fault_words`: in words
`reading`    bytes into plain data, within limits
`checking`   plain data against declared fields, all faults at once
`declared`   the fields of fleets, scenarios and charts
`paths`      where files lie, the user's and ours, and the record of a fault of the program
`systems`    the rule systems that are installed; `processes`: other processes for long work
`cards`      a ship's card: one scalar a name
`fleets`, `charts`, `scenarios`   the files themselves; `own_chart`: the umpire's
`facts_fleets`, `navy_sides`   fleets and sides that name ships by their facts
`sides`, `plans`   the sides of a scenario; its schedule and what wins it
`rebased`    a scenario for another rule system than the one that it is written for
`arrivals`   the ships that may join a battle
`settings`   the user's settings; `worth_file`: the umpire's own weights of what ships are worth
`ships`      facts of ships; `setup`: a battle being set up
`check`      any file, by what it holds
`schema`     the same declarations for editors; `schema_files`: where the first lines of files look for them
`csv_text`   tables of spreadsheets
`fleet_csv`, `fleet_writer`   fleets out and in
"""
