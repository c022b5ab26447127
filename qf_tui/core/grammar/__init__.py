"""The order language: what orders look like, and the one reader that turns text into an order.

`forms`    what an order looks like: its word, its slots, its dice
`order`    an order as a value, and its text
`dice_text` dice as they are typed and written
`names`    what letters mean: one matcher, with two reaches
`scope`    what an order is read against: a rule system's words, a battle, a reach; the words themselves
`kinds`    the kinds of slot by name: `SHIP`, `MEASURE` ..., one class each, in the four modules that follow
    `kind`           what every kind has: how it is read, what it may hold, how it is written; closed lists
    `name_kinds`     ships, sides, divisions, and words that the battle knows
    `figure_kinds`   counts, distances, dice, numbers of acts
    `text_kinds`     remarks, codes, answers, keys, orders within a correction
`reading`  what a text comes to: the parts that were read, an order, or what stands against it
`line`     a line of words against one form
`reader`   any line, as scripts and saves have it, or as keys do
`fields`   the fields of a dialog, by the same kinds

Text is read and written only at the edges: a save, a screen, a script. Between them are `Order` values.
"""
