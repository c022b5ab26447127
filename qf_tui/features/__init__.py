"""The features that come with the program, each in a folder of its own; the base imports none of them.

`editor`        battles of your own, and copies of scenarios to change
`second_copy`   a copy of the save in another folder, entry by entry
`board`         the battle on the players' phones, and the orders that they propose from there
`sealed_dice`   dice thrown from a secret seed and a called number, for anybody to check
`talk`          the console line by line, for screen readers, braille and slow links
`points`        the victory points of each side, and how they add up
`report`        the story of a battle, its losses, and how lucky each side was
`film`          a page that plays a battle entry by entry
`court`         what other rules would have changed: the same dice under other switches and chart cells
`campaign`      battles that lead to battles, and the careers of ships and players
`simulation`    a battle played many times by its own rules, without players
`sheets`        log sheets on paper, and saves read back from the codes on them
`state`         all ships as they stand, into and from a spreadsheet
`shipyard`      ships of all navies, and ships of your own
`wall_display`  the battle in large letters, for people across the room

A feature is a folder with one `Feature` value, which names the function for each hook; qf_tui/hooks.py
says what a hook may do. The value is listed in BUNDLED below. The base calls these functions and knows
nothing else of the feature. The functions import what they need when they are called, because each start of
the program reads all `Feature` values. A feature may import the base, and another feature if its own
docstring says so. Its page of the help is its `help.md`; its tests are in `tests/features/NAME`.

A feature outside of this tree is a package with an entry point in the group `qf_tui.features`, which names
its value. It has the same hooks, apart from the help. The program searches for such packages one second after
the first screen is drawn, because the search takes longer than drawing it. It searches earlier if it meets a
command, an option, a key of a file or an extra that no bundled feature knows.

Here is a complete feature: a module `shots.py`, and in its `pyproject.toml`

    [project.entry-points."qf_tui.features"]
    shots = "shots:SHOTS"

The command `qf-tui shots SAVE` counts the shots of each ship, and the key S shows the same in a battle. An
extra, a value that a save keeps with an entry, says which shot of its ship in the turn it is; only the ship's
own side may know it. While a battle is open, a message warns of a ship that has fired three times in a turn.

    from collections import Counter

    from qf_tui.cli.arguments import SAVE
    from qf_tui.hooks import Command, Extra, Feature


    def count_shots(timeline, turn=0):
        '''Count the shots of each ship: in a turn, or in the whole battle.'''
        count = Counter()
        for place, number in enumerate(timeline.play_order):
            order, battle = timeline.versions[number].order, timeline.battle_at(place)
            if order.word == "fire" and turn in (0, battle.turn):
                count[battle.called(str(order.slots["ship"]))] += 1
        return count


    def run_shots(arguments):
        '''Print how often each ship has fired.'''
        from qf_tui.cli.opening import looked_at, save_named
        from qf_tui.cli.output import print_lines

        timeline = looked_at(save_named(arguments.battle)).timeline
        print_lines(*(f"{name}: {count}" for name, count in count_shots(timeline).most_common()))
        return 0


    def show_shots(screen):
        '''Show how often each ship has fired, over the battle.'''
        from qf_tui.console.widgets.panel import Panel
        from qf_tui.console.widgets.text import literal

        shots = count_shots(screen.source.timeline).most_common()
        screen.app.push_screen(Panel("Shots", [literal(f"{name}: {count}") for name, count in shots]))


    def load_console():
        '''Load the key that the feature adds to the logs.'''
        from qf_tui.console.widgets.actions import GRID, ConsolePart, act

        help = "how often each ship has fired"
        return ConsolePart(actions=(act("S", "shots", "shots", help, GRID, palette=True, does=show_shots),))


    def number_shot(session, revision):
        '''Return which shot of its ship in this turn an entry is, or None if it is no shot.'''
        order = revision.act.version.order if revision.act.version else None
        if order is None or order.word != "fire":
            return None
        ship = str(order.slots["ship"])
        count = count_shots(session.timeline, session.battle.turn)[session.battle.called(ship)]
        return {"ship": ship, "side": session.battle.ships[ship].side, "shot": count + 1}


    def check_shot(value):
        '''Return what is wrong with a number read from a save, or "".'''
        return "" if isinstance(value, dict) and value.keys() == {"ship", "side", "shot"} else "is no shot"


    def show_shot(value, viewer):
        '''Show the number to its own side.'''
        return value if value["side"] == viewer else None


    class Watcher:
        '''Warns of ships that fire too often in an open battle.'''

        def __init__(self, session):
            self.session = session

        def record(self, act):
            pass

        def warn(self):
            shots = count_shots(self.session.timeline, self.session.battle.turn)
            return ", ".join(f"{name} has fired {count} times" for name, count in shots.items() if count > 2)

        def close(self):
            return ""


    def watch(session, settings, now):
        '''Keep the watcher that is at work now, or make one for a battle that has just been opened.'''
        return now or Watcher(session)


    COMMAND = Command("shots", "shots:run_shots", "how often each ship has fired", "In all turns.", SAVE)
    SHOT = Extra("shot", check_shot, number_shot, show_shot)
    SHOTS = Feature("shots", commands=(COMMAND,), console=load_console, listen=watch, extras=(SHOT,))
"""

BUNDLED = (
    "qf_tui.features.editor:EDITOR",
    "qf_tui.features.second_copy:SECOND_COPY",
    "qf_tui.features.board:BOARD",
    "qf_tui.features.sealed_dice:SEALED_DICE",
    "qf_tui.features.talk:TALK",
    "qf_tui.features.points:POINTS",
    "qf_tui.features.report:REPORT",
    "qf_tui.features.film:FILM",
    "qf_tui.features.court:COURT",
    "qf_tui.features.campaign:CAMPAIGN",
    "qf_tui.features.simulation:SIMULATION",
    "qf_tui.features.sheets:SHEETS",
    "qf_tui.features.state:STATE",
    "qf_tui.features.shipyard:SHIPYARD",
    "qf_tui.features.wall_display:WALL_DISPLAY",
)
"""Where the value of each feature is, in the order of the help."""
