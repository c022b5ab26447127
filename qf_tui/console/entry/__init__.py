"""Entering: what keys, letters and digits mean in the order bar and in the dialogs, and what comes of it.

`controller`   enters a line, has a correction confirmed, and tells the screen what came of it
`drafts`       orders while they are written: entered, set aside, taken up again
`confirm`      what is asked before a phase ends, and before a correction
`bar`          the order bar; `message_line` the line under it, and lines that stay until read or over
`completing`   a half-typed order read; `candidates` what a word of it may become
`dialog`       an order drawn from its form, over `field_dialog`; `fields` its parts; `amend_dialog` an entry
               back in its dialog
`form_state`   what is filled in; `meaning` what that means in a battle; `recall` what was ordered before
`dice_input`   dice as they are typed
`lookahead`    what an order would meet
"""
