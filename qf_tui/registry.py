"""Finds all features (the bundled ones, and those of other packages), and their kinds of dice and extras.

Other packages declare their features as entry points. The search for these takes longer than drawing the
first screen, so it comes after that screen, or when a name is needed that no bundled feature has.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from qf_tui.hooks import DiceKind, Extra, Feature

TYPE_CHECKING = False  # to import `typing` takes half as long as to print the help
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from qf_tui.hooks import DiceMaker

FEATURES = "qf_tui.features"


_OTHERS: list[Feature] = []
"""The features of other packages that were found so far."""


def find_features() -> tuple[Feature, ...]:
    """Return the bundled features, then those of other packages that `search_features` has found so far."""
    return (*load_bundled(), *_OTHERS)


@cache
def load_bundled() -> tuple[Feature, ...]:
    """Load the features that come with the program; leave out a feature whose folder was deleted."""
    if find_spec(FEATURES) is None:
        # The folder of all features was deleted.
        return ()
    features = []
    for place in import_module(FEATURES).BUNDLED:
        module, _, name = place.partition(":")
        if find_spec(module) is None:
            continue
        feature: Feature = getattr(import_module(module), name)
        features.append(feature)
    return tuple(features)


@cache
def search_features() -> tuple[str, ...]:
    """Search other packages for features, and add each one that can be loaded to the registry.

    Only the first call searches; later calls return its result.

    Returns:
        One message for each feature that cannot be loaded.
    """
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
            reason = f"{type(error).__name__}: {error}; fix or uninstall its package"
            faults.append(f"the feature {point.name} ({point.value}) cannot be loaded: {reason}")
        else:
            _OTHERS.append(feature)
    return tuple(faults)


def find_dice_kinds() -> list[DiceKind]:
    """List the kinds of dice that features add."""
    return [feature.dice for feature in find_features() if feature.dice]


def load_dice_maker(word: object = None, extra: "Collection[str]" = ()) -> "DiceMaker | None":
    """Load the maker of the dice that a scenario or the header of a save names.

    If no known feature has dice for a part of the header, other packages are searched first.

    Args:
        word: The scenario's word for its dice, or None.
        extra: The keys of the extra parts of a save's header.

    Returns:
        The maker, or None if the base makes these dice.
    """
    if extra and not any(kind.part in extra for kind in find_dice_kinds()):
        search_features()
    kinds = (kind for kind in find_dice_kinds() if kind.word == word or kind.part in extra)
    return next((kind.load() for kind in kinds), None)


def find_extras() -> "dict[str, Extra]":
    """Return the extras of all features, by name."""
    return {extra.name: extra for feature in find_features() for extra in feature.extras}


def find_extra_fault(extras: "Mapping[str, object]") -> str:
    """Return the first fault in the extras of an act, or "" if there is none.

    If no known feature has an extra of this name, other packages are searched for one. An extra that remains
    unknown is not checked.

    Args:
        extras: Value of each extra, by name.
    """
    if extras.keys() - find_extras().keys():
        search_features()
    known = find_extras()
    faults = ((name, known[name].check(value)) for name, value in extras.items() if name in known)
    return next((f"its “{name}” {fault}" for name, fault in faults if fault), "")


def show_extras(extras: "Mapping[str, object]", viewer: str) -> "dict[str, object]":
    """Return what a player may know of an act's extras, by name.

    Extras that he may not know, and those of no known feature, are left out.

    Args:
        extras: The extras of the act, by name.
        viewer: The side of the player.
    """
    known = find_extras() if extras else {}
    shown = {name: known[name].show(value, viewer) for name, value in extras.items() if name in known}
    return {name: value for name, value in shown.items() if value is not None}
