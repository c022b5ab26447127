"""Entering: what keys, letters and digits mean in the order bar and in the dialogs, and what comes of it.

`controller`   enters a line, has a correction confirmed, and tells the screen what came of it
`attempt`      what became of an order that was to be entered
`drafts`       orders while they are written: entered, set aside, taken up again
`confirm`      what is asked before a phase ends, and before a correction
`bar`          the order bar; `message_line` the line under it, and lines that stay until read or over
`dialog`       an order drawn from its form, over `field_dialog`; `fields` its parts; `amend_dialog` an entry
               back in its dialog
`form_state`   what is filled in, and what it means; `recall` what was ordered before
`volley`       the shots of a division in one list; `volley_desk` its rows, and what is filled in,
               `volley_lines` how it is drawn
`dice_input`   what typed dice are taken for
`lookahead`    what an order would meet
"""
