"""A battle retold: what is worked out of a timeline afterwards, by the rules that decided it.

Pure, without wording and without drawing: reports, courts, sheets, boards and simulations draw on it.

`distribution`  exact chances of whole numbers
`played`        the entries as they were played, with the battle around each
`story`         what happened to whom, turn by turn; `losses` the ships lost, `deeds` who did what to whom
`values`        what is found: throws, luck, worth, the turning point, the story, cells, verdicts
"""
