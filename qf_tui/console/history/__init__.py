"""The history: every act in words, the logs as they were, and corrections from there.

`screen`    the log of an open battle, and corrections of it
`view`      the log that is only read, one act in full, the logs as they stood after it
`log_view`  the acts at their places, with marks and remarks; the words that narrow them
"""
