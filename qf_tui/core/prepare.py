"""An order entry on a battle: parsed, made ready by the rules, and with the owed question that it answers."""

from attrs import frozen

from qf_tui.core.acts import ANSWERS, Version
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.builtin_orders import owed_in_words, prepare_builtin
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Effect, fold
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.naming import find_ship
from qf_tui.core.orders import Order
from qf_tui.core.parsing import parse
from qf_tui.core.system import PreparedOrder, RuleSystem
from qf_tui.core.values import Battle, Die, Owed, Ship, replace


@frozen
class PreparedEntry:
    """An order parsed and made ready, with the owed question that it answers, if it answers one.

    `asked` are the effects that bring the question up, where only the end of the phase would ask it. `typed`: its
    dice stand in its text. `arrivals` are the ships that it brings.
    """

    order: Order
    prepared: PreparedOrder
    question: Owed | None = None
    asked: tuple[Effect, ...] = ()
    typed: bool = False
    arrivals: tuple[Ship, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """All faces that bear on it, those thrown before included."""
        return (*(self.question.faces if self.question else ()), *self.order.dice)

    @property
    def missing(self) -> tuple[Die, ...]:
        return self.prepared.missing(self.faces)


def prepare_entry(
    system: RuleSystem, battle: Battle, version: Version, *, early: bool = False
) -> PreparedEntry:
    """Parses an order and makes it ready; OrderRefused if it is no order of this battle.

    With `early` it may answer what the end of the phase will ask: a late answer stands before that end.
    """
    battle = _with_arrivals(battle, version)
    parsed = parse(version.order, all_forms(system), battle)
    order = replace(parsed, forced=version.forced, dice=parsed.dice or version.dice)
    if order.word not in ANSWERS:
        own = any(form.word == order.word for form in system.forms)
        ready = (
            system.prepare(battle, order) if own else prepare_builtin(system, battle, order, version.overlay)
        )
        joining = () if own or order.word != "join" else order.many("ships")
        arrivals = tuple(battle.reserve[id] for id in joining)
        return PreparedEntry(order, ready, typed=bool(parsed.dice), arrivals=arrivals)
    asked = _asked_by_leaving(system, battle, order.text("key")) if early else ()
    battle = fold(battle, asked, 0)
    question = _question(battle, order)
    keyed = replace(order, slots={**order.slots, "key": question.key})
    if order.word == "roll":
        ready = system.prepare_roll(battle, question)
    else:
        words = _in_full(battle, question, order.many("words"))
        ready = system.prepare_answer(battle, question, words)
        keyed = replace(keyed, slots={**keyed.slots, "words": words})
    return PreparedEntry(keyed, ready, question, asked, bool(parsed.dice))


def _with_arrivals(battle: Battle, version: Version) -> Battle:
    """The battle with the ships that an order brings among those that may join."""
    arrivals = {ship.id: ship for ship in version.arrivals if ship.id not in battle.ships}
    return replace(battle, reserve={**battle.reserve, **arrivals}) if arrivals else battle


def answered(system: RuleSystem, battle: Battle, version: Version) -> tuple[Version, Owed] | None:
    """The owed question that an order answers, and the order with its key in full; None for any other order."""
    order = parse(version.order, all_forms(system), _with_arrivals(battle, version))
    if order.word not in ANSWERS:
        return None
    question = _question(battle, order)
    keyed = replace(order, slots={**order.slots, "key": question.key})
    return replace(version, order=keyed.resolved, dice=order.dice or version.dice), question


def _in_full(battle: Battle, question: Owed, words: tuple[str, ...]) -> tuple[str, ...]:
    """An answer whose first words begin one of those that the question offers, or a ship among them, in full."""
    offered = question.words
    first = words[0].casefold() if words else ""
    begun = (first,) if first in offered else tuple(word for word in offered if word.startswith(first))
    if len(begun) == 1:
        return (*begun, *words[1:])
    ships = [battle.ships[word] for word in offered if word in battle.ships]
    if not (first and ships):
        return words
    try:
        id, used = find_ship(list(words), ships)
    except OrderRefused:
        return words
    return (id, *words[used:])


def _asked_by_leaving(system: RuleSystem, battle: Battle, key: str) -> tuple[Effect, ...]:
    """What the end of the phase asks, if that question is not owed yet and is among it."""
    if not key or battle.question(key) is not None:
        return ()
    entry = key.partition("/")[0]
    builder = DecisionBuilder(battle, int(entry) if entry.isascii() and entry.isdigit() else 0)
    system.leave(battle, builder, False)
    return builder.decision().effects if builder.battle.question(key) is not None else ()


def _question(battle: Battle, order: Order) -> Owed:
    """The owed question that a `roll` or `answer` is about."""
    wants_dice = order.word == "roll"
    fitting = [owed for owed in battle.owed if bool(owed.dice) == wants_dice]
    key = order.text("key")
    if not key and fitting:
        return fitting[0]
    found = battle.question(key)
    if found in fitting and found is not None:
        return found
    if found is not None:
        raise OrderRefused(
            impossible(f"{key} wants {'dice: roll' if found.dice else 'words: answer'} {key} ...")
        )
    listed = owed_in_words(battle)
    what = "nothing is owed" if not listed else f"not owed; owed is {listed}"
    raise OrderRefused(impossible(f"{key or order.word}: {what}"))


def check_dice(entry: PreparedEntry) -> None:
    """OrderRefused for a face that no such die has, and for more dice than the order can need."""
    dice, faces = entry.prepared.dice, entry.faces
    if len(faces) > len(dice):
        most = ", ".join(str(die) for die in dice) or "none"
        raise OrderRefused(impossible(f"too many dice: {len(faces)} given, wanted at most {most}"))
    for die, face in zip(dice, faces, strict=False):
        if face not in die.faces:
            article = "an" if str(face).startswith("8") or face in (11, 18) else "a"
            faces_are = f"its faces are {die.least} to {die.most}"
            raise OrderRefused(impossible(f"{article} {face} on the {die}: {faces_are}"))
