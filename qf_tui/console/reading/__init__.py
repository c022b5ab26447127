"""What is read of a battle, and the source that it is read from.

`source`         a source of timelines, and the base of all screens that use one
`document_view`  a document on the screen
`help`           keys, orders and clauses, and the panel that searches them
`info_panels`    what may be read over a battle, by its word; charts with their provenance
`refusal`        why an order is refused
`ship_card`      a ship's card and log
`announcements`  what hands must change on the table: a list, and each line in large letters
`report`         the report of a battle, with its ships as they are
`court`          the rules court
`jobs`           the work on both beside the keys
`background`     work in a thread of its own
"""
