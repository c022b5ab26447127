"""The addresses of this computer at which phones can reach a board, and the socket that listens there.

The address that phones most likely reach comes first.
"""

import errno
import re
import socket
from ipaddress import ip_address
from operator import itemgetter

from attrs import frozen

from qf_tui.core.errors import QfError

HERE = "127.0.0.1"
"""Address that only this computer can reach."""
PORT = 8904
"""Port used if it is free."""
PORT_MOST = 65_535
ANYWHERE = "0.0.0.0"
"""Address of a listener that accepts connections at every address of this computer."""
_HTTP = 80
_SEND_MOST = 1 << 16
"""Largest number of bytes that the system buffers for a slow reader."""
BACKLOG = 64
_NETWORK_MOST = 30
"""Longest prefix, in bits, of a network that has addresses for phones."""
_VIRTUAL = re.compile(
    r"^(br-|cali|cni|docker|flannel|ipsec|lxc|lxd|podman|ppp|tap|tun|utun|veth|virbr|vmnet|vnet|wg|zt)|"
    # Windows names its own mobile hot spot a "Wi-Fi Direct Virtual Adapter".
    r"(?<!direct )virtual|hyper-v|nordlynx|tailscale|tap-|tunnel|vbox|vmware|vpn|wireguard|wsl|zerotier"
)
"""Names of cards that lead to no phone: of virtual machines, containers and VPNs."""


@frozen
class Address:
    """An address of this computer, with a port.

    Attributes:
        host: Numeric address.
        port: Port.
        card: Name of the network card that has the address, or "" if it does not matter.
    """

    host: str
    port: int
    card: str = ""

    @property
    def name(self) -> str:
        """The name that a browser sends in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _HTTP else f"{host}:{self.port}"

    @property
    def label(self) -> str:
        """The address and its card, for the umpire; the port is in each link."""
        return f"{self.host} ({self.card})" if self.card else self.host

    def format_link(self, secret: str) -> str:
        """Format the link of a viewer or player with this secret."""
        return f"http://{self.name}/{secret}/"


def list_addresses(host: str, port: int) -> tuple[Address, ...]:
    """List the addresses at which a listener can be reached now.

    Args:
        host: Address of the listener; for `ANYWHERE`, list the IPv4 addresses of all network cards except
            loopback, first the one that phones most likely reach; none if the cards cannot be read.
        port: Port of the listener.
    """
    if host != ANYWHERE:
        return (Address(host, port),)
    # Imported late: only a board that others can reach needs it.
    from ifaddr import get_adapters

    try:
        cards = [*get_adapters()]
    except OSError:
        return ()
    ranked = [
        (
            rank_address(card.nice_name, str(ip.ip), ip.network_prefix),
            Address(str(ip.ip), port, card.nice_name),
        )
        for card in cards
        for ip in card.ips
        if ip.is_IPv4 and not ip_address(str(ip.ip)).is_loopback
    ]
    return tuple(address for _, address in sorted(ranked, key=itemgetter(0)))


def rank_address(card: str, host: str, prefix: int) -> tuple[int, ...]:
    """Return the rank of an IPv4 address; addresses with a lower rank are shown first.

    Home networks come first, then other private, public and link-local addresses. Those of virtual cards and
    tunnels come after all others. `prefix` is the length of the network's prefix, in bits.
    """
    address = ip_address(host)
    # A tunnel leads to one other computer, so its network has no room for phones.
    is_virtual = prefix > _NETWORK_MOST or _VIRTUAL.search(card.casefold()) is not None
    if address.is_link_local:
        kind = 3
    elif address.is_private:
        # Routers and hot spots for a few phones mostly give 192.168 addresses.
        kind = 0 if host.startswith("192.168.") else 1
    else:
        kind = 2
    return is_virtual, kind, int(address)


def check_host(text: str) -> str:
    """Check an address that a user typed, and return it in its shortest form.

    Raises:
        QfError: It is not the numeric address of one computer.
    """
    try:
        address = ip_address(text)
    except ValueError:
        raise QfError(f"--host {text}: give a numeric address, like 192.168.1.5") from None
    # The loopback address of IPv6 counts as reserved too.
    if address.is_unspecified or address.is_multicast or (address.is_reserved and not address.is_loopback):
        raise QfError(f"--host {text}: name one address of this computer; --lan finds it")
    return str(address)


def open_listener(host: str, port: int | None, previous_port: int = 0) -> tuple[socket.socket, Address]:
    """Open a socket that listens.

    Args:
        host: Address to listen at.
        port: Port to use, or None to use `previous_port`; if that is 0, the usual port or any free one.
        previous_port: Port of the links made before, or 0.

    Raises:
        QfError: The port or the address cannot be used.
    """
    default_ports = [previous_port] if previous_port else [PORT, 0]
    ports = default_ports if port is None else [port]
    for tried_port in ports:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        # On Windows, `SO_REUSEADDR` would let another program take the port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_MOST)
        try:
            listener.bind((host, tried_port))
            listener.listen(BACKLOG)
        except (OSError, OverflowError) as fault:
            listener.close()
            if tried_port is ports[-1]:
                raise QfError(_explain_fault(host, tried_port, fault)) from None
        else:
            listener.setblocking(False)
            return listener, Address(host, listener.getsockname()[1])
    # The loop returns or raises at the last port.
    raise AssertionError


def is_taken(host: str, port: int) -> bool:
    """Return whether no socket can listen at a port, for example because another program does."""
    try:
        open_listener(host, port)[0].close()
    except QfError:
        return True
    return False


def _explain_fault(host: str, port: int, fault: Exception) -> str:
    """Format why no socket can listen at a port, and what to do."""
    number = fault.errno if isinstance(fault, OSError) else 0
    if number == errno.EADDRINUSE:
        return f"port {port} is taken, perhaps by another board: stop that, or choose another with --port N"
    if number == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this computer; --lan finds the one it has"
    return f"cannot listen at {host}, port {port}: {getattr(fault, 'strerror', None) or fault}"
