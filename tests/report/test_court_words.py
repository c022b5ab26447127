"""What the rules court says of a reading."""

import pytest

from qf_tui.analysis.court import Changed, Standing, Variant, Verdict
from qf_tui.core.timeline import State, opened
from qf_tui.document.court import short_text, verdict_text
from tests.corrections.scripts import two_a_side

TOLD = Standing(State.STANDS, ("misses",))


@pytest.mark.parametrize(
    ("parked", "short"),
    [
        (2, "same end · 1 entry otherwise · 2 orders refused"),
        (3, "nobody can say: 3 orders refused · same end · 1 entry otherwise"),
    ],
)
def test_where_a_quarter_of_the_entries_is_refused_nobody_can_say(parked: int, short: str) -> None:
    timeline = opened(two_a_side(), ())
    verdict = Verdict(
        Variant("refire_by", "ship"),
        changed=(Changed(8, TOLD, TOLD),),
        parked=tuple(range(1, parked + 1)),
        entries=11,
    )
    assert short_text(timeline, verdict) == short
    assert verdict_text(timeline, verdict).startswith("nobody can say") is (parked == 3)
