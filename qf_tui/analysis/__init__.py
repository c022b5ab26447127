"""The analysis of a battle: what can be worked out from a timeline, by the rules that decided it.

Pure values, without words or pictures: reports, courts, sheets, boards and simulations use them.

`values`    what it finds: throws, luck, the turning point, the story; exact chances of whole numbers
`pricing`   what each side is worth, owed rolls priced in
`throws`    each throw: whose it is, the cells that decided it, its distribution, its luck
`story`     a whole battle: its phases, its turning point, what happened to whom, losses and counts
`careers`   ships, players and sides over several battles
`court`     the same entries and dice under another switch or cell of a chart
"""
