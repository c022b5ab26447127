"""Parts of the screen that show a battle, above all the logs of both sides' ships.

`source`         the battle to show, the base class of screens that show one, and messages of refusal
`document_view`  draws a document, such as a ship's card and log
`log_layout`     which ships, panes and columns of both sides' logs fit a width, and the cursor in them
`logs`           the widget that draws these logs row by row, and the search for a ship
`lookup`         a panel of lines that can be searched
`help`           the help and the charts, which can be searched
`announcements`  changes that must be made by hand on the table
`jobs`           work on a battle in a background thread
`info_panels`    opens the panels over a battle
"""
