"""Entry of orders: the meaning of keys in the order bar and the dialogs, and how orders are entered.

`form_state`   what is typed in an order's dialog, what it means, and likely values from earlier orders
`preview`      the preview of an order, and of typed dice
`dialog`       the dialog of an order, with a field for each of its parts; also for changing an earlier order
`bar`          the order bar, its preview line, and notices that stay until they are read
`controller`   enters orders from bar and dialogs; asks before a phase ends and before a correction
`volley_rows`  the shots of several ships, filled in together as rows
`volley`       the dialog of these rows, and its keys
"""
