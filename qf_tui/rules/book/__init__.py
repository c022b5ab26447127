"""Rule books that are played by hand: a file of the club's own declares them, and the umpire reads his chart.

A book knows phases, tracks, marks, orders and who may act. What dice mean stands on a chart that it does not
know: an order takes its dice, then owes what the chart says in words, which are kept with the dice.

`declaration`  what such a file may say, and a book as values
`faults`       what is wrong with a file whose values are each sound
`changes`      what a chart says in few keys, `hull 2 fire`, and what that does to a ship
`system`       a rule system made of a book
"""

from qf_tui.rules.book.system import BookLanguage

LANGUAGE = BookLanguage()
