"""A phone that uses a player's link as the page does."""

import json
from secrets import token_hex
from typing import Any

from attrs import define, field

from qf_tui.features.board.links import Seat, compute_device_digest, compute_token, save_links
from tests.features.board.served import Answer, Board, Stream

JSON = "application/json"


@define
class Phone:
    """A phone with the link of a seat and its own device key."""

    board: Board
    seat_id: str
    device: str = field(factory=lambda: token_hex(16))

    @property
    def seat(self) -> Seat:
        return next(seat for seat in self.board.links.seats if seat.id == self.seat_id)

    def ask(self, **more: object) -> Answer:
        """Ask to propose from its seat."""
        return self.post("device", {"token": compute_token(self.seat.secret), "device": self.device, **more})

    def let_in(self) -> "Phone":
        """Let the phone in, as the umpire does."""
        links = self.board.links
        save_links(self.board.save, links.let_device_in(self.seat_id, compute_device_digest(self.device)))
        return self

    def propose(self, **what: object) -> Answer:
        """Propose something, with a new id unless `what` names one."""
        given = {"token": compute_token(self.seat.secret), "device": self.device, "id": token_hex(16)}
        return self.post("propose", {**given, **what})

    def post(self, rest: str, body: dict[str, Any] | bytes, *headers: str, secret: str = "") -> Answer:
        """Post as the page does, or with other headers."""
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        given = headers or (f"Origin: http://{self.board.host}", f"Content-Type: {JSON}")
        path = f"/{secret or self.seat.secret}/{rest}"
        return self.board.request(path, "POST", *given, f"Content-Length: {len(data)}", body=data)


def read_seat_state(stream: Stream) -> dict[str, Any]:
    """Return the next state of a seat that a stream sends."""
    while (event := stream.read_event()) is not None:
        if event[0] == "seat":
            found: dict[str, Any] = json.loads(event[1])
            return found
    raise AssertionError


def order(word: str, ship: str, **slots: object) -> dict[str, Any]:
    """Build an order as a page sends it."""
    return {"word": word, "ship": ship, "slots": slots}
