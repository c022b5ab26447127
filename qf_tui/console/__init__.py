"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

Its folders are floors: each imports only from itself and from those below it here.

`battle`    the battle screen, and a battle that is only viewed
`history`   every act in words, the logs as they were, and corrections from there
`setup`     before a battle: the first screen, scenarios, the user's own set-up
`yard`      ships of all navies, and the yard where the umpire enters his own
`entry`     the bar and the dialogs: what keys, letters and digits mean, previews, entering an order
`logs`      both sides' logs as a grid, sorted, narrowed, drawn row by row
`reading`   the help, the charts, the report, the story of a cell, the text read aloud; their source
`widgets`   the table of actions, keys, and the parts that all screens share
`textual_patches`  all that leans on the insides of Textual

On top `app` puts them together, `run` keeps it open, `faults` says what is done about our own, `palette`
lists every action, `settings_screen` shows what can be set, and `console.tcss`
holds the styles.
"""
