"""What an action is: a thing to do with its keys, what does it, and its words."""

from ast import literal_eval

from attrs import frozen

from qf_tui.console.widgets.places import GRID

_WAYS: dict[str | int, str] = {-1: "back", 1: "on"}


@frozen
class Call:
    """What does an action: the method `action_NAME` of the screen or of a widget by id, and its arguments."""

    name: str
    widget: str = ""
    arguments: tuple[str | int, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Call":
        """A call as the table writes it: `list.section(-1)`."""
        path, _, rest = text.partition("(")
        widget, _, name = path.rpartition(".")
        return cls(name, widget, literal_eval(f"({rest[:-1]},)") if rest else ())

    @property
    def slug(self) -> str:
        """The call as a part of an id: `section-back`, `read-why`."""
        arguments = (_WAYS.get(one, str(one)) for one in self.arguments)
        return "-".join((self.name.replace("_", "-"), *arguments))


@frozen
class Action:
    """One thing to do: its keys, its call, a title for footer and palette, a sentence for the help.

    `id` names it where its keys are changed. `enters`: it needs a battle that can be written.
    """

    id: str
    keys: tuple[str, ...]
    call: Call
    title: str
    help: str
    places: tuple[str, ...] = (GRID,)
    footer: bool = False
    palette: bool = False
    enters: bool = False


def act(  # noqa: PLR0913 - a row of the table below; its flags are given by name
    keys: str, call: str, title: str, help: str, *places: str, footer: bool = False, palette: bool = False,
    enters: bool = False, id: str = ""
) -> Action:  # fmt: skip
    """A row of the table of actions, its keys in one text."""
    does, places = Call.of(call), places or (GRID,)
    id = f"{places[0]}.{id or does.slug}"
    return Action(id, tuple(keys.split()), does, title, help, places, footer, palette, enters)
