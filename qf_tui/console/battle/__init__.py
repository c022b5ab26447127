"""The battle screen.

`screen`  an open battle, with the order bar and all that is entered from there
`view`    a battle that is only viewed, on any source; one that is watched as it goes on
`status`  title and phases, who may act, what is owed, the latest acts, the line of keys
"""
