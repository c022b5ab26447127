"""The order language: one parser from text to orders, for scripts, keys, dialogs and saves.

`names`    matching of letters and digits to ships, words and dice; the scope in which an order is read
`kinds`    the kinds of slot, `SHIP`, `MEASURE` ...: how each is read, completed and written
`reader`   the parser: from a line, or the fields of a dialog, to a `Reading` (an order, or findings)

Text is read and written only at the edges: a save, a screen, a script. In between are `Order` values.
"""
