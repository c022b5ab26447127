"""The features that come with the program, each in a folder of its own; the base imports none of them.

`second_copy`   a copy of the save in another folder, entry by entry
`board`         the battle on the players' phones, and the tray of what they propose
`talk`          the console line by line, for screen readers, braille and slow links
`report`        the story of a battle, its losses, and how lucky each side was
`film`          a page that plays a battle entry by entry
`court`         the same dice under other switches and chart cells
`campaign`      battles that lead to battles, and the careers of ships and players
`simulation`    a battle played out by its own rules, a thousand times
`sheets`        log sheets on paper, and saves read back from the codes on them
`shipyard`      ships of all navies, and ships of your own
"""

BUNDLED = (
    "qf_tui.features.second_copy:SECOND_COPY",
    "qf_tui.features.board:BOARD",
    "qf_tui.features.talk:TALK",
    "qf_tui.features.report:REPORT",
    "qf_tui.features.film:FILM",
    "qf_tui.features.court:COURT",
    "qf_tui.features.campaign:CAMPAIGN",
    "qf_tui.features.simulation:SIMULATION",
    "qf_tui.features.sheets:SHEETS",
    "qf_tui.features.shipyard:SHIPYARD",
)
"""Where the value of each feature is, in the order of the help."""
