"""The order language: one parser from text to orders, for scripts, keys, dialogs and saves.

`names`    matching of letters and digits to ships, words and dice; what a typed order can refer to
`kinds`    the kinds of an order's parts, such as a ship or a distance: how each is read and written
`reader`   the parser: from a line, or the fields of a dialog, to an order or the reasons why it is none

Text is read and written only at the edges: a save, a screen, a script. In between are `Order` values.
"""
