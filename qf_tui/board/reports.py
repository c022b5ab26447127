"""The report of a battle for those who look on: worked out by another process, once for each act."""

import asyncio
import sys
from contextlib import suppress

from qf_tui.board.hub import Hub
from qf_tui.board.process import ENDS_S

LONGEST_S = 300
"""Seconds after which nobody waits for a report any more."""
Of = tuple[str, int, str]


class NoReport(Exception):
    """A report could not be worked out; says so to whoever waits."""


class Reports:
    """The report that each viewer was given last, and the wait for it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[str, tuple[Of, str]] = {}
        self._one = asyncio.Lock()

    def has(self, viewer: str) -> bool:
        """Whether there is a report for a viewer now."""
        shown = self._hub.view(viewer)
        return shown is not None and shown.report

    async def html(self, viewer: str) -> str | None:
        """The report of a battle as a viewer may know it, as a page; None for one who may not, or no more.

        One process works at a time, and all who ask wait for it; NoReport if there can be none.
        """
        async with self._one:
            follower, switch = self._hub.follower, self._hub.links.switch
            of = follower.battle_id, len(follower.timeline.log), switch.value
            if self.has(viewer) and self._kept.get(viewer, ("", ""))[0] != of:
                self._kept[viewer] = of, await _worked_out(str(follower.path), viewer, switch.value)
        return self._kept[viewer][1] if self.has(viewer) and self._hub.links.switch is switch else None


async def _worked_out(save: str, viewer: str, switch: str) -> str:
    words = ("-m", "qf_tui", "report", save, "--html", "--board", viewer, switch)
    pipe, nobody = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *words), stdin=pipe, stdout=pipe, stderr=nobody
    )
    assert process.stdin is not None
    try:
        # It ends with its input, that is with whoever holds that, however he ends.
        out = await asyncio.wait_for(_all_of(process), LONGEST_S)
    except TimeoutError:
        raise NoReport("the report takes too long") from None
    finally:
        if process.returncode is None:
            process.stdin.close()
            asyncio.get_running_loop().call_later(ENDS_S, _kill, process)
    if process.returncode:
        raise NoReport("the report could not be worked out; try again later")
    return out.decode("utf-8", "replace")


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


async def _all_of(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    out = await process.stdout.read()
    await process.wait()
    return out
