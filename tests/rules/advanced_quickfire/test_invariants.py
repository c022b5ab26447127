"""What holds of every battle of Advanced Quickfire, whatever is ordered and thrown."""

from attrs import frozen
from hypothesis import event, given
from hypothesis import strategies as st

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle, Owed
from qf_tui.session import Session
from tests.rules.advanced_quickfire.tables import battle, craft, played, ship

SHIPS = ("ajax", "boyne", "boat", "rook", "rival", "skiff")
RANGES = ("long", "medium", "pb", "3in", "30in")
KINDS = ("heavy", "light", "boats", "speed", "course")
COUNTS = ("rof_heavy", "rof_light", "boat_guns", "repair_points", "speed_hits", "speed_lost")
WORDS = ("none", "2", "S", "G", "fix", "E", "out", "12")
ANYWHERE = ("damage", "leave", "move", "repair")
DEEDS = {
    "movement": ("move", "move", "move", *ANYWHERE),
    "first-gunnery": ("fire", "fire", "declare", "boats", "force", *ANYWHERE),
    "second-gunnery": ("fire", "declare", "boats", "torpedo", "torpedo", "force", *ANYWHERE),
    "recurring": ANYWHERE,
    "repair": ("repair", "repair", *ANYWHERE),
    "sinking": ANYWHERE,
}


@frozen
class Deed:
    """What somebody does next; which order that is depends on the battle."""

    choice: int
    one: int
    other: int
    word: int
    faces: tuple[int, int, int]

    def kind(self, phase: str) -> str:
        """What it is, mostly something that the phase allows."""
        return DEEDS[phase][self.choice % len(DEEDS[phase])]

    def order(self, phase: str) -> str:
        """The order in words."""
        one, other = SHIPS[self.one], SHIPS[self.other]
        black, white, third = self.faces
        range = RANGES[self.word % len(RANGES)]
        kind = KINDS[self.word % len(KINDS)]
        battery = ("heavy", "light", "both")[self.word % 3]
        flag = ("", " end", " light-armor")[black % 3]
        orders = {
            "move": f"move {one} {black % 9}",
            "fire": f"fire {one} {battery} {other} {range}{flag} {black} {white}",
            "force": f"force fire {one} {battery} {other} {range} {black} {white}",
            "declare": f"fire {one} {battery} {other} {range}",
            "boats": f"boats {one} {other} {black} {white}" if third % 2 else f"boats {one} {other}",
            "torpedo": f"torpedo {one} {other} in converging {1 + black % 3} {white}",
            "repair": f"repair {one} {kind} {black}" if third % 3 else f"force repair {one} {kind} {black}",
            "damage": f"damage {one} {('G', 'SX', 'S S', 'E', 'D', 'T', 'B', 'R', 'F')[black % 9]}",
            "leave": f"leave {one} {('sunk', 'withdrawn')[black % 2]}",
        }
        return orders[self.kind(phase)]


FACES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
DEED = st.builds(Deed, st.integers(0, 9), st.integers(0, 5), st.integers(0, 5), st.integers(0, 14), FACES)
PHASES_PLAYED = st.lists(st.tuples(st.lists(DEED, max_size=8), FACES), min_size=6, max_size=20)


def start(strict: bool) -> Battle:
    """Six ships of every sort, frail enough that everything overflows."""
    return battle(
        ship("ajax", rof=(6, 9), repair=2),
        ship("boyne", boat_guns=0, torpedo=None, repair=0, protected=True),
        craft("boat", "blue"),
        ship("rook", "red", rof=(7, 7), boat_guns=1, repair=1),
        ship("rival", "red", gunnery=(0, 12), rof=(0, 8), torpedo=(21, 3)),
        craft("skiff", torpedo=None, boat_guns=0),
        phase="movement",
        strict=strict,
        one_roll="yes",
    )


def answer(owed: Owed, faces: tuple[int, ...], word: int) -> list[str]:
    """Orders of which one answers an owed question."""
    if owed.dice:
        thrown = " ".join(str(faces[at % 3]) for at in range(len(owed.dice)))
        return [f"roll {owed.key} {thrown}"]
    return [f"answer {owed.key} {WORDS[(word + at) % len(WORDS)]}" for at in range(len(WORDS))]


def settle(session: Session, faces: tuple[int, ...]) -> None:
    """Answers all that is owed, as far as it goes on."""
    for turn in range(200):
        if not session.battle.owed:
            return
        for order in answer(session.battle.owed[0], faces[turn % 3 :] + faces[: turn % 3], turn):
            if tried(session, order):
                break
        else:
            raise AssertionError(f"{session.battle.owed[0]} cannot be answered")
    raise AssertionError(f"answers bring up questions without end: {session.battle.owed}")


def tried(session: Session, order: str) -> bool:
    """Whether an order was accepted."""
    try:
        session.enter(order)
    except OrderRefused:
        return False
    return True


def check(battle: Battle) -> None:
    """Every invariant of a battle, as it stands and as its phase began."""
    for each in (*battle.ships.values(), *battle.start.ships.values()):
        assert all(each.count(field) >= 0 for field in COUNTS), each
        assert each.count("speed_hits") + min(8, each.count("speed_lost")) <= 8
        assert (each.log["torpedo_reload"] is None) is (each.card["torpedo.reload"] is None)
        assert each.count("torpedo_reload") >= 0
        assert each.count("rof_heavy") <= int(str(each.card["rof.heavy"]))
        assert each.count("rof_light") <= int(str(each.card["rof.light"]))
        assert each.count("boat_guns") <= int(str(each.card["boat_guns"]))
        assert each.count("repair_points") <= int(str(each.card["repair"]))
    keys = [owed.key for owed in battle.owed]
    assert len(set(keys)) == len(keys)
    sunk = {each.id for each in battle.ships.values() if each.status == "sunk"}
    assert not sunk & {owed.ship for owed in battle.owed if not owed.order}, "a forced shot alone is let pass"


@given(PHASES_PLAYED, st.booleans())
def test_random_battles_keep_the_log_sound_and_read_back_as_they_were_played(
    phases: list[tuple[list[Deed], tuple[int, int, int]]], strict: bool
) -> None:
    """Catches counts below nothing, a ninth box, ROF above the printed, double keys, and wrecks that act."""
    session, accepted = played(start(strict)), 0
    for deeds, faces in phases:
        for deed in deeds:
            acting, order = session.battle.ships[SHIPS[deed.one]], deed.order(session.battle.phase)
            if tried(session, order):
                accepted += 1
                assert acting.status != "sunk" or order.startswith(("force", "leave")), order
            check(session.battle)
        settle(session, faces)
        session.enter("next")
        check(session.battle)
    event(f"turn {session.battle.turn}, {accepted // 10 * 10} orders and more")
    assert opened(session.timeline.start, session.timeline.log).battle == session.timeline.battle
