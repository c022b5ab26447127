"""The features that come with the program, each in a folder of its own; the base imports none of them.

`second_copy`   a copy of the save in another folder, entry by entry
`simulation`    a battle played out by its own rules, a thousand times
"""

BUNDLED = ("qf_tui.features.second_copy:SECOND_COPY", "qf_tui.features.simulation:SIMULATION")
"""Where the value of each feature is, in the order of the help."""
