"""The history: every act in words, the logs as they were, and corrections from there.

`screen`  the log of an open battle, and corrections of it
`view`    the log without corrections: acts, searched by words, one in full, the ships' logs after it
"""
