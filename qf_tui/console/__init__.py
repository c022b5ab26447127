"""The umpire's console: keys into orders, battles into pictures. It holds no rule and opens no file.

Its folders are floors: each imports only from itself and from those below it here.

`battle`           the battle screen, and a battle that is only viewed
`history`          every act in words, the logs as they were, and corrections from there
`setup`            before a battle: the first screen, scenarios, ships, the user's own set-up
`entry`            the bar and the dialogs: what keys, letters and digits mean, previews, entering an order
`reading`          both sides' logs, the help, charts, report, announcements; the source of what is shown
`widgets`          the table of actions, keys, and the parts that all screens share
`textual_patches`  all that leans on the insides of Textual

Above them stand:

`app`              the application with its palette, its own faults, and how it is run and kept open
`settings_screen`  what can be set

`console.tcss` has the styles.
"""
