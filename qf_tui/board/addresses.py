"""Where a board is reached: the address of this computer on its network, and a socket there."""

import errno
import socket
from ipaddress import ip_address

from attrs import frozen

from qf_tui.core.errors import QfError

HERE = "127.0.0.1"
"""The address that nobody else reaches."""
PORT = 8904
"""The port that is taken where it is free."""
PORT_MOST = 65_535
_ANYWHERE = ("192.0.2.1", "10.255.255.254", "192.168.255.254", "172.31.255.254")
"""Addresses by whose way out the own one is found; nothing is sent to them."""
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
        """A link of it."""
        return f"http://{self.name}/{secret}/"


def lan_address() -> str:
    """The address by which others on the network reach this computer; QfError if it is on none."""
    for far in _ANYWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            try:
                asked.connect((far, 9))
            except OSError:
                continue
            found = str(asked.getsockname()[0])
            if not ip_address(found).is_loopback and not ip_address(found).is_unspecified:
                return found
    raise QfError("this computer is on no network. Join one, or name its address: --host ADDRESS")


def checked_host(text: str) -> str:
    """An address that a person names; QfError if it is none of one computer."""
    try:
        found = ip_address(text)
    except ValueError:
        raise QfError(f"--host {text}: an address in figures is wanted, as 192.168.1.5") from None
    if found.is_unspecified or found.is_multicast or (found.is_reserved and not found.is_loopback):
        raise QfError(f"--host {text}: name one address of this computer; --lan finds it")
    return str(found)


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
        return f"port {port} is taken, perhaps by a board that runs: end that, or take another: --port N"
    if number == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this computer; --lan finds the one that it has"
    return f"{host}, port {port}, cannot be had: {getattr(fault, 'strerror', None) or fault}"
