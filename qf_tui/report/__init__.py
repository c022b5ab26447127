"""The report of a battle worked out, and written into files; its words are those of document.

`workers`    its analysis, by several processes where that is worth it; a reading of the court as a branch
`files`      a report as a file, and where one is kept that is written at a key
"""
