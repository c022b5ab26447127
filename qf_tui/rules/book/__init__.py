"""Rule books: rule systems that a club declares in a file, without Python, and plays with printed charts.

A book declares phases, tracks (counts on a ship's log), marks, orders and the ships that may act. Its tables
say what dice mean. For dice without a table, the umpire reads a chart that the program does not know. The
order waits until he enters the words that he reads there, and the log keeps them with the dice.

`declaration`  the keys of the file, and the book as one value
`tables`       the tables, and the one way to read dice on them, for odds and results alike
`faults`       the faults of a file whose values all have the right kind
`changes`      changes of a ship in short words, such as `hull 2 fire`
`grid`         the display of a ship: cells of the ship list, printed log, markers on the table
`system`       the rule system of a book
"""

from qf_tui.rules.book.system import BookLanguage

LANGUAGE = BookLanguage()
