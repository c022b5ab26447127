"""The grounds of random battles, by rule system."""

from collections.abc import Mapping

from tests.corrections import (
    on_advanced_quickfire,
    on_book,
    on_gq2,
    on_quickfire,
    on_quickfire_clone,
    on_tiny,
)
from tests.corrections.ground import Ground

GROUNDS: Mapping[str, Ground] = {
    each.GROUND.system.name: each.GROUND
    for each in (on_advanced_quickfire, on_quickfire, on_quickfire_clone, on_gq2)
}
WITH_TINY: Mapping[str, Ground] = {**GROUNDS, "tiny": on_tiny.GROUND, "book": on_book.GROUND}
"""The grounds with the made-up system and book, whose battles go through many turns."""
