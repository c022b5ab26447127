"""The history: every act in words, the logs as they stood, and corrections from there.

`screen`      puts it together; `listing` which acts are listed, `filtering` by which words, `searching` the line
`log_view`   the log laid out to be read; `unfolding` one act in full, `stood` the logs as they stood after it
`mending`     corrections begun; `refilling` an entry back in its dialog, `inserting` one that was forgotten
"""
