"""A battle retold: what is worked out of a timeline afterwards, by the rules that decided it.

Pure, without wording and without drawing: reports, courts, sheets, boards and simulations draw on it.

`whole`         all that is found of a battle, worked in slices that anybody may work
`throws`        each throw with all that it could have been: its results, its luck, the worth behind each
`thrower`       whose throw it is, and what its results are counted by
`pricing`       what each side is worth, the rolls that are owed priced in: which of them, and which together
`phases`        worth and luck as each phase ended, and the turning point
`distribution`  exact chances of whole numbers, and of many of them together
`story`         the entries as they were played; what happened to whom, turn by turn; losses and counts
`values`        what is found: throws, luck, worth, the turning point, the story, cells, verdicts
`lookups`       which switches and cells an entry looks up while it is decided
`replay`        the same entries and dice where a switch or cells are otherwise
`court`         what is to be tried so, and the neighbours of cells that decided something
`verdicts`      what the court finds
"""
