"""What the fields of a dialog may well hold, and the keys that take it."""

from attrs import frozen

from qf_tui.console.orders.again import Offers
from qf_tui.console.orders.filling import Filling
from qf_tui.console.orders.meaning import Reader
from qf_tui.console.text import cut, listed, width_of
from qf_tui.core.forms import Kind


@frozen
class Offering:
    """What is offered in the fields of a dialog, by what was entered before and what is filled in so far."""

    reader: Reader
    before: Offers

    def likely(self, filling: Filling, name: str) -> str:
        """What an empty field may well hold; letters that stand in it mean something else."""
        if filling.text(name).strip():
            return ""
        return self.before.likely(self.reader.settled(filling), name)

    def division(self, filling: Filling, name: str) -> tuple[str, str]:
        """The slot for ships and the division that `@` takes there; nothing in a field where `@` is text."""
        slot = filling.slot(name)
        ships = next((one for one in filling.slots if one.kind is Kind.SHIPS), None)
        if slot is None or slot.kind in (Kind.SHIPS, Kind.DIVISION) or ships is None:
            return "", ""
        return ships.name, self.reader.division_of(filling, ships.name)

    def text(self, filling: Filling, name: str, width: int) -> str:
        """What a field may hold, and what Space, Tab or `@` takes, as far as there is room."""
        likely = self.likely(filling, name)
        text = f"Space takes {cut(likely, width // 2)}   " if likely else ""
        names = [choice.label for choice in self.reader.choices(filling, name)] if name else []
        if names and self.reader.likeliest(filling, name):
            text = f"Tab takes {cut(names[0], width // 2)}   "
        _, division = self.division(filling, name)
        whole = f"@ takes all of its division, {division[1:]}" if division else ""
        text += listed(names, width - width_of(text) - width_of(whole), " · ")
        return f"{text}   {whole}" if text and whole else text + whole
