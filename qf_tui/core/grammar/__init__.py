"""The order language: the one reader that turns text into an order, for scripts, keys, dialogs and saves.

`names`    what letters and digits mean: one matcher, with two reaches; what an order is read against; dice
`kinds`    the kinds of slot by name, `SHIP`, `MEASURE` ...: how each is read, completed and written
`reader`   a line, or the fields of a dialog, into a `Reading`: an order, or what stands against it

Text is read and written only at the edges: a save, a screen, a script. Between them are `Order` values.
"""
