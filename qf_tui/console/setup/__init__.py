"""The screens before a battle: the first screen and scenarios.

`start`       the first screen, and its offers, whose files are read as needed
`scenario`    a scenario before it begins
`opening`     reads a scenario before it begins, and begins it
"""
