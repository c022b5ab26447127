"""Paper: log sheets as the save stands, and the way back from them.

`framing`  bytes as numbered texts for QR codes, and back
`packing`  a battle in few bytes, and decided again from them
`rescue`   files of scanned codes into a save
"""
