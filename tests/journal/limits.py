"""A disk with little room, as the kernel plays it."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def grown_at_most(size: int) -> Iterator[None]:
    """The kernel lets files grow to so many bytes and no further: a short write first, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
