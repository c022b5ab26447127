"""A battle retold: what is worked out of a timeline afterwards, by the rules that decided it.

Pure, without wording and without drawing: reports, courts, sheets, boards and simulations draw on it.

`distribution`  exact chances of whole numbers
`values`        what is found: throws, luck, worth, the turning point, the story, cells, verdicts
"""
