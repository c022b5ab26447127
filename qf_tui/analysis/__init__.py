"""A battle retold: what is worked out of a timeline afterwards, by the rules that decided it.

Pure, without wording and without drawing: reports, courts, sheets, boards and simulations draw on it.

`distribution`  exact chances of whole numbers
`values`        what is found: throws, luck, worth, the turning point, the story, cells
`lookups`       which switches and cells an entry looks up while it is decided
`replay`        the same entries and dice where a switch or cells are otherwise
`court`         what is to be tried so, and the neighbours of cells that decided something
`verdicts`      what the court finds
"""
