"""The links to a board: a secret for each viewer, kept with the switch in a small file beside the save.

`NAME.board` is for its owner alone, and is no part of the save: whoever has a copy of that has no link. It is
followed by the board, so that another program may turn the switch or make new links.
"""

import json
import os
import re
from collections.abc import Iterable
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Self

from attrs import evolve, frozen

from qf_tui.board.addresses import PORT_MOST
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.core.errors import QfError
from qf_tui.journal.beside import BOARD
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words, name_of
from qf_tui.journal.reading import opened_plainly

SECRET_BYTES = 12
"""Of a secret: 96 bits by chance."""
FORMAT = 1
_MOST = 1 << 16
_SECRET = re.compile(r"[A-Za-z0-9_-]{16}")
_MINE = 0o600


@frozen
class Links:
    """The secret of each viewer, what they are shown, and the port that links name (0: none has yet)."""

    secrets: tuple[tuple[str, str], ...] = ()
    switch: BoardSwitch = BoardSwitch.AT_ONCE
    port: int = 0

    def for_sides(self, sides: Iterable[str]) -> Self:
        """With a secret for all, and one for each of these sides; those that are there stay."""
        known = dict(self.secrets)
        new = ((one, token_urlsafe(SECRET_BYTES)) for one in (ALL, *sides) if one not in known)
        return evolve(self, secrets=(*self.secrets, *new))

    def renewed(self) -> Self:
        """With other secrets: the links that were given away are worth nothing."""
        return evolve(self, secrets=tuple((one, token_urlsafe(SECRET_BYTES)) for one, _ in self.secrets))

    def turned(self) -> Self:
        """With the next position of the switch."""
        all_of_them = list(BoardSwitch)
        return evolve(self, switch=all_of_them[(all_of_them.index(self.switch) + 1) % len(all_of_them)])

    def viewer(self, secret: str) -> str | None:
        """Whose secret that is; it takes as long for a wrong one, wherever that is wrong."""
        given, found = secret.encode("utf-8", "replace"), None
        for viewer, one in self.secrets:
            if compare_digest(one.encode(), given):
                found = viewer
        return found

    def secret(self, viewer: str) -> str:
        """The secret of a viewer, "" for one that has none."""
        return dict(self.secrets).get(viewer, "")


def links_path(save: str | os.PathLike[str]) -> Path:
    """The file of the links of a save; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{BOARD}")


def keep_links(save: Path, links: Links) -> None:
    """Keeps the links of a save, whole or not at all; QfError if the disk refuses."""
    path = links_path(save)
    said = {"format": FORMAT, "switch": links.switch, "port": links.port, "links": dict(links.secrets)}
    try:
        write_whole(path, json.dumps(said, indent=1).encode() + b"\n", over=True, mode=_MINE)
    except (OSError, ValueError) as fault:
        raise QfError(f"{name_of(path)}: the links cannot be kept: {in_words(fault)}.") from None


def kept_links(save: Path) -> Links | None:
    """The links of a save, None if it has none yet; QfError for a file that holds none."""
    path = links_path(save)
    try:
        with opened_plainly(path) as file:
            said = json.loads(file.read(_MOST))
        return _read(said)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise QfError(f"{name_of(path)}: the links cannot be read: {in_words(fault)}.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise QfError(f"{name_of(path)}: no links. Delete it, and new ones are made.") from None


def _read(said: dict[str, Any]) -> Links:
    """Links from JSON; ValueError and the like if it holds none."""
    secrets, port = said["links"], said["port"]
    if said["format"] != FORMAT or not isinstance(secrets, dict) or type(port) is not int:
        raise ValueError
    values = list(secrets.values())
    if (
        len(set(values)) < len(values)
        or not all(map(_SECRET.fullmatch, values))
        or not 0 <= port <= PORT_MOST
    ):
        raise ValueError
    return Links(tuple(secrets.items()), BoardSwitch(said["switch"]), port)
