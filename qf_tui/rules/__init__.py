"""The rule systems, one folder each, found by the entry point group `qf_tui.rules`.

This page is for authors of a new one.

What to write, in a package (ours lie beside this page, yours may lie anywhere):

`SYSTEM`        one value of a class that extends `qf_tui.core.system.RuleSystem`; the entry point names it.
                The base class says what each part is for, and what a system without it does
name, title     the id that files use, and what people call it
phases          in order, by name; `slashes` where damage counts from the phase's end, `again` where a turn
                has several of one. `enter` owes what a phase asks, `leave` what its end asks, `follow` what
                falls due once nothing else is owed, or as the battle begins
fields, card    the counts of a ship's log, which an umpire may set by hand, and the keys of its fleet file.
                Fields that models show are `seen`: the other side's players know these and no others.
                `muster` makes the first log of a card. Every ship already has `id`, `name`, `kind` and
                `notes`
conditions      what a scenario may say of the table, beyond its scale, its dice and its notes; `at_start`
                what it may say of a ship as the battle begins, which `muster` finds in its `Setup`
scales          the unit of each and, if the rules print them, its figures and other measures of distance
dice            the kinds of dice: a figure that none of them shows is never taken for a die
forms           one for each order: its word, key, slots and dice. `prepare` lists what stands against such
                an order, the dice it still needs, what they mean in small integers (`judge`, for the odds;
                `needs` names the results that people throw for), and what they do (`decide`, written on a
                builder with reasons that cite clauses and chart cells); `alike` names faces that do the
                same, if you know them, so that only one of them is decided
rolls           `builder.owe(line, ship, prompt, *dice)` asks for one, or for words if it names no dice;
                `prepare_roll` and `prepare_answer` prepare the answer. An order declared without its dice
                comes to `prepare_roll` too: `prepare_declared` prepares it. A question in words lapses when
                nothing is left to answer it: `answerable` and `lapse`. Damage by hand: `prepare_damage`.
                Turn, phase, order and the slots that say `identifies` tell throws by a call apart: ship and
                battery, but no target and no range
questions       `builder.ask` puts a question to the umpire that the log can do without an answer to; entries
                show it first, and the end of the phase lists it
columns         the grid; narrow screens keep those of low rank. `cell`, `sheet`, `report`, `on_table`,
                `may_act`, `events`, `advice`, `phase_title` and `ended` give what is shown, `out_of_line` the
                ships that cannot keep their place, for the story of the battle. `may_act` lists a ship
                exactly if some order of this phase is accepted of it; the default tries them. Its letters
                stand before the ship's name, `letters` says what each means; `hinders` spares asking anew
paper           `log_sheet` is a ship's log as it is printed: boxes, what stands in them and how they are
                marked, in the order in which dice are thrown; `needed_cells` are the chart cells that the
                ships there can need, `clauses` of a phase those that people want at hand in it
entering        `bulk` puts large ships before small ones among what keys offer; a slot's `known` is what the
                battle has on record of it; `possible` gives each ship what she can do of an order that is
                refused because of some (`share_out` in the core); a slot with `shares` holds what these do
options         each switch with its clause and stated default
clauses         the rules in your own words, by clause; reasons and refusals cite them
charts          package and name of a file of tables, rows and columns in printed order; `attested` gives a
                cell's source, all others are reconstructed. `chart_shapes` declares what a table may hold

battles         `lasting` names what a ship takes from one battle into the next, `harm` what of it counts
                damage, `returning` the statuses with which she comes out of one, `yards` the file of what is
                mended in so many days
ratings         `work_out` makes a ship's card from her facts, each value with its working; `attested` are the
                values that the rules themselves state, which win over it
crews           what a step of a crew's `gunnery` and of its `shells` does to values of a card (`CrewStep`)
report          `worth` says what a ship counts for, in parts with weights; damage never adds to any of them.
                `results` says which facts of outcomes (`builder.result`) are counted, by the line of the
                dice, and `counted_as` the line of a question whose dice are another line's; results of
                `joint_rolls` name ships
simulation      `simulate` attacks with each form that has a measure slot with `to`, which names the slot of
                the target. Nothing more is needed than the form and what `prepare` refuses; `worth` chooses
                targets. A form that repairs says what it uses up (`mends`), and a question in words has its
                likeliest answer first (`plain_answers`). `pace` is what a ship makes in a turn; a flag that
                says that the target is over an end of the ship, or has her over its own, is declared so
                (`bears`, `shows`)

Rules read a `Battle` and write effects: a difference of a count (`builder.add`), a recorded fact
(`builder.record`), a mark, an act to remember for this turn and the next, an owed roll. What a ship can do in
a phase is read on `battle.start`, what happens to it is written on the battle as it stands. Rules open no
file, throw no dice, read no clock, and import nothing but the core, the standard library and attrs.

The whole of a small system, `skiff.py`. A test plays it as it stands here:

    '''Skiff: boats that fire at each other, and bail out what comes in through the holes.'''

    from qf_tui.core.decisions import Op
    from qf_tui.core.declarations import Worth, WorthPart
    from qf_tui.core.errors import refused
    from qf_tui.core.values import Form, Slot
    from qf_tui.core.grammar import kinds
    from qf_tui.core.system import (
        FieldSpec, Column, Field, Measure, Need, Phase, PreparedOrder, RuleSystem, Scale, out_of_phase,
    )
    from qf_tui.core.text import Distance
    from qf_tui.core.values import SUNK, Die

    D6 = Die(6)
    REACH = Distance(12, "in")
    BOATS = (
        Slot("ship", kinds.SHIP, "the boat"), Slot("target", kinds.SHIP, "the target"),
        Slot("range", kinds.MEASURE, "the range", optional=True, to="target"),
    )
    FIRE = Form(
        "fire", "f", "Fire", BOATS, dice="D6", phases=("fire",), help="hits on 4 or more, a hole on 6",
    )


    class Skiff(RuleSystem):
        name, title = "skiff", "Skiff"
        phases = (Phase("fire", "Fire", slashes=True), Phase("bail", "Bail out"))
        fields = (Field("planks", "planks", most=9), Field("holes", "holes", "marks", most=9))
        columns = (Column("planks", "planks", 8, 0, ("planks", "holes"), help="planks left, and holes"),)
        card = (FieldSpec("planks", "int", "planks", least=1, most=9, required=True),)
        forms = (FIRE,)
        scales = (Scale("pond", "in", "in"),)
        worth = Worth((WorthPart("planks", "each plank", 1, lambda ship: ship.count("planks")),))
        clauses = {
            "SK-1": "Each boat fires once a turn, at a boat of another side within a foot; 4 or more hits.",
            "SK-2": "A hit costs a plank, and a 6 makes a hole too; without planks a boat sinks.",
            "SK-3": "A boat with holes bails out each turn: 4 or more stops one, else a plank is lost.",
        }

        def muster(self, card, setup):
            return {"planks": card["planks"]}

        def prepare(self, battle, order):
            ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
            findings = out_of_phase(battle, FIRE, "SK-1")
            if battle.done("fire", ship.id):
                findings += (refused(f"{ship.name} has fired this turn", "SK-1"),)
            if not (ship.afloat and target.afloat) or ship.side == target.side:
                findings += (refused(f"{ship.name} may not fire at {target.name}", "SK-1"),)
            range = order.slots.get("range", REACH)
            if range.to(REACH.unit) > REACH.amount:
                findings += (refused(f"{range} is farther than {REACH}", "SK-1"),)

            def decide(faces, builder):
                hit = faces[0] >= 4
                text = f"{'hits' if hit else 'misses'} {target.name}"
                builder.because(text, "SK-1", of=ship.name, roll=str(faces[0]))
                if faces[0] == 6:
                    builder.mark(target.id, "holes")
                if hit:
                    lose_plank(builder, target.id)

            return PreparedOrder(
                findings=findings, dice=(D6,), judge=lambda faces: (int(faces[0] >= 4),), decide=decide,
                declare=lambda builder: builder.remember("fire", ship.id), odds=(Measure("hits", 0),),
                needs=(Need("hits"),),
                owes="fire", prompt=f"{ship.name} at {target.name}", ship=ship.id,
            )

        def enter(self, battle, builder):
            for ship in battle.ships.values():
                if battle.phase == "bail" and ship.afloat and ship.live("holes"):
                    builder.owe("bail", ship.id, f"{ship.name} bails out", D6)

        def prepare_roll(self, battle, owed):
            if owed.order:
                return self.prepare_declared(battle, owed)

            def decide(faces, builder):
                ship, stopped = builder.ship(owed.ship), faces[0] >= 4
                text = "stops a hole" if stopped else "loses a plank"
                builder.because(text, "SK-3", of=ship.name, roll=str(faces[0]))
                if not stopped:
                    lose_plank(builder, ship.id)
                elif ship.live("holes"):
                    builder.lift(ship.id, ship.live("holes")[0])

            return PreparedOrder(dice=(D6,), decide=decide)


    def lose_plank(builder, ship):
        if builder.ship(ship).count("planks"):
            builder.add(ship, "planks", -1)
        if not builder.ship(ship).count("planks"):
            builder.write(Op.STATUS, ship, "status", SUNK)


    SYSTEM = Skiff()

A fleet for it, `boats.toml`. Its ships have an id, a name and what `card` declares:

    ruleset = "skiff"
    title = "Boats"

    [[ship]]
    id = "ant"
    name = "Ant"
    planks = 2

    [[ship]]
    id = "bee"
    name = "Bee"
    planks = 2

And a scenario, `pond.toml`, beside it. `scale`, `units` and `dice` have defaults, as have all that
`conditions` and `at_start` declare:

    ruleset = "skiff"
    title = "The pond"

    [[side]]
    name = "Blue"
    fleet = "boats.toml"
    ships = ["ant"]

    [[side]]
    name = "Red"
    fleet = "boats.toml"
    ships = ["bee"]

Rules that work cards out from facts (`work_out`) let a side name a `navy`, a `year` and ships of
`fleets/navies` too. `qf-tui schema fleet skiff` and `qf-tui schema scenario skiff` print all that such files
may say.

What you get without writing it: reading orders, beginnings of names, dialogs, completion, palette and help
(from the forms); exact odds (from `judge`); forced orders, hand entries, disputes, arrivals, switches and
chart overlays in mid-battle; the queue of owed rolls; saves that open without the rules; undo, and correcting
any old entry with its consequences; the grid, the card, `?` on a cell, the list of what hands must change;
checks of fleets, scenarios and overlays that name every fault; `run --json`, `odds`, `charts`, `options`,
`rules`, `schema`.

What corrections need from you: decide from the battle, the order and the faces alone; name a question by what
caused it (the builder does); write differences, not totals; leave `late` questions in the queue alone: they
belong to a phase that is over.

When you change what a clause decides, name it in `changed_rulings` with the version that first does so:
`verify` then tells old saves that differ by it from saves in which something is wrong. Their records stay.
A new switch, form or card field that changes nothing else changes nothing in an old save.

Ours are `gq2` and the Quickfire games: `quickfire`, `advanced_quickfire` and `quickfire_clone`. These share
`quickfire_family`: chart reading, strict mode, movement, attacks, damage, repair, grid and card. A game of
that family extends `QuickfireSystem` and declares in a `Game` what differs; other systems can ignore it.

`book` is no system but a language: a file `NAME.rules.toml` declares a book that is played by hand, with no
Python at all (`qf-tui help rules`).

How to try it. Add the entry point and install the tree again, so that it is found:

    [project.entry-points."qf_tui.rules"]
    skiff = "skiff:SYSTEM"

    pip install -e . --no-deps
    qf-tui options skiff ; qf-tui charts skiff ; qf-tui rules fire
    qf-tui check my-fleet.toml my-scenario.toml
    qf-tui run my-scenario.toml --seed 1 --orders my.orders
    qf-tui simulate my-scenario.toml -n 100
    qf-tui play my-scenario.toml

`tests/rules/test_clauses.py` then asks for a test of every clause, marked `@pytest.mark.clause("MY-GUN-1")`.
A module in `tests/corrections` with a `Ground`, named in `grounds.py`, has random battles of it played and
corrected, and who may act compared with what is accepted. An order file in `tests/golden` that names its
scenario is a golden battle.

How to ship it outside our tree: put the same entry point into the `pyproject.toml` of your own package, which
depends on `qf-tui`, with its file of charts if it has one. Once that is installed beside ours, every command
and the console know it. Two installed systems of one name are refused, and so is one that cannot be loaded;
the refusal names the package.

A doctrine for `simulate` comes the same way, from any package. It gives the orders of a line of ships and the
range that it seeks; what it sees of the battle is a `Moment`. `boarders.py`:

    '''Boarders: a doctrine for clubs that like it close.'''

    from qf_tui.features.simulation.doctrines import Doctrine, attack_with, in_reach


    def weakest(moment, attack):
        return sorted(in_reach(moment, attack), key=lambda id: moment.model.whole[id])


    BOARDERS = Doctrine(
        "boarders", "closes to nothing; all attack the weakest enemy in reach",
        attack_with(weakest), lambda model, side: 0, part=1.0,
    )

    [project.entry-points."qf_tui.doctrines"]
    boarders = "boarders:BOARDERS"

`qf-tui simulate my-scenario.toml --doctrine boarders` plays it; a side may say `doctrine = "boarders"`.
"""
