"""Everything to read about a battle, the logs of both sides, and the source of both.

`source`         a source of timelines, the base of all screens on one, and their messages about an order
`document_view`  draws a document, such as a ship's card and log
`logs`           both sides' logs as a grid: sorted, narrowed, drawn row by row, with a cursor on a cell
`lookup`         lines to search
`help`           the help and the charts, which can be searched
`announcements`  changes that must be made by hand on the table
`jobs`           work on a battle in a background thread
`info_panels`    opens all of these, by their words in the table of actions
"""
