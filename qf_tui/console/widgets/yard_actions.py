"""The rows of the table of actions for the ships of all navies and the shipyard."""

from qf_tui.console.widgets.action import act as _act
from qf_tui.console.widgets.places import NAVIES, YARD

YARD_ACTIONS = (
    _act("enter", "read", "all", "all that is known of her, her values in every rule system", NAVIES,
        footer=True),
    _act("f6", "join", "join", "the ship joins the battle, at your word", NAVIES, footer=True),
    _act("f2", "new", "new", "a ship of your own, begun from nothing", NAVIES, footer=True),
    _act("f3", "copy", "sister", "a ship of your own, begun as a copy of this one", NAVIES, footer=True),
    _act("f4", "edit", "change", "changes the ship; one of ours becomes a row of yours, which wins", NAVIES,
        footer=True),
    _act("f8 delete", "delete", "delete", "deletes a row of your own", NAVIES),
    _act("right", "system(1)", "rules", "the values of the next rule system", NAVIES, footer=True),
    _act("left", "system(-1)", "rules before", "the values of the rule system before", NAVIES),
    _act("tab", "list.section(1)", "navy", "the next navy", NAVIES),
    _act("shift+tab", "list.section(-1)", "navy before", "the navy before", NAVIES),
    _act("escape", "back", "back", "shows all again; then back to where you were", NAVIES, footer=True),
    _act("enter tab down", "walk(1)", "next", "the next field", YARD, footer=True),
    _act("shift+tab up", "walk(-1)", "before", "the field before", YARD),
    _act("pagedown", "page(1)", "page down", "a page down", YARD),
    _act("pageup", "page(-1)", "page up", "a page up", YARD),
    _act("left", "caret(-1)", "left", "a letter to the left, to mend what stands there", YARD),
    _act("right", "caret(1)", "right", "a letter to the right", YARD),
    _act("backspace", "delete_letter", "rub out", "deletes a letter; of a text as it stood all", YARD),
    _act("f2", "system", "rules", "the values of the next rule system", YARD, footer=True),
    _act("f4", "change_pane", "values", "over to the values, to set one by hand, or back to the facts", YARD,
        footer=True),
    _act("f6", "keep", "keep", "keeps the ship among your own", YARD, footer=True),
    _act("escape", "back", "back", "back to the ships; what is not kept is asked for", YARD, footer=True),
)  # fmt: skip
