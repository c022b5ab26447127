"""Tables of a book: odds worked out by hand, their effects, and other features that use them."""

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from qf_tui.core.decisions import DecisionBuilder, with_overlay
from qf_tui.core.errors import OrderRefused
from qf_tui.core.values import AFLOAT, SUNK, Chart, ChartCell, ChartRow, replace
from qf_tui.features.court.court import Variant, build_baseline, list_switch_values, replay
from qf_tui.features.report.story import analyse
from qf_tui.features.report.values import LeftOut
from qf_tui.features.simulation.jobs import play_here
from qf_tui.features.simulation.simulate import Question, build_spec, list_pairs, simulate_battles
from qf_tui.library.books import load_book
from qf_tui.library.charts import load_overlay
from qf_tui.library.faults import FileFaults
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from tests.book import convoys
from tests.book.rivers import BOOK, FILE, START, TO_FIRE, TO_RAM, copy_book, play

TENTH = "fire dubuque general-breck 10in"
SECOND = "fire keokuk-belle general-breck 10in"


def share(ways: int, every: int = 36) -> Fraction:
    """Return the odds of these ways of two dice; sums 2 to 12 have 1 2 3 4 5 6 5 4 3 2 1 ways."""
    return Fraction(ways, every)


BY_HAND = [
    # Two dice unchanged: one more for shot 6 at armor 4, one less for two guns.
    # To 12 inches: 7-8 (11 ways) costs 1, 9-10 (7) costs 1 and a roll, 11-12 (3) costs 2 and a roll.
    ((*TO_FIRE,), TENTH, {"effect": share(21), "hull lost": share(11 + 7 + 6), "roll inside": share(10)}),
    # Nothing added: shot 5 is not more than armor 6, and armor 6 not two more than shot 5.
    # To 6 inches: 5-6 (9) costs 1; 7-8 (11) 1, 9-10 (7) 2 and 11-12 (3) 3, each with a roll.
    (
        (*TO_FIRE,),
        "fire general-breck dubuque 5in",
        {"effect": share(30), "hull lost": share(9 + 11 + 14 + 9), "roll inside": share(21)},
    ),
    # Two less: armor 6 is two more than shot 2, and she fires end-on. To 24 inches 9 or more costs 1.
    (
        (*TO_FIRE,),
        "fire cotton-plant dubuque 20in end-on",
        {"effect": share(3), "hull lost": share(3), "roll inside": share(0)},
    ),
    # Two more, for her shot and for a target aground: 3-4 (5) costs 1, 5-6 (9) 1 and a roll, 7-8 (11) 2 and a
    # roll, 9 or more (10) 3 and two rolls.
    (
        ("shoal yazoo-queen 2", *TO_FIRE),
        "fire keokuk-belle yazoo-queen 6in",
        {"effect": share(35), "hull lost": share(5 + 9 + 22 + 30), "roll inside": share(30)},
    ),
    # The same at a hull of 3, the most that a broadside costs.
    (
        ("shoal yazoo-queen 2", *TO_FIRE, "mark yazoo-queen hull 3"),
        "fire keokuk-belle yazoo-queen 6in",
        {"effect": share(35), "hull lost": share(66), "roll inside": share(30), "sunk": share(10)},
    ),
    # Her die minus the other's, plus one for speed 8; differences of 0 to 5 fall in 6 5 4 3 2 1 ways.
    # 1 or 2 (9) makes 2-3: 2; 3 to 5 (6) makes 4 or more: 4 and one of her own; -3 or less (6): her own.
    (
        (*TO_RAM,),
        "ram yazoo-queen keokuk-belle square",
        {"effect": share(21), "hull lost": share(9 * 2 + 6 * 4), "self hull lost": share(6 + 6)},
    ),
    # When slanting, the same dice cost 1 or 2, and her nothing.
    (
        (*TO_RAM,),
        "ram red-wing prairie-hen slanting",
        {"effect": share(15), "hull lost": share(9 + 6 * 2)},
    ),
    # With one boiler of three her speed counts for 4, and nothing is added: 2 or 3 (7) costs 2, 4 or 5 (3)
    # costs 4 and her 1; -2 or less (10) costs her 1.
    (
        (*TO_RAM, "mark yazoo-queen boilers 1"),
        "ram yazoo-queen keokuk-belle square",
        {"effect": share(20), "hull lost": share(7 * 2 + 3 * 4), "self hull lost": share(10 + 3)},
    ),
    # At speed 8, the third column: 1-2 sinks the launch, a 6 costs 3.
    (
        (*TO_RAM,),
        "spar firefly yazoo-queen",
        {"effect": share(3, 6), "self sunk": share(2, 6), "hull lost": share(3, 6)},
    ),
    # At speed 4, the second: a 5 costs 3 and a 6 costs 4.
    ((*TO_RAM,), "spar firefly general-breck", {"effect": share(2, 6), "hull lost": share(3 + 4, 6)}),
    # At low water a 1 grounds her and costs 1, a 2 or 3 grounds her.
    ((), "shoal red-wing", {"effect": share(3, 6), "aground": share(3, 6), "hull lost": share(1, 6)}),
    # Two more for a launch: only a 1 makes 3. Results that cost hull or sink her are out of reach.
    (
        (),
        "shoal firefly",
        {"effect": share(1, 6), "aground": share(1, 6), "hull lost": share(0), "sunk": share(0)},
    ),
]


