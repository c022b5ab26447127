"""What the ships of a division can do of a move that some of them cannot make."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.possible_orders import shared_out
from qf_tui.core.values import Battle
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import voluntary
from qf_tui.rules.quickfire_family.moves import prepare_move, read_move
from qf_tui.rules.quickfire_family.ship import BOXES


def possible_moves(game: Game, battle: Battle, order: Order) -> tuple[Order, ...]:
    """A move of several ships as each can make it: the boxes nearest to those asked, the fewer first.

    Where logs count the distance itself it is the nearest whole unit within the ship's limits.
    """

    def nearest(alone: Order) -> Iterator[Order]:
        move = read_move(game, battle, battle.ships[alone.many("ships")[0]], alone)
        if game.measured:
            least, most = voluntary(game, battle, move.ship)
            amount = ceil(least) if move.distance < least else floor(most)
            yield alone.with_slot("distance", Distance(Fraction(amount), game.measures(battle).unit))
        else:
            for boxes in sorted(range(BOXES + 1), key=lambda one: (abs(one - move.boxes), one)):
                yield alone.with_slot("distance", boxes)

    def accepted(one: Order) -> bool:
        return not prepare_move(game, battle, one).findings

    return shared_out(order, "ships", accepted, nearest)
