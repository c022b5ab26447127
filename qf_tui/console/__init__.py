"""The umpire's console: it turns keys into orders and battles into pictures.

It holds no rule and opens no file. Each folder imports only from itself and from those below it in this list.

`battle`           the battle screen, and a battle that is only viewed
`history`          every act as text, the logs at any past entry, and corrections
`setup`            before a battle: the first screen, scenarios, ships, setting up a battle
`entry`            the bar and the dialogs: meaning of keys, letters and digits, previews, entering orders
`reading`          both sides' logs, the help, charts, announcements; the source of a shown battle
`widgets`          the table of actions, keys, and the parts that all screens share
`textual_patches`  all code that uses private parts of Textual

Two modules are above all folders:

`app`              the application: its palette, its own faults, how it is run and kept open
`settings_screen`  the settings

`console.tcss` has the styles.
"""