@pytest.mark.parametrize(("before", "order", "figures"), BY_HAND, ids=[order for _, order, _ in BY_HAND])
def test_the_odds_equal_those_worked_out_by_hand(
    before: tuple[str, ...], order: str, figures: dict[str, Fraction]
) -> None:
    preview = play(before).preview_order(order)
    assert not preview.findings
    assert {chance.label: chance.value for chance in preview.chances} == figures


def test_the_needed_dice_are_shown_next_to_the_odds() -> None:
    (needed,) = play(TO_FIRE).preview_order(TENTH).needs
    assert str(needed) == "has effect on total 7 or more"


@pytest.mark.parametrize(
    ("orders", "ship", "stands"),
    [
        ((*TO_FIRE, f"{TENTH} 5 4"), "general-breck", {"hull": 8, "owed": ("inside",)}),
        ((*TO_FIRE, f"{TENTH} 5 4", "roll 4"), "general-breck", {"hull": 8, "blaze": 1}),
        ((*TO_FIRE, f"{TENTH} 5 4", "roll 6", "roll 5"), "general-breck", {"guns": 3, "hull": 8}),
        (
            (*TO_FIRE, "mark general-breck blaze 1", f"{TENTH} 5 4", "roll 6", "roll 6"),
            "general-breck",
            {"status": SUNK, "owed": ()},
        ),
        # A fire of the same phase does not count for the powder below (RI-4).
        (
            (*TO_FIRE, f"{TENTH} 5 4", "roll 4", f"{SECOND} 5 4", "roll 6", "roll 6"),
            "general-breck",
            {"status": AFLOAT, "blaze": 1, "owed": ()},
        ),
        ((*TO_FIRE, f"{TENTH}", "roll 6 6"), "general-breck", {"hull": 7, "owed": ("inside",)}),
        ((*TO_RAM, "ram red-wing dubuque square 1 6"), "red-wing", {"hull": 3}),
        ((*TO_RAM, "spar firefly general-breck 2"), "firefly", {"spars": 0, "status": AFLOAT}),
        ((*TO_RAM, "spar firefly red-wing 2"), "firefly", {"spars": 0, "status": SUNK}),
        (("option river high", "shoal dubuque 2"), "dubuque", {"aground": 0}),
        (("shoal dubuque 2",), "dubuque", {"aground": 1}),
        (("mark dubuque blaze 2", "next", "next", "next", "roll 5"), "dubuque", {"blaze": 1}),
        (("mark dubuque blaze 2", "next", "next", "next", "roll 4"), "dubuque", {"blaze": 2, "hull": 6}),
    ],
)
def test_a_result_of_a_table_is_applied(
    orders: tuple[str, ...], ship: str, stands: dict[str, object]
) -> None:
    battle = play(orders).battle
    found = battle.ships[ship]
    for name, value in stands.items():
        if name == "owed":
            assert tuple(owed.line for owed in battle.owed) == value
        elif name == "status":
            assert found.status == value
        else:
            assert (found.count(name) or len(found.live(name))) == value


