"""All code that uses private parts of Textual. Try a newer Textual here first.

`faults`    records a fault of the program, and reports it in words
`terminal`  the keyboard of a real terminal

Each line names the patched part, the fault that users met, and the public part that could replace it:

- `App._handle_exception`, `App._fatal_error`: show a traceback for each fault; a public hook for faults
- `XTermParser`: raises on some bytes, reads Escape and a letter as one key; a parser passed to the driver
- `LinuxDriver`: does not notice a lost terminal, accepts impossible sizes; a driver that checks them

`tests/console/test_textual_patches.py` shows which patches a new Textual breaks, and which it makes needless.
"""
