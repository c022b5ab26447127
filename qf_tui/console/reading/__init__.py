"""What is read of a battle, and the source that it is read from.

`source`         a source of timelines, the base of all screens on one, and what they say of an order
`ship_card`      a ship's card and log; the story of a cell or of an entry
`help`           the help and the charts, which can be searched
`report`         the battle as it stands, and retold
`court`          the rules court
`announcements`  what hands must change on the table, in large letters too
`jobs`           work beside the keys, in a thread of its own: the battle retold, the rules court
`summaries`      who may still act, what holds a phase, what a correction changes
`info_panels`    opens all of these by their words in the table of actions
"""
