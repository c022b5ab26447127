"""The command `qf-tui`: the console's door, and every command that draws no screen.

`entry`       arguments to a command, and every way in which it may end
`arguments`, `command`   the command line and its parsers; they import next to nothing
`battle_commands`, `library_commands`, `retold_commands`   what is declared there: of a battle that is played;
              of ships, files, settings and rules; of what is made of a battle afterwards
`output`      text and JSON onto whatever standard output is
`out_file`    what a command has made, printed or into a file
`opening`     a scenario or a save into a session; names for new saves
`play`        the console and the sample battle
`run`         orders from a file or a pipe
`rows`        what they did, as JSON
`transcript`  what they did, in words
`look`        a save shown, and verified; `dice` its sealed dice
`report`      a battle retold; `progress`: how far long work has come
`court`       the rules court: a save under other switches or cells
`simulate`    a scenario or a save played out a thousand times
`board`       a board for the players, served until Ctrl-C
`sheets`      log sheets to be printed; `rescue` a save from the codes on them
`files`       files checked and listed, schemas
`fleets`      fleets listed, and CSV of one
`ships`       ships of all navies by any words; `ship` one through the shipyard
`tables_of_ships`  facts and values of ships as CSV, out and in
`settings`    the user's settings, shown and set
`odds`        the chances of one order
`reference`   charts, switches and clauses
`tables`      columns of plain text
"""

from qf_tui.cli.entry import main

__all__ = ["main"]
