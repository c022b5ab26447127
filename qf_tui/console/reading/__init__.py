"""What is only read, over a battle or over the history.

`help` keys, orders, clauses; `charts` with their standing; `report` the ships as they stand; `lookup` searches these
`why`         the story of a cell, and why an order is refused
`aloud`       what hands must change on the table, large
"""
