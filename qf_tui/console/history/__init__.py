"""The history: every act in words, the logs as they were, and corrections from there.

`log_view`  the log as it is read: each act at its place, with marks and remarks, and the words that narrow it
`view`      the log that is only read, one act in full, the logs as they stood after it
`screen`    the same for an open battle, with corrections
"""
