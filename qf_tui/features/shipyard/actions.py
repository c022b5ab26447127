"""The key in the console that opens the list of the ships of all navies."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import GRID, START, ConsolePart, Place, act, foot
from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.library.systems import find_systems

NAVIES, YARD = "navies", "yard"


def open_ships(screen: Screen[object]) -> None:
    """Show the ships of all navies.

    In a battle, the list shows values by its rules, and a ship can be chosen to join it.
    """
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.features.shipyard.screen import ShipsScreen

    if not isinstance(screen, BattleScreen):
        screen.app.push_screen(ShipsScreen(find_systems()))
        return

    def put_join_order(ship: ShipFacts | None) -> None:
        """Write the order by which the chosen ship joins into the order bar.

        She joins the side of the ship under the cursor, or else the first side.
        """
        if ship is not None:
            side = screen.grid.ship.side if screen.grid.ship else screen.session.battle.sides[0].id
            screen.orders.put(f"{JOIN.word} {side} {screen.session.find_arrival_id(ship)}")

    screen.app.push_screen(
        ShipsScreen(find_systems(), screen.session.system.name, joins=True), put_join_order
    )


PART = ConsolePart(
    (
        Place(NAVIES, "among the ships of all navies", battle=False, typed_in=True, listed=True,
            after="settings"),
        Place(YARD, "in the shipyard", battle=False, typed_in=True, form=True, after=NAVIES),
    ),
    (
        act("", "ships", "ships", "ships of all navies: facts and values; any of them may join", GRID,
            palette=True, enters=True, does=open_ships, after="grid.other-battle"),
        foot("f7", "ships", "ships", "ships of all navies, and those of your own", START,
            does=open_ships, after="start.read-again"),
        act("backspace", "delete_letter", "delete letter", "deletes the last letter", NAVIES),
        foot("enter", "read", "all",
            "all facts of the ship, and its values in every rule system", NAVIES),
        foot("f6", "join", "join", "adds the ship to the battle", NAVIES),
        foot("f2", "new", "new", "a new ship of your own", NAVIES),
        foot("f3", "copy", "sister", "a ship of your own, copied from this one", NAVIES),
        foot("f4", "edit", "change",
            "changes the ship; a shipped one becomes your own copy, which wins", NAVIES),
        act("f8 delete", "delete", "delete", "deletes a row of your own", NAVIES),
        foot("right", "system(1)", "rules", "the values of the next rule system", NAVIES),
        act("left", "system(-1)", "rules before", "the values of the rule system before", NAVIES),
        act("tab", "list.section(1)", "navy", "the next navy", NAVIES),
        act("shift+tab", "list.section(-1)", "navy before", "the navy before", NAVIES),
        foot("escape", "back", "back", "shows all again; then back to where you were", NAVIES),
        foot("enter tab down", "walk(1)", "next", "the next field", YARD),
        act("shift+tab up", "walk(-1)", "before", "the field before", YARD),
        act("pagedown", "page(1)", "page down", "a page down", YARD),
        act("pageup", "page(-1)", "page up", "a page up", YARD),
        act("left", "caret(-1)", "left", "a letter to the left", YARD),
        act("right", "caret(1)", "right", "a letter to the right", YARD),
        act("backspace", "delete_letter", "delete", "deletes a letter, or all of an untouched text", YARD),
        foot("f2", "system", "rules", "the values of the next rule system", YARD),
        foot("f4", "change_pane", "values", "to the values, to set one by hand, or back to the facts",
            YARD),
        foot("f6", "keep", "keep", "saves the ship among your own", YARD),
        foot("escape", "back", "back", "back to the ships; asks before unsaved changes are lost", YARD),
    ),
)  # fmt: skip
