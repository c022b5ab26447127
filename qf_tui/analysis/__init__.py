"""A battle retold: what is worked out of a timeline afterwards, by the rules that decided it.

Pure, without wording and without drawing: reports, courts, sheets, boards and simulations draw on it.

`values`    what is found: throws, luck, the turning point, the story; exact chances of whole numbers
`pricing`   what each side is worth, the rolls that are owed priced in
`throws`    each throw: whose it is, the cells that decided it, all that it could have been, its luck
`story`     a whole battle: its phases, its turning point, what happened to whom, losses and counts
`court`     the same entries and dice under another switch or cell of a chart
"""
