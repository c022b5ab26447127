"""The battle screen.

`screen`  the screen of an open battle: the order bar, and all that is entered or opened from there
`view`    the same screen without orders, and one that follows a save while another console writes it
`status`  its panes: title and phases, who may act, which rolls are owed, latest orders, available keys
"""
