"""The board: what players see of a battle on their phones, a tablet, a television.

`values`    what a viewer may know: the umpire's switch, and how much of the log is known under it
`view`      the projections that pages are made of: a viewer's page, one ship; document words them

A board runs in a process of its own that only reads the save; `serving` loads a server, which is in the extra
`qf-tui[board]`:

`links`     a secret for each viewer, and the umpire's switch, in a file beside the save; its addresses
`hub`       the save followed for all viewers, and their streams
`serving`   what is answered to whom, within which limits, and the server
`process`   that process, started and stopped by the console
"""
