"""Views as bytes, and when one is an event: exactly when its bytes are others than those sent last."""

import json
from hashlib import sha256

from attrs import asdict, frozen

from qf_tui.board.values import ShipView, View

ID_LENGTH = 16


@frozen
class Event:
    """What is sent to a viewer: a view in bytes, known by them alone."""

    data: bytes

    @property
    def id(self) -> str:
        """A digest of the bytes: it says nothing that they do not say."""
        return sha256(self.data).hexdigest()[:ID_LENGTH]


@frozen
class Feed:
    """What a viewer was sent last, by its id; "" for nothing."""

    sent: str = ""

    def due(self, view: View) -> Event | None:
        """The event that a view is, or None where the viewer has it already."""
        return self.next(Event(encoded(view)))

    def next(self, event: Event) -> Event | None:
        """An event, or None where the viewer has it already."""
        return None if event.id == self.sent else event


def encoded(view: View | ShipView) -> bytes:
    """A view as one line of JSON in UTF-8: equal views give the same bytes."""
    text = json.dumps(asdict(view), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8")
