"""The secret links to a board, one for each viewer and each player, in a small file next to the save.

`NAME.board` is readable only by its owner and is not part of the save, so a copy of the save gives no link.
The board follows the file: another program may change which logs are shown, make new links, or let a device
in.
"""

import hmac
import json
import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Self

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.text import make_id
from qf_tui.core.values import Battle, Ship
from qf_tui.features.board.addresses import PORT_MOST
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.journal.codec import decode_value, encode_value
from qf_tui.journal.disk import BOARD, format_disk_fault, format_file_name, open_without_waiting, write_file
from qf_tui.journal.lines import read_object, read_whole

SECRET_BYTES = 12
"""Bytes of a secret: 96 random bits."""
FORMAT = 2
_MOST = 1 << 17
_SECRET = re.compile(r"[A-Za-z0-9_-]{16}")
_DEVICE = re.compile(r"([0-9a-f]{32})?")
_MINE = 0o600


def compute_device_digest(device: str) -> str:
    """Return the digest of a phone's key; only the digest is stored."""
    return sha256(device.encode()).hexdigest()[:32]


def format_device_code(device: str) -> str:
    """Return four digits for a device's digest, to be compared by eye; "" without a device."""
    return f"{int(device[:12], 16) % 10_000:04}" if device else ""


def compute_token(secret: str) -> str:
    """Return the token that the page of a player's link sends with each message; no other link accepts it."""
    return hmac.new(secret.encode(), b"page", sha256).hexdigest()[:32]


@frozen
class Seat:
    """A player's link, from which one device may propose orders for his ships.

    Attributes:
        id: Id, made of the side and the player's name.
        side: Id of the side.
        name: Name of the player.
        ships: Ids of ships that the umpire handed to him one by one.
        secret: Secret of the link.
        device: Digest of the key of the device that the umpire let in, or "".
    """

    id: str
    side: str
    name: str
    ships: tuple[str, ...] = ()
    secret: str = ""
    device: str = ""


def build_seat_id(side: str, player: str) -> str:
    """Return the id of a player's seat."""
    return f"{side}.{make_id(player)}"


def _list_players(battle: Battle) -> dict[str, tuple[str, str]]:
    """Return side and name of each player in a battle, by the id of his seat, the last player first.

    A side without named players counts as one player.
    """
    players = [
        (side.id, player)
        for side in battle.sides
        for player in [division.player for division in side.divisions if division.player] or [side.name]
    ]
    # Reversed, so that of two players with the same id the first counts.
    return {build_seat_id(*side_and_player): side_and_player for side_and_player in reversed(players)}


def _find_player_seat(battle: Battle, ship: Ship) -> str:
    """Return the id of the seat of the player who commands a ship's division.

    A side without named players has one seat. If a side has players, but the ship's division has none, the id
    belongs to no seat.
    """
    side, player = battle.find_side(ship.side), battle.find_division(ship).player
    is_one_player = side is not None and not any(division.player for division in side.divisions)
    return build_seat_id(ship.side, side.name if side is not None and is_one_player else player)


