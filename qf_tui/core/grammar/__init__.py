"""The order language: what orders look like, and the one reader that turns text into an order.

`forms`    what an order looks like: its word, its slots, its dice
`order`    an order as a value, and its text
`names`    what letters mean: one matcher, with two reaches
`scope`    what an order is read against: a rule system's words, a battle, a reach
`kinds`    one class for each kind of slot: how it is read, what it may hold, how it is checked
`reader`   a line, or the fields of a dialog, into a `Reading`: an order, or what stands against it

Text is read and written only at the edges: a save, a screen, a script. Everything between holds `Order` values.
"""
