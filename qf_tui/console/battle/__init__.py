"""The battle screen.

`view`      a battle that is only viewed: puts the widgets together, on any source of timelines
`screen`    the same for an open battle, with the order bar and all that is entered from there
`status`    title and phases, who may act, what is owed
`latest`    the latest entries; `footer` the line of keys
"""
