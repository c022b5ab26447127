"""What all screens share; nothing here knows a battle.

`actions`   places where keys mean something, and actions, as values
`action_table`  all places and actions, of the base and of the features
`keys`      which action a key means, keys one after the other, and the base of all screens with keys
`panel`     text to read or to confirm
`picklist`  a list to choose from
`fields`    the form kit: fields with label, text and meaning, in dialogs and in lists
`text`      user text made literal, cut and fitted, in the signs of the terminal; text that is only viewed
`theme`     the colours, and what a terminal can show
"""
