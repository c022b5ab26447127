"""The logs of both sides on the battle screen, and the card of one ship.

`grid`        the widget: draws the panes, and moves the cursor
`cursor`      on which side, column and ship it stands; `finding` takes it to a ship by letters
`panes`       which sides stand on the screen and which ships each shows; `arranging` in which order
`layout`      how columns fit a width; `rows` draws a line of them, `drawn` keeps it until something changes
`sheet`       the card and log of one ship
"""
