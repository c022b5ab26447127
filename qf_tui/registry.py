"""The features at hand: those that come with the program, from the one list of them."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from qf_tui.hooks import DiceKind, Feature

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from collections.abc import Container

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
