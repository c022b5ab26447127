"""All that leans on the insides of Textual, and nothing else does: a newer Textual is tried here first.

`drawing`   faults, what is drawn and laid out anew, and what of a picture is sent
`terminal`  the keyboard of a real terminal

What is patched, because of what, and what of Textual's own would do instead:

- `App._fatal_error`: a screenful of traceback for each fault; a public hook that is told of it
- `App._display`: whole lines for one cell, 3 to 14 times the bytes of a key; updates that are made of cells
- `Screen.focused`: all of the screen drawn when the focus moves, 6 KB; a focus that repaints no screen
- `Widget.virtual_size`: the screen laid out for each letter typed, a sixth of its work; an option of `Input`
- `XTermParser`: bytes that end it, Escape and a letter as one key; a parser that a driver may be given
- `LinuxDriver`: a terminal that is gone, and sizes nobody can draw, believed; a driver that checks them

`tests/console/test_textual_patches.py` says which of these a Textual has made wrong, and which needless.
"""
