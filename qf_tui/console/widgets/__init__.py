"""What all screens share; nothing here knows a battle.

`actions`   the one table of actions: places where keys mean something, and what they do there
`keys`      which action a key means, keys one after the other, and the base of all screens with keys
`panel`     text to read or to confirm
`picklist`  a list to choose from
`fields`    the form kit: fields with label, text and meaning, in dialogs and in lists
`text`      user text made literal, cut and fitted, in the signs of the terminal; text that is only viewed
`theme`     the colours, and what a terminal can show
"""
