"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

Each folder imports only from itself and from those below it in this list.

`battle`           the battle screen, and a battle that is only viewed
`history`          every act in words, the logs as they were, and corrections from there
`setup`            before a battle: the first screen, scenarios, ships, setting up a battle
`entry`            the bar and the dialogs: what keys, letters and digits mean, previews, entering an order
`reading`          both sides' logs, the help, charts, report, announcements; the source of what is shown
`widgets`          the table of actions, keys, and the parts that all screens share
`textual_patches`  all that uses private parts of Textual

Above them stand:

`app`              the application: its palette, its own faults, how it is run and kept open
`settings_screen`  the settings

`console.tcss` has the styles.
"""