def test_the_reasons_name_dice_modifiers_and_clause() -> None:
    session = play((*TO_FIRE, f"{TENTH} 5 4"))
    reason = session.timeline.rulings[2].decision.reasons[0]
    assert (reason.roll, reason.result, reason.clause, reason.chart) == (
        "5 4 +1 (shot > target.armor) -1 (guns < 3) = 9",
        "hull 1, roll inside",
        "RI-1",
        "attested",
    )


@pytest.mark.parametrize(
    ("before", "order", "words"),
    [
        ((*TO_FIRE,), "fire dubuque general-breck 30in 5 4", "no column for 30in; known: 6in, 12in, 24in"),
        ((*TO_FIRE,), "fire dubuque general-breck 30cm 5 4", "measured in inches"),
        ((*TO_RAM,), "ram yazoo-queen keokuk-belle", "how she strikes is missing"),
        ((*TO_RAM, "mark yazoo-queen boilers 0"), "ram yazoo-queen keokuk-belle square 6 1", "has no speed"),
        ((*TO_FIRE, "mark yazoo-queen hull 2"), "fire yazoo-queen dubuque 6in 6 6", "has no guns"),
    ],
)
def test_a_table_or_a_threshold_can_forbid_an_order(before: tuple[str, ...], order: str, words: str) -> None:
    session = play(before)
    with pytest.raises(OrderRefused, match=words):
        session.enter(order)


def test_the_limit_from_another_track_is_shown_until_it_is_repaired() -> None:
    session = play(("mark dubuque boilers 1",))
    column = next(column for column in session.system.columns if column.name == "speed")

    def format_speed() -> str:
        ship = session.battle.ships["dubuque"]
        return "".join(span.text for span in session.system.cell(session.battle, ship, column))

    assert format_speed() == "5 ≤2"
    (part,) = next(
        line
        for line in session.system.log_sheet(session.battle, session.battle.ships["dubuque"])
        if line[0].title == "speed"
    )
    assert [span.text.strip() for span in part.written] == ["≤2"]
    session.enter("mark dubuque boilers 2")
    assert format_speed() == "5"


def test_a_low_track_is_reported_with_its_clause() -> None:
    session = play((*TO_FIRE, f"{TENTH} 5 4", "roll 5", "fire keokuk-belle general-breck 12in 5 4", "roll 5"))
    reasons = [ruling.decision.reasons for ruling in session.timeline.rulings.values()]
    said = [(reason.text, reason.clause) for each in reasons for reason in each if reason.clause == "RI-8"]
    assert said == [
        ("General Breck: speed at most 2", "RI-8"),
        ("General Breck: speed at most 0", "RI-8"),
    ]


def test_dice_of_an_old_shot_are_corrected_and_nothing_is_read_again() -> None:
    orders = (*TO_FIRE, f"{TENTH} 5 4", "roll 4", "fire general-breck dubuque 10in 5 5", "roll 1")
    session = play((*orders, "amend 2 6 5"))
    straight = play((*TO_FIRE, f"{TENTH} 6 5", *orders[2:]))
    assert session.battle == straight.battle
    assert session.enter("amend 2 1 2").consequences
    assert session.battle.ships["general-breck"].live("blaze") == ()


def test_luck_is_the_result_less_the_mean_of_all_following_rolls() -> None:
    """Count hull 2, a gun or a boiler 1. Inside: 3 and 5 cost 1, a 6 costs 1 and a roll.

    That roll costs two of hull in one of six, so a roll inside costs (1 + 1 + 1 + 4/6) / 6.
    """
    session = play((*TO_FIRE, f"{TENTH} 5 4"))
    system = session.system
    step = analyse(system, session.timeline, system.worth).steps[1]
    inside = Fraction(11, 18)
    assert step.throw is not None
    assert step.throw.left_out is None
    assert step.rest == pytest.approx(float(2 * share(24) + share(10) * inside))
    assert step.luck == pytest.approx(float(2 + inside) - step.rest)
    assert step.throw.results == 1


