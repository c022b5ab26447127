"""The links to a board: a secret for each viewer and for each player, kept in a small file beside the save.

`NAME.board` is readable by its owner alone and is no part of the save, so a copy of the save gives no link.
The board follows the file: another program may turn the switch, make new links, or let a device in.
"""

import errno
import hmac
import json
import os
import re
import socket
from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Self

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.text import identifier
from qf_tui.core.values import Battle, Ship
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.journal.codec import decoded, encoded
from qf_tui.journal.disk import BOARD, fault_words, name_of, open_plain_file, write_whole
from qf_tui.journal.lines import object_of, whole

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


def is_taken(host: str, port: int) -> bool:
    """Return whether another program listens at a port."""
    try:
        listening(host, port)[0].close()
    except QfError:
        return True
    return False


def _why(host: str, port: int, fault: Exception) -> str:
    number = fault.errno if isinstance(fault, OSError) else 0
    if number == errno.EADDRINUSE:
        return f"port {port} is taken, perhaps by another board: stop that, or choose another with --port N"
    if number == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this computer; --lan finds the one it has"
    return f"cannot listen at {host}, port {port}: {getattr(fault, 'strerror', None) or fault}"


SECRET_BYTES = 12
"""Of a secret: 96 bits by chance."""
FORMAT = 2
_MOST = 1 << 17
_SECRET = re.compile(r"[A-Za-z0-9_-]{16}")
_DEVICE = re.compile(r"([0-9a-f]{32})?")
_MINE = 0o600


def device_digest(device: str) -> str:
    """What is kept of the key that a phone made for itself."""
    return sha256(device.encode()).hexdigest()[:32]


def device_code(device: str) -> str:
    """Four digits of a device, by its digest: they are compared by eye."""
    return f"{int(device[:12], 16) % 10_000:04}" if device else ""


def token_of(secret: str) -> str:
    """What the page of a link sends with all that it sends; it is worth nothing at another link."""
    return hmac.new(secret.encode(), b"page", sha256).hexdigest()[:32]


@frozen
class Seat:
    """A player's link: for his own ships he may propose, from the one `device` that the umpire let in.

    `id` is that of his side and of his name in it; `ships` were handed to him one by one; `device` is the
    digest of its key ("": none yet).
    """

    id: str
    side: str
    name: str
    ships: tuple[str, ...] = ()
    secret: str = ""
    device: str = ""


def seat_id(side: str, player: str) -> str:
    """The id of the seat of a player."""
    return f"{side}.{identifier(player)}"


def _players(battle: Battle) -> dict[str, tuple[str, str]]:
    """Who has a seat in a battle: his side and his name by the seat's id."""
    every = [
        (side.id, player)
        for side in battle.sides
        for player in [each.player for each in side.divisions if each.player] or [side.name]
    ]
    return {seat_id(*one): one for one in reversed(every)}


def _plays(battle: Battle, ship: Ship) -> str:
    """The seat of who plays a ship that was handed to nobody; "" for nobody's."""
    side, player = battle.side(ship.side), battle.division_of(ship).player
    nobody = side is not None and not any(division.player for division in side.divisions)
    return seat_id(ship.side, side.name if side is not None and nobody else player)


