"""Entry: what keys, letters and digits mean in the order bar and the dialogs, and how orders are entered.

`form_state`   what is filled in, what it means, and what was ordered before
`preview`      an order previewed, and how typed dice are read
`dialog`       an order drawn from its form, and an entry back in its dialog
`bar`          the order bar, the line under it, and notices that stay until read or over
`controller`   enters orders from bar and dialogs; asks before a phase end and a correction
`volley_rows`  the shots of a division in one list: its rows, and what is filled in
`volley`       that list on the screen, and its keys
"""
