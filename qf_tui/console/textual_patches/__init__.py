"""Everything that uses private parts of Textual. Try a newer Textual here first.

`drawing`   faults, what is drawn and laid out again, and which part of a picture is sent
`terminal`  the keyboard of a real terminal

What is patched, the reason, and the public part of Textual that would do instead:

- `App._fatal_error`: a screenful of traceback for each fault; a public hook for faults
- `App._display`: whole lines for one cell, 3 to 14 times the bytes of a key; updates by cell
- `Compositor`: widgets asked for lines that stay as they were or are covered, a fifth of a key; the same
- `Screen._compositor_refresh`: a first picture drawn while it is held back, and a frame later again; to wait
- `Screen.focused`: the whole screen drawn when the focus moves, 6 KB; a focus that repaints nothing
- `Widget.virtual_size`: the screen laid out for each letter typed, a sixth of its work; an option of `Input`
- `XTermParser`: ends on some bytes, reads Escape and a letter as one key; a parser handed to the driver
- `LinuxDriver`: believes a lost terminal and sizes nobody can draw; a driver that checks them

`tests/console/test_textual_patches.py` says which of these a new Textual makes wrong, and which needless.
"""
