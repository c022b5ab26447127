"""The links to a board: a secret for each viewer, kept with the switch in a small file beside the save.

`NAME.board` is readable by its owner alone and is no part of the save, so a copy of the save gives no link.
The board follows the file: another program may turn the switch or make new links.
"""

import errno
import json
import os
import re
import socket
from collections.abc import Iterable
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Self

from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.core.errors import QfError
from qf_tui.core.frozen import evolve, frozen
from qf_tui.journal.disk import BOARD, fault_words, name_of, open_plain_file, write_whole

HERE = "127.0.0.1"
"""The address that nobody else reaches."""
PORT = 8904
"""The port that is taken where it is free."""
PORT_MOST = 65_535
_ANYWHERE = ("192.0.2.1", "10.255.255.254", "192.168.255.254", "172.31.255.254")
"""Addresses that show which way leads out; nothing is sent to them."""
_HTTP = 80
_SEND_MOST = 1 << 16
"""Bytes that the system keeps for a reader who is slow."""
BACKLOG = 64


@frozen
class Address:
    """An address of this computer and a port."""

    host: str
    port: int

    @property
    def name(self) -> str:
        """What a browser calls it in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _HTTP else f"{host}:{self.port}"

    def link(self, secret: str) -> str:
        return f"http://{self.name}/{secret}/"


def lan_address() -> str:
    """The address by which others on the network reach this computer; QfError if it is on none."""
    for far in _ANYWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
            except OSError:
                continue
            address = str(probe.getsockname()[0])
            if not ip_address(address).is_loopback and not ip_address(address).is_unspecified:
                return address
    raise QfError("this computer is on no network. Join one, or name its address: --host ADDRESS")


def checked_host(text: str) -> str:
    """An address that a person names; QfError if it is none of one computer."""
    try:
        address = ip_address(text)
    except ValueError:
        raise QfError(f"--host {text}: give a numeric address, like 192.168.1.5") from None
    if address.is_unspecified or address.is_multicast or (address.is_reserved and not address.is_loopback):
        raise QfError(f"--host {text}: name one address of this computer; --lan finds it")
    return str(address)


def listening(host: str, port: int | None, kept: int = 0) -> tuple[socket.socket, Address]:
    """A socket that listens: at `port`, else at that of the links made before, else at any that is free.

    QfError if that cannot be had.
    """
    tries = [port] if port is not None else [kept] if kept else [PORT, 0]
    for at in tries:
        made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_MOST)
        try:
            made.bind((host, at))
            made.listen(BACKLOG)
        except (OSError, OverflowError) as fault:
            made.close()
            if at is tries[-1]:
                raise QfError(_why(host, at, fault)) from None
        else:
            made.setblocking(False)
            return made, Address(host, made.getsockname()[1])
    raise AssertionError


def _why(host: str, port: int, fault: Exception) -> str:
    number = fault.errno if isinstance(fault, OSError) else 0
    if number == errno.EADDRINUSE:
        return f"port {port} is taken, perhaps by another board: stop that, or choose another with --port N"
    if number == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this computer; --lan finds the one it has"
    return f"cannot listen at {host}, port {port}: {getattr(fault, 'strerror', None) or fault}"


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
        return evolve(
            self, secrets=tuple((viewer, token_urlsafe(SECRET_BYTES)) for viewer, _ in self.secrets)
        )

    def turned(self) -> Self:
        """With the next position of the switch."""
        all_of_them = list(BoardSwitch)
        return evolve(self, switch=all_of_them[(all_of_them.index(self.switch) + 1) % len(all_of_them)])

    def viewer(self, secret: str) -> str | None:
        """Whose secret that is; it takes as long for a wrong one, wherever that is wrong."""
        given, found = secret.encode("utf-8", "replace"), None
        for viewer, own in self.secrets:
            if compare_digest(own.encode(), given):
                found = viewer
        return found

    def secret(self, viewer: str) -> str:
        """The secret of a viewer, "" for one that has none."""
        return dict(self.secrets).get(viewer, "")


def links_path(save: str | os.PathLike[str]) -> Path:
    """The file of the links of a save; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{BOARD}")


def save_links(save: Path, links: Links) -> None:
    """Keeps the links of a save, whole or not at all; QfError if the disk refuses."""
    path = links_path(save)
    fields = {"format": FORMAT, "switch": links.switch, "port": links.port, "links": dict(links.secrets)}
    try:
        write_whole(path, json.dumps(fields, indent=1).encode() + b"\n", over=True, mode=_MINE)
    except (OSError, ValueError) as fault:
        raise QfError(f"{name_of(path)}: the links cannot be saved: {fault_words(fault)}.") from None


def load_links(save: Path) -> Links | None:
    """The links of a save, None if it has none yet; QfError for a file that holds none."""
    path = links_path(save)
    try:
        with open_plain_file(path) as file:
            fields = json.loads(file.read(_MOST))
        return _read(fields)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise QfError(f"{name_of(path)}: the links cannot be read: {fault_words(fault)}.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise QfError(f"{name_of(path)}: not a file of links. Delete it, and new ones are made.") from None


def _read(fields: dict[str, Any]) -> Links:
    """Links from JSON; ValueError and the like if it holds none."""
    secrets, port = fields["links"], fields["port"]
    if fields["format"] != FORMAT or not isinstance(secrets, dict) or type(port) is not int:
        raise ValueError
    values = list(secrets.values())
    if (
        len(set(values)) < len(values)
        or not all(map(_SECRET.fullmatch, values))
        or not 0 <= port <= PORT_MOST
    ):
        raise ValueError
    return Links(tuple(secrets.items()), BoardSwitch(fields["switch"]), port)
