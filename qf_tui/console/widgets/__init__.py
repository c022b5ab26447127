"""Widgets and tables that all screens share; no module here knows a battle.

`actions`       places where keys have a meaning, and actions, as values
`action_table`  all places and actions, of the base and of the features
`keys`          the action that a key means, the queue of keys, and the base of all screens with keys
`panel`         text to read or to confirm
`picklist`      a list to choose from
`fields`        the form kit: fields with label, text and meaning, in dialogs and in lists
`text`          user text without markup, cut and fitted, in the signs of the terminal; read-only text
`theme`         the colours, and the signs and colours that a terminal can show
"""
