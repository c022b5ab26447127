"""Orders read from a line by a few forms, as a script has them."""

from collections.abc import Mapping

from qf_tui.core.grammar.names import Scope, Vocabulary
from qf_tui.core.grammar.reader import read
from qf_tui.core.values import Battle, Form, Order


def parse(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    """An order; OrderRefused says what is wrong with it."""
    return read(Scope(Vocabulary(forms), battle), text).complete()
