"""The logs of both sides.

`grid`    the widget: draws the panes, moves the cursor, finds a ship by letters
`layout`  which ships and columns are shown, where they stand, and on which cell the cursor is
`rows`    the lines of the logs, each kept until something in it changes
"""
