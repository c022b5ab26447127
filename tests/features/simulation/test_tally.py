"""The counts of many battles: whole numbers, intervals, and the lines that print them."""

from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.document.text import NOTHING, lay_out_document, lay_out_table
from qf_tui.document.values import (
    Document,
    Row,
    Section,
    Table,
    build_line,
    build_number_columns,
    build_text_columns,
)
from qf_tui.features.simulation.playout import Ending
from qf_tui.features.simulation.tally import (
    Tally,
    build_tally,
    compute_crps,
    compute_swing,
    compute_wilson,
    sum_tallies,
)

SIDES = {"ant": "north", "bee": "south", "cat": "south"}
ENDINGS = (
    Ending("north", 4, ("south",), ("bee", "cat")),
    Ending("", 30),
    Ending("south", 7, ("north",), ("ant",)),
    Ending("north", 9, ("south",), ("bee",)),
)


@pytest.mark.parametrize(
    ("count", "of", "least", "most"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_wilson_intervals(count: int, of: int, least: float, most: float) -> None:
    """Use the example of Newcombe, 1998, as the last case."""
    found = compute_wilson(count, of)
    assert (round(found.least, 4), round(found.most, 4)) == (least, most)


def test_battles_are_added_up_in_any_order() -> None:
    tallies = [build_tally(ending, SIDES) for ending in ENDINGS]
    total = sum_tallies(tallies)
    assert total == sum_tallies(reversed(tallies))
    assert (total.battles, total.won) == (4, {"north": 2, "": 1, "south": 1})
    assert (
        total.estimate_wins("north").part,
        total.estimate_wins("south").part,
        total.estimate_wins("").part,
    ) == (0.5, 0.25, 0.25)
    assert total.estimate_score("north").part == 2.5 / 4
    assert total.estimate_score("north").part + total.estimate_score("south").part == 1
    assert total.over_early.part == 0.25
    assert total.end_turns == (7, 4, 30)
    assert total.estimate_broken("south").part == 0.5
    assert total.find_break_turns("south") == (4, 4, 9)
    assert total.estimate_loss("bee").part == 0.5
    assert total.compute_mean_lost("south")[0] == 0.75
    assert total.compute_mean_lost("south")[1] == pytest.approx(1.96 * (11 / 12) ** 0.5 / 2, abs=0.03)


def test_a_draw_is_no_win_and_half_a_score() -> None:
    """Guard against wins of a side that has won none, and a score less certain than it is."""
    total = Tally(30, {"": 30})
    assert (total.estimate_wins("north").part, round(total.estimate_wins("north").most, 2)) == (0, 0.11)
    assert total.estimate_wins("").part == 1
    assert total.estimate_score("north").part == 0.5
    assert 0.02 < total.estimate_score("north").half < 0.1
    assert Tally(30, {"north": 30}).estimate_score("north") == Tally(30, {"north": 30}).estimate_wins("north")


@pytest.mark.parametrize("battles", [1, 2, 7, 200])
def test_intervals_contain_the_estimate_and_lie_between_0_and_1(battles: int) -> None:
    for won, drawn in product(range(battles + 1), repeat=2):
        if won + drawn <= battles:
            total = Tally(battles, {"north": won, "": drawn, "south": battles - won - drawn})
            for one in (total.estimate_wins("north"), total.estimate_score("north"), total.estimate_wins("")):
                assert 0 <= one.least <= one.part <= one.most <= 1
                assert one.least < one.most


def test_95_percent_of_intervals_contain_the_true_score_and_the_true_wins() -> None:
    """Sum over all results of 40 battles, for true shares of wins and draws a tenth apart.

    Guard against the interval of a win used for the score, which draws would make too wide.
    """
    battles, held, wide = 40, dict[str, list[float]](score=[], wins=[]), list[float]()
    for wins, draws in product(range(1, 9), range(9)):
        losses = 10 - wins - draws
        if losses < 1:
            continue
        score = win = 0.0
        for won in range(battles + 1):
            for drawn in range(battles + 1 - won):
                lost = battles - won - drawn
                ways = comb(battles, won) * comb(battles - won, drawn)
                likely = ways * (wins / 10) ** won * (draws / 10) ** drawn * (losses / 10) ** lost
                if likely < 1e-9:
                    continue
                total = Tally(battles, {"north": won, "": drawn, "south": lost})
                scored, often = total.estimate_score("north"), total.estimate_wins("north")
                score += likely * (scored.least <= (wins + draws / 2) / 10 <= scored.most)
                win += likely * (often.least <= wins / 10 <= often.most)
                wide.append(scored.half / compute_wilson(won + drawn / 2, battles).half)
        held["score"].append(score)
        held["wins"].append(win)
    for parts in held.values():
        assert min(parts) > 0.92
        assert 0.945 < sum(parts) / len(parts) < 0.975
    assert max(wide) <= 1
    assert min(wide) < 0.5


def test_battles_that_could_not_go_on_count_only_apart() -> None:
    one, two = Tally(apart=1, first_fault=(8, "later")), Tally(apart=1, first_fault=(3, "first"))
    assert (one + two).apart == 2
    assert (one + two).first_fault == (two + one).first_fault == (3, "first")
    assert (one + two).battles == 0


TABLE = Table(
    (*build_text_columns("doctrines"), *build_number_columns("battles", "Japan wins", "")),
    (Row(("Japan hold", "200", "62% (55–68)", "even")), Row(("Japan close", "200", NOTHING, ""))),
)


def test_columns_are_aligned_if_there_is_room() -> None:
    assert list(lay_out_table(TABLE)) == [
        "doctrines    battles   Japan wins",
        "Japan hold       200  62% (55–68)  even",
        "Japan close      200            –",
    ]
    assert list(lay_out_table(TABLE, 40)) == list(lay_out_table(TABLE))


def test_a_table_that_is_too_wide_becomes_one_list_for_each_row() -> None:
    """Guard against cells that are cut, and against empty ones."""
    assert list(lay_out_table(TABLE, 30)) == [
        "Japan hold",
        "  battles 200",
        "  Japan wins 62% (55–68)",
        "  even",
        "Japan close",
        "  battles 200",
    ]


def test_sentences_wrap_at_a_given_width() -> None:
    told = Document("Duel", (build_line("one two three"), Section("Who wins", (TABLE,)), build_line("four")))
    assert list(lay_out_document(told, 9))[:3] == ["Duel", "one two", "three"]
    assert list(lay_out_document(told))[:2] == ["Duel", "one two three"]


@pytest.mark.parametrize(
    ("counts", "observed", "score"),
    [
        ({3: 40}, 3, 0),
        ({3: 40}, 5, 2),
        ({0: 1, 1: 1}, 0, 1 / 4),
        ({0: 1, 1: 1}, 3, 2 + 1 / 4),
        ({0: 1, 2: 3}, 2, 1 / 8),
        ({0: 25, 1: 50, 2: 25}, 1, 1 / 8),
    ],
)
def test_the_score_of_a_distribution_equals_the_one_by_hand(
    counts: dict[int, int], observed: int, score: float
) -> None:
    """Score a single value by its distance, and two halves by 1/2 less half of their spread of 1/2."""
    assert compute_crps(counts, observed) == pytest.approx(score, abs=1e-12)


@given(
    st.dictionaries(st.integers(0, 12), st.integers(1, 500), min_size=1),
    st.integers(0, 12) | st.floats(0, 12).map(lambda at: round(at, 2)),
)
def test_the_score_is_the_area_between_the_two_distributions(counts: dict[int, int], observed: float) -> None:
    """Check the definition: the integral of the squared difference of both distributions."""
    ends = sorted({*counts, observed})
    area = 0.0
    for least, most in pairwise(ends):
        below = sum(count for value, count in counts.items() if value <= least) / sum(counts.values())
        area += (below - (observed <= least)) ** 2 * (most - least)
    assert compute_crps(counts, observed) == pytest.approx(area, abs=1e-9)


def test_a_side_is_scored_by_its_own_losses() -> None:
    total = sum_tallies(build_tally(ending, SIDES) for ending in ENDINGS)
    assert total.count_losses("south") == {0: 2, 1: 1, 2: 1}
    assert total.compute_crps("south", 2) == compute_crps({0: 2, 1: 1, 2: 1}, 2)


def test_battles_are_kept_by_final_advantage_with_the_lowest_index_of_each() -> None:
    """Guard against the wrong battle played again, and one that depends on the order of addition."""
    ends = [Ending("north", 4, advantage=at) for at in (20, -5, 20, 7, -5)]
    tallies = [build_tally(ending, SIDES, index) for index, ending in enumerate(ends)]
    total = sum_tallies(tallies)
    assert total.ends == sum_tallies(reversed(tallies)).ends == {20: (2, 0), -5: (2, 1), 7: (1, 3)}
    assert (total.median_advantage, total.mean_advantage) == (7, 37 / 5)
    assert [one.mean_advantage for one in (tallies[0], Tally())] == [20, 0]


def build_loss_tally(lost: tuple[int, int], kept: tuple[int, int]) -> Tally:
    """Build a tally of battles with and without a ship of the north, as wins and losses of its side."""
    won = {"north": lost[0] + kept[0], "south": lost[1] + kept[1]}
    return Tally(sum(won.values()), won, lost={("ant", "north"): lost[0], ("ant", "south"): lost[1]})


def test_the_effect_of_a_loss_is_compared_within_the_same_doctrines() -> None:
    """Guard against doctrines that cause both losses and victories, as in Simpson's paradox (1951)."""
    same = (build_loss_tally((9, 1), (90, 10)), build_loss_tally((10, 90), (1, 9)))
    found = compute_swing(same, "ant", "north")
    assert found is not None
    assert found.part == pytest.approx(0)
    together = compute_swing((sum_tallies(same),), "ant", "north")
    assert together is not None
    assert together.most < -0.5
    decides = compute_swing((build_loss_tally((20, 80), (60, 40)),), "ant", "north")
    assert decides is not None
    assert decides.part == pytest.approx(0.2 - 0.6)
    assert decides.least < -0.4 < decides.most < 0
    assert decides.half == pytest.approx(1.96 * (0.16 / 100 + 0.24 / 100) ** 0.5, abs=0.01)
    assert compute_swing((build_loss_tally((0, 0), (60, 40)),), "ant", "north") is None
