"""What can be read about a battle, and the logs of both sides.

`source`         the battle to show, the base class of screens that show one, and messages about an order
`document_view`  draws a document, such as a ship's card and log
`log_layout`     the ships, panes and columns of both sides' logs at a width, and the cursor
`logs`           the grid that draws them row by row, and the search for a ship
`lookup`         lines to search
`help`           the help and the charts, which can be searched
`announcements`  changes that must be made by hand on the table
`jobs`           work on a battle in a background thread
`info_panels`    opens all of these, by their words in the table of actions
"""