def test_the_court_tries_a_switch_and_an_umpires_chart(tmp_path: Path) -> None:
    session = play(("shoal dubuque 2", "next", "fire general-breck dubuque 10in 4 4"))
    control = build_baseline(session.system, session.timeline)
    (river,) = list_switch_values(control, "river", "high")
    assert [changed.entry for changed in replay(control, river).changed] == [1, 3]
    own = load_overlay(write_overlay(tmp_path, "9-10", "hull 4"), session.system)
    verdict = replay(control, Variant(cells=own))
    assert [(each.field, each.before, each.after) for each in verdict.ships] == [("hull", 6, 3)]
    other = load_overlay(write_overlay(tmp_path, "7-8", "hull 4"), session.system)
    assert replay(control, Variant(cells=other)).changes_nothing


def test_doctrines_play_it_out() -> None:
    spec = build_spec(BOOK, START, "river")
    found = simulate_battles(Question(spec, list_pairs(["hold"]), 4), play_here)
    (tally,) = found.tallies.values()
    assert (tally.battles, tally.apart) == (4, 0)


def write_overlay(folder: Path, row: str, cell: str) -> Path:
    """Write an umpire's chart with one different cell of the broadside table."""
    path = folder / "own.toml"
    lines = ('ruleset = "river-1863"', "[[table]]", 'name = "cannonade"', "[[table.row]]")
    path.write_text(
        "\n".join((*lines, f'name = "{row}"', f'cells = {{ "12in" = "{cell}" }}')), encoding="utf-8"
    )
    return path


def test_a_chart_with_an_impossible_cell_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFaults, match="did you mean hull"):
        load_overlay(write_overlay(tmp_path, "7-8", "hulk 4"), BOOK)


def test_a_book_may_be_read_by_hand_in_part(tmp_path: Path) -> None:
    """Fire two torpedoes, each hit by 9 or 10 of ten costing 2; the gunfire's chart is the umpire's."""
    text = convoys.FILE.read_text(encoding="utf-8")
    text = text.replace('dice = "d10"\neach', 'table = "run"\neach')
    path = tmp_path / convoys.FILE.name
    run = '[[table]]\nname = "run"\ndice = "d10"\n[table.rows]\n1-8 = "-"\n9-10 = "hull 2"\n'
    path.write_text(f"{text}\n{run}", encoding="utf-8")
    session = Session.begin(load_book(path), convoys.load_battle())
    for order in ("next", "shoot arrow beacon 12in 5 4", "answer hull 1"):
        session.enter(order)
    figures = {
        chance.label: chance.value for chance in session.preview_order("launch arrow beacon 2").chances
    }
    assert figures == {"effect": share(36, 100), "hull lost": share(8, 10), "sunk": 0}
    session.enter("launch arrow beacon 2 9 10")
    assert session.battle.ships["beacon"].count("hull") == 2
    thrown = [step.throw for step in analyse(session.system, session.timeline, session.system.worth).steps]
    assert [throw.left_out for throw in thrown if throw] == [LeftOut.BY_HAND, None]
    assert session.system.read_by_hand


def test_a_save_holds_the_tables(tmp_path: Path) -> None:
    """Play on by the saved book after the file has changed."""
    scenario, save = copy_book(tmp_path), tmp_path / "battle.qfb"
    path = tmp_path / FILE.name
    sharper = path.read_text(encoding="utf-8").replace("hull 1, roll inside", "hull 3, roll inside")
    path.write_text(sharper, encoding="utf-8")
    session = Session.begin(*load_scenario(scenario, Systems()), save)
    session.enter("next")
    session.close()
    path.unlink()
    session = Session.resume(save, Systems())
    session.enter("fire general-breck dubuque 10in 6 6")
    assert session.battle.ships["dubuque"].count("hull") == 5
    session.enter("amend 2 fire general-breck dubuque 20in 6 6")
    assert session.battle.ships["dubuque"].count("hull") == 4
    session.close()


