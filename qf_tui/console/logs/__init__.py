"""The logs of both sides.

`grid`    the widget: draws the lines of the panes, moves the cursor, finds a ship by letters
`layout`  which ships and columns are shown, where they stand, and on which cell the cursor is
"""
