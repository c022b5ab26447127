"""The board: what players see of a battle on their phones, a tablet, a television.

`values`    what a viewer may know: the umpire's switch, and how much of the log is known under it
`page`      the words and figures that pages are made of: a viewer's page, one ship
`view`      what a viewer may know, worded as a page

A board runs in a process of its own. It only reads the save; what players propose goes into a file beside it:

`links`     a secret for each viewer and player, and the switch, in a file beside the save; its addresses
`seats`     what a player's link tells beside the page of his side: what he owes, may do, and proposed
`inbox`     what a phone sends, read strictly, and kept in the tray
`hub`       the save followed for all viewers, and their streams
`serving`   what is answered to whom, within which limits, and the server
`process`   that process, started and stopped by the console
"""
