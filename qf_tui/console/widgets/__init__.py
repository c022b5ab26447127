"""Widgets and tables that all screens share; no module here knows a battle.

`actions`       the classes of an action, and of a place: a part of the console with its own keys
`action_table`  all places and actions, of the console and of the features
`keys`          the action that a key means, the queue of keys, and the base of all screens with keys
`panel`         text to read or to confirm
`picklist`      a list to choose from
`fields`        fields with label, text and meaning, for dialogs and for lists
`text`          user text without markup, cut and fitted, in characters that the terminal has
`theme`         the colours, and the signs and colours that a terminal can show
"""
