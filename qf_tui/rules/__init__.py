"""The rule systems, one folder each, found by the entry point group `qf_tui.rules`.

This page is for whoever adds one.

What to write, in a package of its own (ours stand beside this page, yours may stand anywhere):

`SYSTEM`        one frozen value that has all that `qf_tui.core.system.RuleSystem` names; the entry point names it
`charts.toml`   the tables, rows and columns in printed order; `attested` tells a cell's source, all others are
                reconstructed. What a table may hold is declared in `chart_shapes`; a table that is missing is told
fields, card    the counts of a ship's log that an umpire may set by hand, and the keys of its fleet file. `muster`
                makes the first log of a card
phases          by name, in order; `slashes` where damage counts from the phase's end, `again` where a turn has
                several of one. `enter` owes what a phase asks, `leave` what its end asks, `follow` what falls due
                once nothing else is owed
forms           one for each order: its word, key, slots and dice. `prepare` makes such an order ready: what stands
                against it, which dice it still wants, what they mean in small integers (`judge`), and what they do
                (`decide`, written on a builder with reasons that cite clauses and chart cells)
rolls           `builder.owe(line, ship, prompt, *dice)` asks for one, or for words where no dice are named;
                `prepare_roll` and `prepare_answer` make the answer ready. Damage by hand: `prepare_damage`
columns         the grid, the less their rank the longer they stay; `cell`, `sheet`, `report`, `on_table`, `waiting`,
                `advice` and `ended` say what people see
options         each switch with its clause and stated default
clauses         the rules in your own words, by clause; reasons and refusals cite them

Rules read a `Battle` and write effects: a difference of a count (`builder.add`), a recorded fact (`builder.record`), a
mark, an act to remember for this turn and the next, an owed roll. What a ship can do in a phase is read on
`battle.start`, what happens to it is written on the battle as it stands. They open no file, throw no dice, know no
clock, and import nothing but the core, the standard library and attrs.

What comes for nothing: reading orders, prefixes of names, dialogs, completion, palette and help (from the forms);
exact odds (from `judge`); forced orders, hand entries, doubts, arrivals, switches and chart overlays in mid-battle; the
queue of owed rolls; saves that open without the rules; undo, and the correction of any old entry with its
consequences; the grid, the card, `?` on a cell, the list of what hands must change; fleets, scenarios and overlays
checked with every fault named; `run --json`, `odds`, `charts`, `options`, `rules`, `schema`.

What a correction wants of you: decide from the battle, the order and the faces alone; name a question by what caused
it (the builder does); write differences, not totals; take nothing off the queue that is `late`, nor put it on again:
it belongs to a phase that is over.

The Quickfire games share `quickfire_family`: chart reading, strict mode, movement, repair, grid and card. A game
of that family says in a `Game` what it says otherwise; another need not look at it.

How to try it. Add the entry point and install the tree again, so that it is found:

    [project.entry-points."qf_tui.rules"]
    my-game = "my_game:SYSTEM"

    pip install -e . --no-deps
    qf-tui options my-game ; qf-tui charts my-game ; qf-tui rules fire
    qf-tui check my-fleet.toml my-scenario.toml
    qf-tui run my-scenario.toml --seed 1 --orders my.orders
    qf-tui play my-scenario.toml

`tests/rules/test_clauses.py` then asks for a test of every clause, marked `@pytest.mark.clause("MY-GUN-1")`; a module
in `tests/corrections` with a `Ground`, named in `grounds.py`, has random battles of it played and corrected; an order
file in `tests/golden` that names its scenario is a golden battle.

How to ship it outside our tree: the same entry point in the `pyproject.toml` of a package of yours that depends on
`qf-tui` and includes its `charts.toml`. Once that is installed beside ours, every command and the console know it.
Two installed systems of one name are refused, and so is one that cannot be loaded, with the package to mend.
"""
