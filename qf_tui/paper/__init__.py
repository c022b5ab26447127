"""Paper: log sheets of a battle as it stands, and saves read back from them.

`sheets`   the printed page: logs, summaries and charts, as one HTML page
`packing`  a battle in few bytes, as numbered texts for QR codes, and decided again from them
"""
