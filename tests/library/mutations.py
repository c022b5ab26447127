"""Random changes of files that people write."""

from copy import deepcopy
from random import Random
from typing import Any

Document = dict[str, Any]

VALUES: tuple[Any, ...] = (
    *(True, False, 0, 1, -1, 0.5, 3.7, 99, 1000, 10**14, 1e300, float("nan"), float("inf")),
    *("", "x", "mikasa", "lion", "12", "-", "S G", "night", "[/", "a\nb", "\x1b[31m", "\u202e"),
    *([], {}, [1], ["x"], [999, 999], [0, 0, 0, 0, 0], {"x": 1}, [[[[]]]]),
)


def mutate(document: Document, random: Random, times: int) -> Document:
    """Copy a document and leave out, rename, move or replace some of its values."""
    document = deepcopy(document)
    for _ in range(times):
        _mutate_place(document, random)
    return document


def _mutate_place(document: Document, random: Random) -> None:
    node, key = random.choice(list_places(document) or [(document, "x")])
    how = random.random()
    if how < 0.2:
        node.pop(key, None) if isinstance(node, dict) else node.pop(key)
    elif how < 0.3 and isinstance(node, dict):
        node[random.choice([*node, "x", f"{key}s"])] = node.pop(key, 1)
    elif how < 0.4 and isinstance(node, list):
        node.insert(key, deepcopy(node[key]))
    elif how < 0.55:
        other, place = random.choice(list_places(document) or [(document, "x")])
        node[key] = deepcopy(other[place]) if other else 1
    else:
        node[key] = deepcopy(random.choice(VALUES))


def list_places(node: Any) -> list[tuple[Any, Any]]:
    """List every value: the table or list that holds it, and its key there."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    return [found for key in keys for found in ((node, key), *list_places(node[key]))]
