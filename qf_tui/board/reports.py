"""The report of a battle for those who look on: worked out by another process, once for each act."""

import asyncio
import sys

from qf_tui.board.hub import Hub

LONGEST_S = 300
"""Seconds after which nobody waits for a report any more."""


class NoReport(Exception):
    """A report could not be worked out; says so to whoever waits."""


class Reports:
    """The report that each viewer was given last, and the wait for it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[str, tuple[object, str]] = {}
        self._one = asyncio.Lock()

    def has(self, viewer: str) -> bool:
        """Whether there is a report for a viewer now."""
        shown = self._hub.shown(viewer)
        return shown is not None and shown[0].report

    async def html(self, viewer: str) -> str | None:
        """The report of what a viewer may know, as a page; None where he may not read it, or no longer.

        One process works at a time, and all who ask wait for it; NoReport if there can be none.
        """
        async with self._one:
            follower, switch = self._hub.follower, self._hub.links.switch
            of = follower.battle_id, len(follower.timeline.log), switch
            if not self.has(viewer):
                return None
            if self._kept.get(viewer, ("", ""))[0] != of:
                self._kept[viewer] = of, await _worked_out(str(follower.path), viewer, switch)
            html = self._kept[viewer][1]
        return html if self.has(viewer) and self._hub.links.switch is switch else None


async def _worked_out(save: str, viewer: str, switch: str) -> str:
    words = ("-m", "qf_tui", "report", save, "--html", "--under-board", viewer, switch)
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
