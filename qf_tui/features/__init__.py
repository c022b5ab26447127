"""The features that come with the program, each in a folder of its own; the base imports none of them.

`second_copy`   a copy of the save in another folder, entry by entry
"""

BUNDLED = ("qf_tui.features.second_copy:SECOND_COPY",)
"""Where the value of each feature is, in the order of the help."""
