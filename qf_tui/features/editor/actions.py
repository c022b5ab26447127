"""The keys in the console that open the editor of battles, on a new one or on a copy of a scenario."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import (
    SCENARIO,
    START,
    ConsolePart,
    Place,
    act,
    chain_actions,
    declare_moves,
    foot,
)

TABLE, SHIPS, ORDER = SETUP = ("table", "ships", "order")


def open_setup(screen: Screen[object]) -> None:
    """Open the set-up of the unfinished draft, or of a new battle."""
    from qf_tui.features.editor.start import find_part

    if (part := find_part(screen)) is not None:
        part.open_setup()


def copy_scenario(screen: Screen[object]) -> None:
    """Open a copy of a scenario in the editor: of the one on its own screen, or the one under the cursor."""
    from qf_tui.console.setup.scenario import ScenarioScreen
    from qf_tui.features.editor.start import find_part

    part = find_part(screen)
    if isinstance(screen, ScenarioScreen):
        screen.dismiss(None)
        if part is not None:
            part.copy_viewed(screen)
    elif part is not None:
        part.copy_listed()


PART = ConsolePart(
    (
        Place(TABLE, "in the set-up, on the table and its switches", battle=False, listed=True,
            after=SCENARIO),
        Place(SHIPS, "in the set-up, among the ships of the fleets", battle=False, typed_in=True,
            listed=True, after=TABLE),
        Place(ORDER, "in the set-up, on the order of battle", battle=False, form=True, after=SHIPS),
    ),
    (
        foot("f2", "compose", "set up a battle", "sets up a battle of your own", START, does=open_setup,
            after="start.choose"),
        foot("f3", "change", "copy and edit", "a copy of the scenario to edit", START, SCENARIO,
            does=copy_scenario, after="start.compose"),
        act("backspace", "delete_letter", "delete letter", "deletes the last letter", SHIPS,
            after="start.delete-letter"),
        *chain_actions(
            "scenario.back",
            *declare_moves("order", "line", ORDER),
            foot("f6", "begin", "begin", "saves the set-up as a scenario and begins the battle", *SETUP),
            foot("enter right space", "catalogue.change_value(1)", "change",
                "the next value, or a text to type", TABLE),
            act("left", "catalogue.change_value(-1)", "change back", "the value before", TABLE),
            foot("enter", "catalogue.toggle_ship", "add or remove",
                "puts the ship into the division above, or takes it off", SHIPS),
            foot("right", "catalogue.aim(1)", "division", "the next division to put ships into", SHIPS),
            act("left", "catalogue.aim(-1)", "division before", "the division before", SHIPS),
            foot("enter", "order.rename", "name", "names the side or division", ORDER),
            act("left_square_bracket shift+up", "order.move(-1)", "ship up", "the ship one place up", ORDER),
            act("right_square_bracket shift+down", "order.move(1)", "ship down", "the ship one place down",
                ORDER),
            foot("p", "order.player", "player", "who plays the division", ORDER),
            foot("d", "order.divide", "division", "another division on this side", ORDER),
            foot("s", "order.add_side", "side", "another side", ORDER),
            foot("x delete", "order.take_off", "off", "takes the ship, division or side off", ORDER),
            foot("f3", "show('ships')", "ships", "the ships of the fleets, to add some", TABLE, ORDER),
            foot("f2", "show('table')", "table", "rule system, scale, dice and switches", SHIPS),
            act("f2", "show('table')", "table", "rule system, scale, dice and switches", ORDER),
            foot("f4", "show('order')", "sides", "sides, divisions and players in the order of battle", TABLE,
                SHIPS),
            act("tab", "next_pane", "next pane", "table, ships, order of battle in turn", *SETUP),
            foot("escape", "back", "back", "back to the first screen, which keeps the set-up", *SETUP),
        ),
    ),
)  # fmt: skip
