"""The schedule and the conditions of victory of a scenario, kept while it is set up anew.

Nobody edits them there; they follow the divisions and sides that they name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from qf_tui.core.text import identifier
from qf_tui.library.plans import SCHEDULE, VICTORY
from qf_tui.library.setup.drafts import Draft, DraftDivision, DraftSide

Document = dict[str, Any]


def due_of(division: str, side: str, schedule: Sequence[Mapping[str, Any]]) -> int | None:
    """The place in a schedule where a division arrives; None for one that is there at the start."""
    ids = (identifier(division), f"{identifier(side)}-{identifier(division)}")
    named = ([identifier(name) for name in item.get("arrives", [])] for item in schedule)
    return next((place for place, names in enumerate(named) if set(ids) & set(names)), None)


def plan_document(draft: Draft) -> Document:
    """What a draft's scenario says of later, as its divisions and sides are called."""
    schedule = [*_items(draft)]
    victory = [*_conditions(draft)]
    return {
        **({SCHEDULE: schedule} if schedule else {}),
        **({VICTORY: victory} if victory else {}),
    }


def _items(draft: Draft) -> Iterator[Document]:
    """The items of the schedule, without those of which nothing is left."""
    ids = Counter(id for side in draft.sides for id in _ids(side))
    for place, item in enumerate(cast(Sequence[Document], draft.table.get(SCHEDULE, ()))):
        arrives = [
            _called(division, side, ids)
            for side in draft.sides
            for division in side.divisions
            if division.due == place and division.ships
        ]
        rest = {key: value for key, value in item.items() if key != "arrives"}
        if arrives or item.keys() & {"table", "note"}:
            yield {**rest, **({"arrives": arrives} if arrives else {})}


def _ids(side: DraftSide) -> set[str]:
    """The ids of a side and of its divisions, each once."""
    return {identifier(side.name), *(identifier(one.name or side.name) for one in side.divisions)}


def _called(division: DraftDivision, side: DraftSide, ids: Mapping[str, int]) -> str:
    """A division by its name, or by its id where another side has that name too."""
    name = division.name or side.name
    return f"{identifier(side.name)}-{identifier(name)}" if ids[identifier(name)] > 1 else name


def _conditions(draft: Draft) -> Iterator[Document]:
    """The conditions of victory whose sides are still there, by the names that these have."""
    names = {side.was: side.name for side in draft.sides if side.was}
    for one in cast(Sequence[Document], draft.table.get(VICTORY, ())):
        side, of = (names.get(identifier(str(one[key]))) for key in ("side", "of"))
        if side and of:
            yield {**one, "side": side, "of": of}
