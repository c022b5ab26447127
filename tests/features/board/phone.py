"""A phone at a player's link, as the page there uses it."""

import json
from secrets import token_hex
from typing import Any

from attrs import define, field

from qf_tui.features.board.links import Seat, compute_device_digest, compute_token, save_links
from tests.features.board.served import Answer, Board, Stream

JSON = "application/json"


@define
class Phone:
    """A phone that has the link of a seat, and a key of its own."""

    board: Board
    seat_id: str
    device: str = field(factory=lambda: token_hex(16))

    @property
    def seat(self) -> Seat:
        return next(seat for seat in self.board.links.seats if seat.id == self.seat_id)

    def asks(self, **more: object) -> Answer:
        """Asks to propose from its seat."""
        return self.posts("device", {"token": compute_token(self.seat.secret), "device": self.device, **more})

    def let_in(self) -> "Phone":
        """The umpire lets it in."""
        links = self.board.links
        save_links(self.board.save, links.let_device_in(self.seat_id, compute_device_digest(self.device)))
        return self

    def proposes(self, **what: object) -> Answer:
        """Proposes something, by an id of its own unless one is named."""
        given = {"token": compute_token(self.seat.secret), "device": self.device, "id": token_hex(16)}
        return self.posts("propose", {**given, **what})

    def posts(self, rest: str, body: dict[str, Any] | bytes, *headers: str, secret: str = "") -> Answer:
        """Posts as the page does, or with other headers."""
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        given = headers or (f"Origin: http://{self.board.host}", f"Content-Type: {JSON}")
        path = f"/{secret or self.seat.secret}/{rest}"
        return self.board.asked(path, "POST", *given, f"Content-Length: {len(data)}", body=data)


def told(stream: Stream) -> dict[str, Any]:
    """What a seat is told next."""
    while (event := stream.next()) is not None:
        if event[0] == "seat":
            found: dict[str, Any] = json.loads(event[1])
            return found
    raise AssertionError


def order(word: str, ship: str, **slots: object) -> dict[str, Any]:
    """An order as a page sends it."""
    return {"word": word, "ship": ship, "slots": slots}
