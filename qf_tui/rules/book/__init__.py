"""Rule books that a club declares in a file; dice may be read on the umpire's own chart.

A book declares phases, tracks, marks, orders and the ships that may act. The meaning of dice comes from the
book's tables, or from a chart that the program does not know. Then the order waits for the words that the
umpire reads there, and the log keeps them with the dice.

`declaration`  the keys of the file, and a book as values
`tables`       the tables, and the one way to read dice on them, for odds and results alike
`faults`       the faults of a file whose values all have the right kind
`changes`      changes of a ship in short words, such as `hull 2 fire`
`system`       the rule system that a book declares
"""

from qf_tui.rules.book.system import BookLanguage

LANGUAGE = BookLanguage()
