"""A disk with little room, as the kernel plays it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def grown_at_most(size: int) -> Iterator[None]:
    """The kernel lets files grow to so many bytes and no further: a short write first, then an error.

    Python does not notice a short write of bytecode, so what is imported meanwhile leaves none.
    """
    if sys.platform == "win32":
        pytest.skip("only Linux and macOS limit the size of files")
    import resource  # noqa: PLC0415 - only Linux and macOS have it

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = bytecode
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
