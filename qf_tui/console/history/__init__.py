"""The history: every act in words, the logs as they were, and corrections from there.

`screen`  the log of an open battle, and corrections of it
`view`    the log that is only read: acts and the words that narrow them, one in full, the logs after it
"""
