"""The features at hand: those that come with the program, from the one list of them, and those of others.

Those of others are entry points, which take longer to look through than the first screen to draw: they are
searched once something is asked for that nobody here knows, and once the first screen is there.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from qf_tui.hooks import DiceKind, Extra, Feature

TYPE_CHECKING = False  # typing takes as long to load as half of the help
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from qf_tui.hooks import DiceMaker

FEATURES = "qf_tui.features"


_OTHERS: list[Feature] = []
"""The features of other packages, as far as they were searched."""


def find_features() -> tuple[Feature, ...]:
    """Return the features that come with the program, and behind them those of others that are known."""
    return (*load_bundled(), *_OTHERS)


@cache
def load_bundled() -> tuple[Feature, ...]:
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


@cache
def search_features() -> tuple[str, ...]:
    """Add the features that other packages bring; return what is wrong with those that cannot be had."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    faults = []
    for point in entry_points(group=FEATURES):
        try:
            feature = point.load()
            if not isinstance(feature, Feature):
                raise TypeError(f"it is a {type(feature).__name__}")
            if feature.name in (other.name for other in find_features()):
                raise TypeError("another one has its name")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever others wrote, the base goes on
            why = f"{type(error).__name__}: {error}; fix or uninstall its package"
            faults.append(f"the feature {point.name} ({point.value}) cannot be loaded: {why}")
        else:
            _OTHERS.append(feature)
    return tuple(faults)


def find_dice_kinds() -> list[DiceKind]:
    """List the kinds of dice that features throw."""
    return [feature.dice for feature in find_features() if feature.dice]


def find_dice(word: object = None, extra: "Collection[str]" = ()) -> "DiceMaker | None":
    """Load what makes the dice that a scenario names, or that a header has; None for dice of the base."""
    if extra and not any(kind.part in extra for kind in find_dice_kinds()):
        search_features()
    kinds = (kind for kind in find_dice_kinds() if kind.word == word or kind.part in extra)
    return next((kind.load() for kind in kinds), None)


def find_extras() -> "dict[str, Extra]":
    """Return by name what features keep with the acts of a save."""
    return {extra.name: extra for feature in find_features() for extra in feature.extras}


def find_extra_fault(kept: "Mapping[str, object]") -> str:
    """Say what is wrong with the extras of an act, or ""; those that no feature knows are not looked at."""
    if kept.keys() - find_extras().keys():
        search_features()
    known = find_extras()
    faults = ((name, known[name].check(value)) for name, value in kept.items() if name in known)
    return next((f"its “{name}” {fault}" for name, fault in faults if fault), "")


def show_extras(kept: "Mapping[str, object]", viewer: str) -> "dict[str, object]":
    """Return what a viewer who is not the umpire may know of the extras of an act."""
    known = find_extras() if kept else {}
    shown = {name: known[name].show(value, viewer) for name, value in kept.items() if name in known}
    return {name: value for name, value in shown.items() if value is not None}
