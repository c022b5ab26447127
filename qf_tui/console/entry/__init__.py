"""Entry: the meaning of keys in the order bar and the dialogs, and how orders are entered.

`form_state`   the texts of a dialog, their meaning, and what was ordered before
`preview`      the preview of an order, and of typed dice
`dialog`       a dialog built from an order's form, also for an entry that is amended
`bar`          the order bar, its preview line, and notices that stay until they are read
`controller`   enters orders from bar and dialogs; asks before a phase end and a correction
`volley_rows`  the shots of a division as rows
`volley`       the dialog of these rows, and its keys
"""
