"""The history of a battle: every order with its result, the ships' logs at that moment, and corrections.

`screen`  the history of an open battle, from which it can be corrected
`view`    the history to read: orders in a list, searched by words, one in full, the ships' logs after it
"""