@frozen
class Links:
    """The secret of each viewer, what they are shown, and the port that links name (0: none has yet).

    `propose`: the links of `seats` are there, and may propose. `rolls`: what they throw for owed rolls as
    they were seen enters by itself.
    """

    secrets: Mapping[str, str] = field(factory=dict)
    switch: BoardSwitch = BoardSwitch.AT_ONCE
    port: int = 0
    propose: bool = False
    rolls: bool = False
    seats: tuple[Seat, ...] = ()

    def for_sides(self, sides: Iterable[str]) -> Self:
        """With a secret for all, and one for each of these sides; those that are there stay."""
        new = {one: token_urlsafe(SECRET_BYTES) for one in (ALL, *sides) if one not in self.secrets}
        return evolve(self, secrets={**self.secrets, **new})

    def with_seats(self, battle: Battle) -> Self:
        """With a seat for each player of a battle, and for a side without one; those that are there stay."""
        known, players = {seat.id for seat in self.seats}, reversed(_players(battle).items())
        new = (
            Seat(id, side, name, secret=token_urlsafe(SECRET_BYTES))
            for id, (side, name) in players
            if id not in known
        )
        return evolve(self, seats=(*self.seats, *new))

    def seats_in(self, battle: Battle) -> tuple[Seat, ...]:
        """The seats of those who have a part in a battle, in the order of its sides."""
        return tuple(seat for side in battle.sides for seat in self.seats if seat.side == side.id)

    def ships_of(self, seat: Seat, battle: Battle) -> tuple[str, ...]:
        """The ships of a seat: those of its player and those handed to it, less those handed to another."""
        handed = {ship: other.id for other in self.seats for ship in other.ships}
        own = (ship for ship in battle.ships.values() if ship.side == seat.side)
        return tuple(ship.id for ship in own if handed.get(ship.id, _plays(battle, ship)) == seat.id)

    def handed(self, ship: str, seat: str) -> Self:
        """With a ship handed to the seat of that id, by whomever she was played before."""
        left = (
            evolve(one, ships=tuple(id for id in one.ships if id != ship) + (ship,) * (one.id == seat))
            for one in self.seats
        )
        return evolve(self, seats=tuple(left))

    def revoking(self, seat: str) -> Self:
        """With a new link for a seat, and no device: the old one is worth nothing."""
        return self._with(seat, secret=token_urlsafe(SECRET_BYTES), device="")

    def letting_in(self, seat: str, device: str) -> Self:
        """With the one device of a seat, by its digest."""
        return self._with(seat, device=device)

    def _with(self, seat: str, **changes: Any) -> Self:
        changed = (evolve(one, **changes) if one.id == seat else one for one in self.seats)
        return evolve(self, seats=tuple(changed))

    def renewed(self) -> Self:
        """With other secrets: the links that were given away are worth nothing."""
        secrets = {viewer: token_urlsafe(SECRET_BYTES) for viewer in self.secrets}
        seats = tuple(evolve(seat, secret=token_urlsafe(SECRET_BYTES)) for seat in self.seats)
        return evolve(self, secrets=secrets, seats=seats)

    def turned(self) -> Self:
        """With the next position of the switch."""
        all_of_them = list(BoardSwitch)
        return evolve(self, switch=all_of_them[(all_of_them.index(self.switch) + 1) % len(all_of_them)])

    def viewer(self, secret: str) -> str | None:
        """Whose secret that is; it takes as long for a wrong one, wherever that is wrong."""
        given, found = secret.encode("utf-8", "replace"), None
        for viewer, own in self.secrets.items():
            if compare_digest(own.encode(), given):
                found = viewer
        return found

    def seat(self, secret: str) -> Seat | None:
        """Whose seat that secret is of, while players may propose; as `viewer`."""
        given, found = secret.encode("utf-8", "replace"), None
        for seat in self.seats:
            if compare_digest(seat.secret.encode(), given):
                found = seat
        return found if self.propose else None

    def secret(self, viewer: str) -> str:
        """The secret of a viewer, "" for one that has none."""
        return self.secrets.get(viewer, "")


def links_path(save: str | os.PathLike[str]) -> Path:
    """The file of the links of a save; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{BOARD}")


def save_links(save: Path, links: Links) -> None:
    """Keeps the links of a save, whole or not at all; QfError if the disk refuses."""
    path = links_path(save)
    fields = {
        "format": FORMAT,
        "switch": links.switch,
        "port": links.port,
        "links": links.secrets,
        "propose": links.propose,
        "rolls": links.rolls,
        "seats": encoded(links.seats, tuple[Seat, ...]),
    }
    try:
        write_whole(path, json.dumps(fields, indent=1).encode() + b"\n", over=True, mode=_MINE)
    except (OSError, ValueError) as fault:
        raise QfError(f"{name_of(path)}: the links cannot be saved: {fault_words(fault)}.") from None


def load_links(save: Path) -> Links | None:
    """The links of a save, None if it has none yet; QfError for a file that holds none."""
    path = links_path(save)
    try:
        with open_plain_file(path) as file:
            return _read(json.loads(file.read(_MOST)))
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise QfError(f"{name_of(path)}: the links cannot be read: {fault_words(fault)}.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise QfError(f"{name_of(path)}: not a file of links. Delete it, and new ones are made.") from None


def links_of(save: Path, battle: Battle) -> Links:
    """Return the links of a battle with a seat for each player, and what is kept of them."""
    try:
        links = load_links(save) or Links()
    except QfError:
        links = Links()
    return links.with_seats(battle)


def _read(raw: object) -> Links:
    """Links from JSON; ValueError and the like if it holds none."""
    body = object_of(raw)
    written_as, secrets = whole(body.pop("format")), body.pop("links")
    links: Links = decoded(Links, {**body, "secrets": secrets})
    values = [*links.secrets.values(), *(seat.secret for seat in links.seats)]
    if (
        written_as not in (1, FORMAT)
        or not {"switch", "port"} <= body.keys()
        or len(set(values)) < len(values)
        or not all(map(_SECRET.fullmatch, values))
        or not all(_DEVICE.fullmatch(seat.device) for seat in links.seats)
        or len({seat.id for seat in links.seats}) < len(links.seats)
        or not 0 <= links.port <= PORT_MOST
    ):
        raise ValueError
    return links
