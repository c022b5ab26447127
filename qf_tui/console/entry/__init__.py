"""Entering: what keys, letters and digits mean in the order bar and in the dialogs, and what comes of it.

`form_state`   what is filled in, what it means, and what was ordered before
`preview`      what an order would meet, and what typed dice are taken for
`dialog`       an order drawn from its form, and an entry back in its dialog
`bar`          the order bar, the line under it, and lines that stay until read or over
`controller`   enters orders from bar and dialogs; a phase end and a correction are asked about first
`volley_rows`  the shots of a division in one list: its rows, and what is filled in
`volley`       how that is drawn, and what its keys do
"""
