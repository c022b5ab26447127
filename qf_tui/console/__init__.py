"""The umpire's console: it turns keys into orders and draws battles on the screen.

It holds no rule and opens no file. Each folder imports only from itself and from those below it in this list.

`battle`           the battle screen, and a screen for a battle that is only watched
`history`          every order of a battle as text, the ships' logs at any past moment, and corrections
`setup`            before a battle: the first screen, and scenarios
`entry`            the order bar and dialogs: meaning of keys, previews, entering orders
`reading`          panels to read: both sides' ship logs, help, charts; the base of screens of a battle
`widgets`          the table of actions, keys, and the parts that all screens share
`textual_patches`  all code that uses private parts of Textual

Two modules are above all folders:

`app`              the application: its colours, its own faults, how it is run and kept open
`settings_screen`  the settings

`console.tcss` has the styles.
"""
