"""Ships by their facts: the navies' files, the user's own rows, and what a rule system makes of a ship.

`navies`     the columns of a navy's file, and its rows as ships; `navy_ships`: one navy in a year
`register`   all navies; `own`: the user's files
`ship_csv`   facts out and in; `springsharp`: a Springsharp report into facts
`drafts`     a ship while she is entered; `spelling`: what is typed into her columns
`values`     her values under a rule system; `rated_cards`: the whole card, and how good its values are
`facts_reader`   cards of the ships that a fleet or a scenario names
"""
