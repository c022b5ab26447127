"""A disk with little room, simulated by the kernel."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Limit the size of files in bytes: the kernel first writes short, then fails.

    Python does not notice a short write of bytecode, so imports write none meanwhile.
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
