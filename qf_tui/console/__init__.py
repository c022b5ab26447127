"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

Its folders are floors: each imports only from itself and from those below it here.

`battle`    the battle screen, and the view of a battle that is only looked at
`history`   every act in words, the logs as they stood, and corrections from there
`setup`     before a battle: the first screen, scenarios, a set-up of one's own
`entry`     the bar and the dialogs: what keys, letters and digits mean, what an order would meet, and entering it
`logs`      both sides' logs as a grid, sorted, narrowed, drawn row by row
`reading`   the help, the charts, the report, the story of a cell, what is read aloud; and the source of it all
`widgets`   the table of actions, keys, and the parts that all screens share

On top `app` puts them together, `palette` lists every action, `screens` names every screen, `console.tcss` dresses
all.
"""
