"""A seat without the board's server: a test sets its state by hand and reads its posts."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

TOKEN = "a-token"
DIE = {"name": "", "least": 1, "most": 12}
CHECK = {
    "handle": "9f01",
    "ship": "Mikasa",
    "text": "fire check",
    "dice": [{"name": "black", "least": 1, "most": 12}],
    "more": False,
    "needs": ["7 or less fires"],
    "words": [],
}
"""An owed roll."""
FIRE = {
    "word": "fire",
    "title": "Fire",
    "ships": ["mikasa", "massena"],
    "slots": [
        {
            "name": "battery",
            "title": "battery",
            "kind": "choice",
            "options": [["heavy", "heavy"], ["light", "light"]],
            "optional": False,
            "known": {},
            "by": {"massena": ["light"]},
        },
        {
            "name": "target",
            "title": "target",
            "kind": "ship",
            "options": [["borodino", "Borodino"], ["boat-21", "Boat 21"]],
            "optional": False,
            "known": {},
            "by": {},
        },
        {
            "name": "range",
            "title": "range",
            "kind": "text",
            "options": [["long", "long"], ["pb", "pb"]],
            "by": {},
            "hint": "24in",
            "optional": True,
            "known": {"mikasa>borodino": "24in"},
        },
    ],
    "dice": [DIE, DIE],
}
"""An order that the seat may give."""


def build_slot(name: str, kind: str, *ids: str) -> dict[str, Any]:
    """Build a slot of an order whose options have their ids as titles."""
    return {
        "name": name,
        "title": name,
        "kind": kind,
        "options": [[id, id] for id in ids],
        "optional": True,
    }


def build_seat_state(**parts: object) -> dict[str, Any]:
    """Build the state of Anna's seat: let in, with a roll owed and an order to give."""
    return {
        "seat": "blue.anna",
        "player": "Anna",
        "side": "blue",
        "phase": "First gunnery",
        "turn": 1,
        "device": "in",
        "code": "4821",
        "dice": "table",
        "ships": [{"id": "mikasa", "name": "Mikasa"}, {"id": "massena", "name": "Massena"}],
        "owes": [CHECK],
        "may": [FIRE],
        "round": None,
        "proposals": [],
        **parts,
    }


def build_round(*declared: str) -> dict[str, Any]:
    """Build an open round of declarations, in which some players have declared."""
    missing = [name for name in ("Anna", "Boris") if name not in declared]
    key = "1/first-gunnery/1"
    return {
        "open": True,
        "key": key,
        "phase": "First gunnery",
        "declared": list(declared),
        "missing": missing,
    }


@define
class Seat:
    """A seat: the state that its page is sent, and the page's posts in their order.

    A `status` other than 200 answers each post. 0 takes the post without an answer, and -1 drops it.
    A post that is taken is listed as waiting unless `lists` is off.
    """

    state: dict[str, Any]
    status: int = 200
    why: str = ""
    lists: bool = True
    posts: list[tuple[str, Mapping[str, str], dict[str, Any]]] = field(factory=list)
    changed: Callable[[], None] = lambda: None

    def tell(self, **parts: object) -> None:
        """Change parts of the state and send it to the page."""
        self.state = {**self.state, **parts}
        self.changed()

    def decide(self, state: str, words: str = "") -> None:
        """Give all proposals a state, with a text for the player."""
        self.tell(proposals=[{**one, "state": state, "told": words} for one in self.state["proposals"]])

    @property
    def proposals(self) -> list[dict[str, Any]]:
        """The proposals without their ids and the fields of every post, once per post."""
        left_out = ("id", "token", "device")
        return [
            {name: value for name, value in body.items() if name not in left_out}
            for path, _, body in self.posts
            if path == "propose"
        ]

    @property
    def ids(self) -> list[str]:
        """The ids of the proposals, once per post."""
        return [body["id"] for path, _, body in self.posts if path == "propose"]

    def post(self, path: str, headers: Mapping[str, str], data: bytes) -> tuple[int, bytes]:
        """Record a post and return its status and answer."""
        body = json.loads(data)
        self.posts.append((path, headers, body))
        if self.status not in (200, 0):
            return self.status, json.dumps({"why": self.why}).encode()
        if path == "device":
            return 204, b""
        listed = self.state["proposals"]
        if self.lists and body["id"] not in [one["id"] for one in listed]:
            one = {"id": body["id"], "text": f"proposal {len(listed) + 1}", "state": "waiting", "told": ""}
            self.tell(proposals=[*listed, one])
        return self.status, b'{"state":"waiting"}'
