"""The board: what players see of a battle on their phones, a tablet, a television.

`values`    all that a viewer may know, as values
`known`     who may know what, and how much of the log
`tellings`  entries in words, as far as a viewer may know them
`view`      `view`, the one projection that the page is made of
`ship_view` one ship with her log as printed, and why each box is as it is
`encoding`  views as bytes, and when one is an event
`page`      the page, and what it may do
"""
