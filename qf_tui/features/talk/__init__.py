"""Talk: the console line by line, for screen readers, braille and slow links. It uses the board feature.

The checksums of dice and log (seal and witness) come from the sealed_dice feature, victory points
from the points feature.

`conversation`  `qf-tui talk`: the umpire's lines, and the answers to them
`speech`        documents as lines to be read aloud, with words in place of signs
"""

from qf_tui.cli.arguments import ANY_BATTLE, CREWS, NEW_SAVE, RULES
from qf_tui.hooks import Command, Feature

COMMAND = Command(
    "talk",
    "qf_tui.features.talk.conversation:talk",
    "the console line by line, for screen readers, braille and slow links",
    "A line is an order, dice for what is owed, or a word: `help` lists them. Nothing is drawn; signs "
    "are read as words. A scenario starts a battle with its save, as `play` does; a save goes on.",
    ANY_BATTLE,
    RULES,
    CREWS,
    NEW_SAVE,
)
TALK = Feature("talk", commands=(COMMAND,))
