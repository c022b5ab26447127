"""What is read of a battle, and the source that it is read from.

`source`       a source of timelines, and the base of all screens that use one
`help`         keys, orders, clauses; `charts` with their provenance; `report` the ships as they are
`lookup`       a panel that searches these; `info_panels` opens them by their word
`why`          the story of a cell; `refusal` why an order is refused; `card` a ship's card and log
`aloud`        what hands must change on the table, large; `large_letters` those letters
`report`       the report of a battle on the screen; `jobs` the work on it and on the court
`court`        the rules court
`background`   work beside the keys, in a thread of its own
`summaries`    who may still act, what holds a phase, what a correction changes
"""
