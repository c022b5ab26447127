"""The logs of both sides.

`grid`       the widget: draws the panes, and moves the cursor
`layout`     which sides are on the screen, which columns fit, and on which cell the cursor is
`row_order`  which ships are shown, in which order, and the sign before each
`rows`       the lines of the logs, each kept until something in it changes
`go_to`      takes the cursor to a ship by letters
"""
