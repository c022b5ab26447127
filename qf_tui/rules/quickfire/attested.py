"""What is stated of ships: by the example of the Quickfire chart guide, or by those of Advanced Quickfire.

These hold for what both games have alike: the guide has two of them too.
"""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.ratings import Attested
from qf_tui.rules.quickfire.rating import SAME
from qf_tui.rules.quickfire_family.attested import ATTESTED as ADVANCED

_GUIDE = {("massena", "gunnery.heavy"): "QF-EX-1", ("ohio", "armor.heavy"): "QF-EX-1"}
ATTESTED: Mapping[tuple[str, str], tuple[Attested, ...]] = {
    (navy, id): tuple(
        evolve(one, clause=_GUIDE.get((id, one.key), one.clause)) for one in stated if one.key in SAME
    )
    for (navy, id), stated in ADVANCED.items()
}
