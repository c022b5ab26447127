"""The history: every act in words, the logs as they were, and corrections from there.

`view`      the log that is only read; `screen` the same for an open battle, with corrections
`log_view`  the log as it is read: each act at its place, with marks and remarks
`listing`   which acts are listed; `filter` the words that narrow them, and the line in which they are typed
`act_detail`          one act in full; `snapshot_pane` the logs as they stood after it
`correction_actions`  begins corrections: change an entry, move it, insert one behind it
"""
