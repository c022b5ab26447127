"""Views as bytes, each with an id: a view is an event when its bytes are others than those sent last."""

import json
from functools import cache
from hashlib import sha256

from attrs import AttrsInstance, fields, frozen

from qf_tui.board.values import ShipView, View

ID_LENGTH = 16


@frozen
class ViewEvent:
    """What is sent to a viewer: a view in bytes, known by them alone."""

    data: bytes

    @property
    def id(self) -> str:
        """A digest of the bytes: it says nothing that they do not say."""
        return sha256(self.data).hexdigest()[:ID_LENGTH]


def encoded(view: View | ShipView) -> bytes:
    """A view as one line of JSON in UTF-8: equal views give the same bytes."""
    return _ENCODER.encode(view).encode("utf-8")


def _plain(value: AttrsInstance) -> dict[str, object]:
    return {name: getattr(value, name) for name in _names(type(value))}


@cache
def _names(kind: type[AttrsInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_plain)
