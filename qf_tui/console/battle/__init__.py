"""The battle screen, and what stands around an entry.

`screen`      puts its widgets together: `phaseline`, the logs, `latest`, `owed`, the order bar, `alarm`, `footer`
`writing`     orders while they are written, in the bar or in a dialog: entered, put by, taken up again
`desk`        enters what the umpire says, and tells the screen what came of it
`asking`      what is said before and after: who may still act, what a correction changes
`proposing`   a correction shown before it happens; `branching` keeps it as a branch
`ending`      the end of a phase; `reopening` an undo that gives the order back; `readings` what may be read
"""
