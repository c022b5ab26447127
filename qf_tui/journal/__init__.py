"""The save file: one checksummed line an act, on the disk before it is acknowledged, and never taken out again.

A save stands alone: its header holds the whole start battle, each act the decision that it had, so that it opens
without the rules.

`codec`    the values of a battle and the acts of its log as JSON, and strictly back
`lines`     the form of a line: its number, its JSON, and the checksum that chains it to the line before
`reading`   a whole save, with a word for every way in which it may be spoilt
`copying`   a save copied whole, or up to an act
`saving`    the journal of the open battle: create, open, append
`disk`      what it does to files; `lock` keeps a second console to reading
"""
