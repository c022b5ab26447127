"""The features at hand: those that come with the program, from the one list of them."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from qf_tui.hooks import Feature

FEATURES = "qf_tui.features"


@cache
def find_features() -> tuple[Feature, ...]:
    """Load the values of the features that come with the program; () in a tree without them."""
    if find_spec(FEATURES) is None:
        return ()
    found = []
    for place in import_module(FEATURES).BUNDLED:
        module, _, name = place.partition(":")
        feature: Feature = getattr(import_module(module), name)
        found.append(feature)
    return tuple(found)
