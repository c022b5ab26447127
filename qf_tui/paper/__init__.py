"""Paper: log sheets as the save stands, and the way back from them.

`sheets`   what is printed: whose logs, summaries and charts, as one page of HTML
`packing`  a battle in few bytes, as numbered texts for QR codes, and decided again from them
"""
