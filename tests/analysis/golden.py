"""The golden battles as timelines, played once."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from attrs import frozen

from qf_tui.cli.opening import open_battle
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.session import Session
from tests.golden.test_golden import BATTLES, scenario


@frozen(eq=False, slots=False)
class Golden:
    """A golden battle, played when it is first asked for."""

    orders: Path

    @cached_property
    def session(self) -> Session:
        session = open_battle(scenario(self.orders))
        for line in self._lines():
            session.enter(line)
        return session

    @property
    def system(self) -> RuleSystem:
        return self.session.system

    @property
    def timeline(self) -> Timeline:
        return self.session.timeline

    def _lines(self) -> Iterator[str]:
        for line in self.orders.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                yield line


GOLDEN: Mapping[str, Golden] = {orders.stem: Golden(orders) for orders in BATTLES}
