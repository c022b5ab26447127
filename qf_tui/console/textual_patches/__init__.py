"""Everything that uses private parts of Textual. Try a newer Textual here first.

`faults`    a fault of ours is reported in words
`terminal`  the keyboard of a real terminal

What is patched, the fault that users met, and the public part of Textual that would do instead:

- `App._handle_exception`, `App._fatal_error`: a traceback for each fault; a public hook for faults
- `XTermParser`: ends on some bytes, reads Escape and a letter as one key; a parser handed to the driver
- `LinuxDriver`: believes a lost terminal and sizes nobody can draw; a driver that checks them

`tests/console/test_textual_patches.py` says which of these a new Textual makes wrong, and which needless.
"""
