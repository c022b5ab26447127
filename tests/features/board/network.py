"""A network of its own for a test, in which cards get and lose addresses."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from shutil import which
from threading import get_native_id

import pytest

_NEW_NETWORK = 0x40000000
"""`CLONE_NEWNET` of Linux."""


@cache
def find_obstacle() -> str:
    """Return why a test cannot have a network of its own, or ""."""
    if sys.platform != "linux":
        return "only Linux has network namespaces"
    if os.geteuid() != 0:
        return "only root may make a network namespace"
    if which("ip") is None:
        return "the program `ip` is missing"
    making = ["unshare", "-n", "ip", *_format_new_card("w0").split()]
    done = subprocess.run(making, capture_output=True, check=False)
    return "" if done.returncode == 0 else "this system makes no network namespace with cards"


def _format_new_card(name: str) -> str:
    """Format the command of `ip` that makes a card, and another one that it is connected to."""
    return f"link add {name} type veth peer name {name}-far"


in_own_network = pytest.mark.skipif(bool(find_obstacle()), reason=find_obstacle())


@contextmanager
def enter_own_network() -> Iterator[None]:
    """Move this thread, and the processes it starts, to a network without cards inside the block."""
    system = ctypes.CDLL(None, use_errno=True)
    here = os.open(f"/proc/self/task/{get_native_id()}/ns/net", os.O_RDONLY)
    try:
        assert system.unshare(_NEW_NETWORK) == 0
        run_ip("link set lo up")
        yield
    finally:
        assert system.setns(here, _NEW_NETWORK) == 0
        os.close(here)


def run_ip(*commands: str) -> None:
    """Run commands of `ip`."""
    for command in commands:
        subprocess.run(["ip", *command.split()], check=True)


def add_card(name: str, address: str) -> None:
    """Add a card with an address, given with the length of its prefix."""
    run_ip(_format_new_card(name), f"link set {name} up", f"link set {name}-far up")
    run_ip(f"addr add {address} dev {name}")
