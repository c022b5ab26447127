"""The report of a battle for those who look on: worked out by another process, once for each act."""

import asyncio
import sys

from qf_tui.session.following import Follower

LONGEST_S = 300
"""Seconds after which nobody waits for a report any more."""


class NoReport(Exception):
    """A report could not be worked out; says so to whoever waits."""


class Reports:
    """The report that was worked out last, and the wait for it."""

    def __init__(self) -> None:
        self._of: tuple[str, int] | None = None
        self._html = ""
        self._one = asyncio.Lock()

    async def html(self, follower: Follower) -> str:
        """The report of a battle as it stands, as a page; NoReport if there can be none.

        One process works at a time, and all who ask wait for it.
        """
        async with self._one:
            of = follower.battle_id, len(follower.timeline.log)
            if self._of != of:
                self._html = await _worked_out(follower)
                self._of = of
            return self._html


async def _worked_out(follower: Follower) -> str:
    words = ("-m", "qf_tui", "report", str(follower.path), "--html", "--under-board")
    pipe = asyncio.subprocess.PIPE  # its input, which it ends with, stays open until it is done
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *words), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        out = await asyncio.wait_for(process.stdout.read(), LONGEST_S)
        await process.wait()
    except TimeoutError:
        raise NoReport("the report takes too long") from None
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise NoReport("the report could not be worked out; try again later")
    return out.decode("utf-8", "replace")
