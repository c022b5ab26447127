"""The features at hand: those that come with the program, from the one list of them."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from qf_tui.hooks import DiceKind, Extra, Feature

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from qf_tui.hooks import DiceMaker

FEATURES = "qf_tui.features"


@cache
def find_features() -> tuple[Feature, ...]:
    """Load the values of the features that come with the program; one whose folder is gone is left out."""
    if find_spec(FEATURES) is None:
        return ()
    found = []
    for place in import_module(FEATURES).BUNDLED:
        module, _, name = place.partition(":")
        if find_spec(module) is None:
            continue
        feature: Feature = getattr(import_module(module), name)
        found.append(feature)
    return tuple(found)


def find_dice_kinds() -> list[DiceKind]:
    """List the kinds of dice that features throw."""
    return [feature.dice for feature in find_features() if feature.dice]


def find_dice(word: object = None, extra: "Container[str]" = ()) -> "DiceMaker | None":
    """Load what makes the dice that a scenario names, or that a header has; None for dice of the base."""
    kinds = (kind for kind in find_dice_kinds() if kind.word == word or kind.part in extra)
    return next((kind.load() for kind in kinds), None)


def find_extras() -> "dict[str, Extra]":
    """Return by name what features keep with the acts of a save."""
    return {extra.name: extra for feature in find_features() for extra in feature.extras}


def find_extra_fault(kept: "Mapping[str, object]") -> str:
    """Say what is wrong with the extras of an act, or ""; those that no feature knows are not looked at."""
    known = find_extras() if kept else {}
    faults = ((name, known[name].check(value)) for name, value in kept.items() if name in known)
    return next((f"its “{name}” {fault}" for name, fault in faults if fault), "")


def show_extras(kept: "Mapping[str, object]", viewer: str) -> "dict[str, object]":
    """Return what a viewer who is not the umpire may know of the extras of an act."""
    known = find_extras() if kept else {}
    shown = {name: known[name].show(value, viewer) for name, value in kept.items() if name in known}
    return {name: value for name, value in shown.items() if value is not None}
