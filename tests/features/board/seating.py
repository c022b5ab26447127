"""A seat without the board's own server: what it is told is set by hand, what is posted is kept."""

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
"""A roll that is owed."""
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
"""An order that may be given."""


def choice_slot(name: str, kind: str, *ids: str) -> dict[str, Any]:
    """A slot of some kind whose options are called as their ids."""
    return {
        "name": name,
        "title": name,
        "kind": kind,
        "options": [[id, id] for id in ids],
        "optional": True,
    }


def told(**parts: object) -> dict[str, Any]:
    """What a seat is told: Anna's, let in, with a roll owed and an order to give."""
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


def open_round(*declared: str) -> dict[str, Any]:
    """Declarations that are open, and who has declared."""
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
    """One seat: what its page is told, and what it posted, in the order in which it came.

    While `status` is not 200 a post is answered with that; 0: with nothing, though it is taken; -1: with
    nothing, and not taken. What is taken is listed as waiting unless `lists` is off.
    """

    told: dict[str, Any]
    status: int = 200
    why: str = ""
    lists: bool = True
    posts: list[tuple[str, Mapping[str, str], dict[str, Any]]] = field(factory=list)
    changed: Callable[[], None] = lambda: None

    def tell(self, **parts: object) -> None:
        """Tells the page something else."""
        self.told = {**self.told, **parts}
        self.changed()

    def became(self, state: str, words: str = "") -> None:
        """Tells what became of all that was proposed."""
        self.tell(proposals=[{**one, "state": state, "told": words} for one in self.told["proposals"]])

    @property
    def proposals(self) -> list[dict[str, Any]]:
        """What was proposed, without the ids and what every post holds; each as often as it was posted."""
        left_out = ("id", "token", "device")
        return [
            {name: value for name, value in body.items() if name not in left_out}
            for path, _, body in self.posts
            if path == "propose"
        ]

    @property
    def ids(self) -> list[str]:
        """The ids of what was proposed, each as often as it was posted."""
        return [body["id"] for path, _, body in self.posts if path == "propose"]

    def post(self, path: str, headers: Mapping[str, str], data: bytes) -> tuple[int, bytes]:
        """The answer to a post."""
        body = json.loads(data)
        self.posts.append((path, headers, body))
        if self.status not in (200, 0):
            return self.status, json.dumps({"why": self.why}).encode()
        if path == "device":
            return 204, b""
        listed = self.told["proposals"]
        if self.lists and body["id"] not in [one["id"] for one in listed]:
            one = {"id": body["id"], "text": f"proposal {len(listed) + 1}", "state": "waiting", "told": ""}
            self.tell(proposals=[*listed, one])
        return self.status, b'{"state":"waiting"}'
