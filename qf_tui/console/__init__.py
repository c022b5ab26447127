"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

Pure, without a screen: `text` user text made literal, `keys` the one table of actions, `candidates` what letters may
mean, `completing` an order half typed, `filling` a dialog half filled, `foreseeing` what an order would meet, `layout`
which columns fit, `rows` the lines of the logs, `why` the story of a cell, `asking` what is shown before and after an
act, `entering` one order entered whatever comes of it, `opening`, `saves` and `shelf` the battles
on the shelf, `order_of_battle` cards in columns, `setup_table`, `setup_ships` and `setup_view` a battle being set up.

Widgets: `grid`, `phaseline`, `owed`, `latest`, `orderbar`, `picking`, `keybar`. Screens before a battle: `start`,
`setup_scenario`, `setup` with `setup_order` and `setup_entry`; in one: `battle`, `dialog`, `history`, `help`, `panel`,
with `palette` and `footer`. `app` puts them together, `keyqueue` works keys off one by one,
`theme` and `console.tcss` dress them.
"""
