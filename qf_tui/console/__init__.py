"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

`setup`     before a battle: the first screen, scenarios, a set-up of one's own
`battle`    the battle screen, and what stands around an entry
`logs`      both sides' logs as a grid, sorted, narrowed, drawn row by row
`orders`    the bar and the dialogs: what keys, letters and digits mean, and what an order would meet
`history`   every act in words, the logs as they stood, and corrections from there
`reading`   the help, the charts, the report, the story of a cell, what is read aloud

`app` puts them together. `actions` is the one table of what can be done, place by place; `keys` finds an action by its
key and does it, `keyqueue` works keys off one by one. `text` makes user text literal, `panel`, `page`, `taking`,
`hints` and `keybar` are the widgets that all share, `palette` lists every action, `small` covers a screen that has no
room, `theme` and `console.tcss` dress all.
"""
