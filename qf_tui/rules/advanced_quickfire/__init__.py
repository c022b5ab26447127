"""Advanced Quickfire: pre-dreadnought battles with twelve-sided dice.

`ship`      card and log, and what follows from them        `scales`    distances and brackets
`movement`  boxes and distances used                        `shots`     shots as declared
`targeting` who may fire at what                            `gunnery`   battery fire
`boats`     boat guns                                       `torpedo`   torpedo attacks
`damage`    codes and their overflow                        `checks`    rolls that damage calls for
`repair`    repair attempts                                 `charts`    reading the combat chart
`throws`    a throw, and strict mode's question             `options`   the switches
`forms`     the orders                                      `showing`   grid, card and words for the table
`clauses`   each clause in our own words                    `system`    all of it as the core sees it
"""

from qf_tui.rules.advanced_quickfire.system import AdvancedQuickfire

SYSTEM = AdvancedQuickfire()
"""The rule system that the entry point names."""
