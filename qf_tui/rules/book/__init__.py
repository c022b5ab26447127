"""Rule books that a file of the club's own declares, and in which the umpire may read his own chart.

A book knows phases, tracks, marks, orders and who may act. What dice mean stands in tables of its own, or on
a chart that it does not know: an order then owes what that says in words, which are kept with the dice.

`declaration`  what such a file may say, and a book as values
`tables`       what dice come to by a table, judged once for odds and for what is done
`faults`       what is wrong with a file whose values are each sound
`changes`      what a chart says in few keys, `hull 2 fire`, and what that does to a ship
`system`       a rule system made of a book
"""

from qf_tui.rules.book.system import BookLanguage

LANGUAGE = BookLanguage()
