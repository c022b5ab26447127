"""Before a battle: the first screen, a scenario to look at, and a set-up of one's own.

`start`     the first screen; `start_items` what it offers, read as far as it is wanted; `saves` the saves of it
`scenario`  a scenario to look at; `order_of_battle` describes who fights whom
`screen`    a battle being set up; `plan` what its panes share: the draft, where ships go, what is wrong
`catalogue` its left pane, of the `table` or of `ships`; `oob_list` its right one, the order of battle
`opening`   files into battles
"""
