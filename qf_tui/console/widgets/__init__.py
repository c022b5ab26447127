"""What all screens share; nothing here knows a battle.

`action`       what an action is; `places` where keys mean something, and how these lie within each other
`actions`      the one table of actions; its rows for a part each in `report_actions` and `room_actions`
`keys`         which of them a key means, and other keys than the usual ones
`key_queue`    keys one after the other; `key_bar` lines of keys that can be clicked
`key_screen`   the base of all screens with keys from the table
`panel`        something to read, or to say yes to; `text_pane` text that is only viewed
`picklist`     a list to choose from; `text_entry` a line to write in
`text`         user text made literal, cut and fitted; `theme` the colours
`few_colours`  what a terminal can show, and the themes in sixteen colours, `signs` for ASCII alone
"""