@frozen
class Links:
    """The links of a save.

    Attributes:
        secrets: Secret of each viewer; the key is a side, or "" for all.
        switch: Position of the switch for what the links show.
        port: Port in the links, or 0 if none has been used yet.
        propose: True if the links of `seats` are valid and may propose.
        rolls: True if a player's owed roll enters without the umpire when everything is as he saw it.
        seats: Links of the players.
    """

    secrets: Mapping[str, str] = field(factory=dict)
    switch: BoardSwitch = BoardSwitch.AT_ONCE
    port: int = 0
    propose: bool = False
    rolls: bool = False
    seats: tuple[Seat, ...] = ()

    def add_sides(self, sides: Iterable[str]) -> Self:
        """Return links with a secret for all and for each of these sides; present secrets are kept."""
        new_secrets = {
            viewer: token_urlsafe(SECRET_BYTES) for viewer in (ALL, *sides) if viewer not in self.secrets
        }
        return evolve(self, secrets={**self.secrets, **new_secrets})

    def add_seats(self, battle: Battle) -> Self:
        """Return links with a seat for each player of a battle; present seats are kept."""
        present_ids = {seat.id for seat in self.seats}
        new_seats = (
            Seat(id, side, name, secret=token_urlsafe(SECRET_BYTES))
            # `_list_players` has the last player first.
            for id, (side, name) in reversed(_list_players(battle).items())
            if id not in present_ids
        )
        return evolve(self, seats=(*self.seats, *new_seats))

    def list_seats(self, battle: Battle) -> tuple[Seat, ...]:
        """Return the seats of the sides of a battle, in the order of its sides."""
        return tuple(seat for side in battle.sides for seat in self.seats if seat.side == side.id)

    def list_ships(self, seat: Seat, battle: Battle) -> tuple[str, ...]:
        """Return the ids of a seat's ships.

        These are the ships of the player's divisions without those handed to others, and those handed to him.
        """
        seat_by_handed_ship = {ship: holder.id for holder in self.seats for ship in holder.ships}
        side_ships = (ship for ship in battle.ships.values() if ship.side == seat.side)
        return tuple(
            ship.id
            for ship in side_ships
            if seat_by_handed_ship.get(ship.id, _find_player_seat(battle, ship)) == seat.id
        )

    def hand_ship(self, ship: str, seat: str) -> Self:
        """Return links with a ship handed to a seat; any other seat loses her."""
        seats = (
            evolve(
                other_seat,
                ships=(
                    *(id for id in other_seat.ships if id != ship),
                    *([ship] if other_seat.id == seat else []),
                ),
            )
            for other_seat in self.seats
        )
        return evolve(self, seats=tuple(seats))

    def revoke_seat(self, seat: str) -> Self:
        """Return links with a new secret for a seat and no device; the old link stops working."""
        return self._change_seat(seat, secret=token_urlsafe(SECRET_BYTES), device="")

    def let_device_in(self, seat: str, device: str) -> Self:
        """Return links in which this device, given by its digest, is the one device of a seat."""
        return self._change_seat(seat, device=device)

    def _change_seat(self, seat: str, **changes: Any) -> Self:
        """Return links in which the seat with this id has other values."""
        changed_seats = (
            evolve(other_seat, **changes) if other_seat.id == seat else other_seat
            for other_seat in self.seats
        )
        return evolve(self, seats=tuple(changed_seats))

    def renew_secrets(self) -> Self:
        """Return links with new secrets for all viewers and players; the old links stop working."""
        secrets = {viewer: token_urlsafe(SECRET_BYTES) for viewer in self.secrets}
        seats = tuple(evolve(seat, secret=token_urlsafe(SECRET_BYTES)) for seat in self.seats)
        return evolve(self, secrets=secrets, seats=seats)

    def turn_switch(self) -> Self:
        """Return links with the next position of the switch; after the last comes the first."""
        positions = list(BoardSwitch)
        return evolve(self, switch=positions[(positions.index(self.switch) + 1) % len(positions)])

    def find_viewer(self, secret: str) -> str | None:
        """Return the viewer that a secret belongs to, or None.

        Every secret is compared, so that the time taken does not reveal how much of a wrong secret is right.
        """
        given_secret, owner = secret.encode("utf-8", "replace"), None
        for viewer, viewer_secret in self.secrets.items():
            if compare_digest(viewer_secret.encode(), given_secret):
                owner = viewer
        return owner

    def find_seat(self, secret: str) -> Seat | None:
        """Return the seat that a secret belongs to, or None; always None while players may not propose.

        Every secret is compared, for the reason given in `find_viewer`.
        """
        given_secret, owner = secret.encode("utf-8", "replace"), None
        for seat in self.seats:
            if compare_digest(seat.secret.encode(), given_secret):
                owner = seat
        return owner if self.propose else None

    def find_secret(self, viewer: str) -> str:
        """Return the secret of a viewer, or "" if there is none."""
        return self.secrets.get(viewer, "")


def find_links_path(save: str | os.PathLike[str]) -> Path:
    """Return the path of a save's links file; all names of one save give the same path."""
    return Path(f"{os.path.realpath(save)}{BOARD}")


def save_links(save: Path, links: Links) -> None:
    """Write the links of a save, completely or not at all.

    Raises:
        QfError: The file cannot be written.
    """
    path = find_links_path(save)
    fields = {
        "format": FORMAT,
        "switch": links.switch,
        "port": links.port,
        "links": links.secrets,
        "propose": links.propose,
        "rolls": links.rolls,
        "seats": encode_value(links.seats, tuple[Seat, ...]),
    }
    try:
        write_file(path, json.dumps(fields, indent=1).encode() + b"\n", over=True, mode=_MINE)
    except (OSError, ValueError) as fault:
        raise QfError(
            f"{format_file_name(path)}: the links cannot be saved: {format_disk_fault(fault)}."
        ) from None


def load_links(save: Path) -> Links | None:
    """Read the links of a save, or return None if it has none yet.

    Raises:
        QfError: The file cannot be read or holds no links.
    """
    path = find_links_path(save)
    try:
        with open_without_waiting(path) as file:
            return _read_links(json.loads(file.read(_MOST)))
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise QfError(
            f"{format_file_name(path)}: the links cannot be read: {format_disk_fault(fault)}."
        ) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise QfError(
            f"{format_file_name(path)}: not a file of links. Delete it, and new ones are made."
        ) from None


def load_links_with_seats(save: Path, battle: Battle) -> Links:
    """Read the links of a save and add a seat for each player of the battle.

    A faulty file counts as empty.
    """
    try:
        links = load_links(save) or Links()
    except QfError:
        links = Links()
    return links.add_seats(battle)


def _read_links(raw: object) -> Links:
    """Build links from JSON.

    Raises:
        ValueError: The data holds no valid links. Decoding may raise other errors, such as KeyError.
    """
    body = read_object(raw)
    has_known_format = read_whole(body.pop("format")) in (1, FORMAT)
    secrets = body.pop("links")
    links: Links = decode_value(Links, {**body, "secrets": secrets})
    has_fields = has_known_format and {"switch", "port"} <= body.keys()
    all_secrets = [*links.secrets.values(), *(seat.secret for seat in links.seats)]
    has_good_secrets = len(set(all_secrets)) == len(all_secrets) and all(map(_SECRET.fullmatch, all_secrets))
    has_good_devices = all(_DEVICE.fullmatch(seat.device) for seat in links.seats)
    has_good_seats = len({seat.id for seat in links.seats}) == len(links.seats)
    has_good_port = 0 <= links.port <= PORT_MOST
    if not (has_fields and has_good_secrets and has_good_devices and has_good_seats and has_good_port):
        raise ValueError
    return links