def test_a_slot_that_is_left_out_has_no_value(tmp_path: Path) -> None:
    """Add one for a shot aimed high; add nothing for an empty slot or a count of none."""
    text = FILE.read_text(encoding="utf-8")
    slots = '[[slot]]\nname = "aim"\nkind = "choice"\nchoices = ["high", "low"]\noptional = true\n\n'
    slots += '[[slot]]\nname = "double"\nkind = "count"\noptional = true\nkeyword = "double"\n\n[[switch]]'
    text = text.replace("[[switch]]", slots).replace(
        '"range", "end-on"]', '"range", "aim", "double", "end-on"]'
    )
    text = text.replace('"end-on -1"', '"aim = high +1", "no end-on +2", "double -3"')
    path = tmp_path / FILE.name
    path.write_text(text, encoding="utf-8")
    session = Session.begin(load_book(path), START)
    session.enter("next")
    shot = "fire general-breck dubuque 10in"
    for order, added in ((shot, "+2"), (f"{shot} high", "+1 +2"), (f"{shot} low end-on double 2", "-3")):
        session.enter(f"{order} 1 1")
        (reason,) = session.timeline.rulings[len(session.timeline.log)].decision.reasons
        assert re.sub(r" \(.*?\)", "", reason.roll).partition(" = ")[0] == f"1 1 {added}"
        session.enter("undo")


@pytest.mark.parametrize(("before", "order", "figures"), BY_HAND, ids=[order for _, order, _ in BY_HAND])
def test_the_judged_result_equals_the_applied_one(
    before: tuple[str, ...], order: str, figures: dict[str, Fraction]
) -> None:
    """Compare for every face: boxes of hull, marks, owed rolls, and whether the ship is sunk."""
    session = play(before)
    entry = session.prepare(session.read(order).require_order())
    ready, battle = entry.prepared, session.battle
    actor, *others = (name for name in entry.order.names if name in battle.ships)
    hit = others[0] if others else actor
    for faces in product(*(die.faces for die in ready.dice)):
        judged = {measure.label: ready.judge(faces)[measure.place] for measure in ready.odds}
        assert judged.keys() == figures.keys()
        builder = DecisionBuilder(battle, 99)
        ready.decide(faces, builder)
        was, ship = battle.ships[hit], builder.ship(hit)
        done = {
            "hull lost": was.count("hull") - ship.count("hull"),
            "self hull lost": battle.ships[actor].count("hull") - builder.ship(actor).count("hull"),
            "aground": len(ship.live("aground")) - len(was.live("aground")),
            "sunk": int(ship.status == SUNK),
            "self sunk": int(builder.ship(actor).status == SUNK),
            "roll inside": [owed.line for owed in builder.battle.owed].count("inside"),
        }
        for name, value in judged.items():
            if name in done and not (name.startswith("roll") and ship.is_off_table):
                most = was.count("hull") if name == "hull lost" else value
                assert done[name] == min(value, most), (faces, name)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("hulk 2", "did you mean hull"),
        ("roll", "a roll needs a table"),
        ("hull =2", "how many more or fewer"),
    ],
)
def test_a_save_with_bad_cells_refuses_orders_that_need_them(cell: str, words: str) -> None:
    """Check no charts in a save: a bad cell blocks only orders that look it up."""
    charts = {"cannonade": Chart("cannonade", "", {"7-8": ChartRow("7-8", {"12in": ChartCell(cell)})})}
    session = Session.begin(BOOK, replace(START, charts=with_overlay(START.charts, charts), began=None))
    session.enter("next")
    with pytest.raises(OrderRefused, match=words):
        session.enter(f"{TENTH} 1 1")
    session.enter("fire dubuque general-breck 6in 1 1")
