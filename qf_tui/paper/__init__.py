"""Paper: log sheets as the save stands, and the way back from them.

`sheets`   what is printed: whose logs, summaries, and what lies behind them
`charts`  the charts that a battle can need
`page`     all that as one page of HTML
`framing`  bytes as numbered texts for QR codes, and back
`packing`  a battle in few bytes, and decided again from them
`rescue`   files of scanned codes into a save
"""
