"""Ships of all navies, and the yard where the umpire enters his own.

`ships`      the screen that finds a ship: a list that letters narrow, and beside it all that is known of her
`ship_text`  a ship in lines: her facts, sources and values
`shipyard`   the form: facts in, values of a rule system live beside them
`form`       the fields of the form, and the line that is typed in one of them
`about`      what is said below it
"""
