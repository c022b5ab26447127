"""The board: what players see of a battle on their phones, a tablet, a television.

`values`    all that a viewer may know, as values
`known`     who may know what, and how much of the log
`tellings`  entries in words, as far as a viewer may know them
`view`      `view`, the one projection that the page is made of
`ship_view` one ship with her log as printed, and why each box is as it is
`page`      the page, and what it may do

Served, by a process of its own that only reads the save; `answers`, `limits`,
`hub` and `serving` load a server, which is in the extra `qf-tui[board]`:

`links`     a secret for each viewer, and the umpire's switch, in a file beside the save
`addresses` where the board is reached
`limits`    what is borne of those who speak to it
`hub`       the save followed for all viewers, and their streams
`answers`   what is answered to whom
`serving`   all of it together
`process`   that process, as the console starts and stops it
"""
