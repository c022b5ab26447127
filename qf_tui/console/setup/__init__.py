"""Before a battle: the first screen, a scenario to view, and the user's own set-up.

`start`     the first screen; `start_items` what it offers, read as needed; `saves` its saves
`scenario`  a scenario to view; `order_of_battle` describes who fights whom
`screen`    a battle being set up; `open_draft` what its panes share: the draft, where ships go, what is wrong
`catalogue` its left pane, of the `table` or of `ships`; `oob_list` its right one, the order of battle
`simulation` battles by the thousand before one begins, played beside the keys
`opening`   files into battles; `seal` shows the seal of sealed dice, and takes the words of the sides
"""
