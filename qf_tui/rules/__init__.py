"""The rule systems, one folder each, found through the entry point group `qf_tui.rules`.

This page is for authors of a new rule system.

A rule system is a package with these parts. Ours are in the folders next to this page; yours can be anywhere.

`SYSTEM`        one value of a class that extends `qf_tui.core.system.RuleSystem`; the entry point names it.
                The base class says what each part is for, and what happens if a system leaves it out
name, title     the id that files use, and the name that people use
phases          the phases of a turn, in order. `slashes` means that damage counts from the phase's end,
                `again` that a turn may have several of this phase. `enter` owes the rolls of a new phase, and
                `leave` those of its end. `follow` runs when the battle begins, and after each entry once no
                roll of the phase is owed
fields, card    the counts of a ship's log, which an umpire may set by hand, and the keys of her fleet file.
                Mark a field as `seen` if the model on the table shows it: the players of the other sides know
                these fields and no others. `muster` makes the first log from a card. Every ship already has
                `id`, `name`, `kind` and `notes`
conditions      the keys that a scenario may give for the table, beyond its scale, its dice and its notes.
                `at_start` has the keys for a ship as the battle begins; `muster` gets them in its `Setup`
scales          the unit of each scale and, if the rules print them, its figures and other measures of
                distance
dice            the kinds of dice. A typed number that no kind of die shows is never read as a die
forms           one for each order: its word, key, slots and dice. `prepare` returns the findings against
                an order, the dice that it still needs, and what the dice mean: `judge` turns them into small
                integers for the odds, `needs` names the results that people throw for, and `decide` writes
                the effects on a builder, with reasons that cite clauses and chart cells. If you know that
                faces have the same effect, let `alike` give them the same key; then only one of them is
                decided
rolls           `builder.owe(line, ship, prompt, *dice)` asks for a roll, or for words if it names no dice.
                `prepare_roll` and `prepare_answer` prepare the answer. If an order is declared without its
                dice, `prepare_roll` gets them later, and `prepare_declared` prepares them. If `answerable`
                finds that a question in words has no answer left, the question lapses: `lapse` writes what
                follows. `prepare_damage` prepares damage by hand. A called throw is known by its turn, phase,
                order and the slots marked `identifies`. Mark the slots of ship and battery, but not those of
                target and range
questions       `builder.ask` asks the umpire a question to which the log needs no answer. The entry shows it
                first, and the end of the phase lists it
columns         the columns of the ship list (grid); narrow screens keep those of low rank. `cell`, `sheet`,
                `report`, `on_table`, `may_act`, `events`, `advice`, `phase_title` and `ended` say what is
                shown. `out_of_line` gives the ships that cannot keep their place, for the story of the
                battle. `may_act` lists a ship exactly if the rules accept some order of this phase from her;
                the default tries all orders. The letters of its orders are shown before the ship's name, and
                `letters` explains them. `hinders` returns the state of a ship on which the result for her
                depends
paper           `log_sheet` is a ship's log as it is printed: boxes, their contents and their marks, in the
                order in which dice are thrown. `needed_cells` are the chart cells that a battle can need. The
                `clauses` of a phase are those that people look up in it
entering        `bulk` puts large ships before small ones when keys offer names. A slot's `known` is the value
                that the log already has for it. If an order is refused because of some of its ships,
                `possible` gives each ship what she can do (`share_out` in the core), in a slot with `shares`
options         each switch, with its clause and default
clauses         the rules in your own words, by clause; reasons and refusals cite them
charts          package and name of a file of tables, with rows and columns in printed order. `attested` names
                the source of a cell; all others are reconstructed. `chart_shapes` declares the contents
                that a table may have

battles         `lasting` names what a ship takes from one battle into the next, and `harm` the part of it
                that counts damage. `returning` lists the statuses of ships that return from a battle. `yards`
                is the file that says what a yard mends in how many days
ratings         `work_out` makes a ship's card from her facts, each value with its working. `attested` are the
                values that the rules themselves state; they replace the values worked out
crews           the effect of a step of a crew's `gunnery` or `shells` on values of a card (`CrewStep`)
report          `worth` says what a ship counts for, in parts with weights. Damage must never raise a part.
                `results` says which facts of outcomes (`builder.result`) are counted, by the line of the
                dice. `counted_as` gives another line for the dice of a question. Results of `joint_rolls`
                name ships
simulation      `simulate` attacks with each form that has a measure slot whose `to` names the slot of the
                target. It needs only the form and the refusals of `prepare`; `worth` chooses targets. A form
                that repairs names what it uses up (`mends`). A question in words lists its likeliest answer
                first (`plain_answers`). `pace` is the distance that a ship makes in a turn. A flag that is
                true if the target lies over an end of the firer names that end in `bears`; one that is true
                if the firer lies over an end of the target names it in `shows`

Rules read a `Battle` and write effects: a difference of a count (`builder.add`), a recorded fact
(`builder.record`), a mark, an act to remember for this turn and the next, an owed roll. Read what a ship can
do in a phase on `battle.start`; write what happens to it on the present battle. Rules open no file, throw no
dice, read no clock, and import nothing but the core, the standard library and attrs.

Here is a whole small system, `skiff.py`. A test plays it from this page:

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
            if battle.list_turn_acts("fire", ship.id):
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

A fleet for it is `boats.toml`. Its ships have an id, a name and the keys that `card` declares:

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

And a scenario is `pond.toml`, in the same folder. `scale`, `units` and `dice` have defaults, and so has
each key of `conditions` and `at_start`:

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
`fleets/navies` too. `qf-tui schema fleet skiff` and `qf-tui schema scenario skiff` print all keys of such
files.

You get the following without writing it: reading orders, beginnings of names, dialogs, completion, palette
and help (from the forms); exact odds (from `judge`); forced orders, hand entries, disputes, arrivals,
switches and chart overlays in mid-battle; the queue of owed rolls; saves that open without the rules; undo,
and correcting any old entry with its consequences; the grid, the card, `?` on a cell, and the list of
changes to make on the table; checks of fleets, scenarios and overlays that name every fault; `run --json`,
`odds`, `charts`, `options`, `rules`, `schema`.

Corrections need four things from you. Decide from the battle, the order and the faces alone. Name a question
by its cause (the builder does this). Write differences, not totals. Leave `late` questions in the queue
alone, because they belong to a phase that is over.

When you change the decision of a clause, name the clause in `changed_rulings` with the first version that
decides the new way. Then `verify` can tell an old save that differs for this reason from a damaged one.
Records in old saves stay. A new switch, form or card field that changes nothing else changes nothing in an
old save.

Our systems are `gq2` and the Quickfire games: `quickfire`, `advanced_quickfire` and `quickfire_clone`. These
games share `quickfire_family`: chart reading, strict mode, movement, attacks, damage, repair, grid and card.
A game of that family extends `QuickfireSystem` and declares its differences in a `Game`; other systems can
ignore the family.

`book` is a language, not a system: a file `NAME.rules.toml` declares a book that is played by hand, with no
Python at all (`qf-tui help rules`).

To try your system, add the entry point and install the tree again, so that it is found:

    [project.entry-points."qf_tui.rules"]
    skiff = "skiff:SYSTEM"

    pip install -e . --no-deps
    qf-tui options skiff ; qf-tui charts skiff ; qf-tui rules fire
    qf-tui check my-fleet.toml my-scenario.toml
    qf-tui run my-scenario.toml --seed 1 --orders my.orders
    qf-tui simulate my-scenario.toml -n 100
    qf-tui play my-scenario.toml

`tests/rules/test_clauses.py` then asks for a test of every clause, marked `@pytest.mark.clause("MY-GUN-1")`.
A module in `tests/corrections` with a `Ground`, named in `grounds.py`, plays and corrects random battles of
your system, and compares `may_act` with the orders that are accepted. An order file in `tests/golden` that
names its scenario is a golden battle.

To ship your system outside our tree, put the same entry point into the `pyproject.toml` of your own package,
which depends on `qf-tui`, with its file of charts if it has one. Once your package is installed next to ours,
every command and the console know the system. Two installed systems of one name are refused, and so is one
that cannot be loaded; the refusal names the package.

A doctrine for `simulate` comes the same way, from any package. It gives the orders of a line of ships and the
range that it seeks; it sees the battle as a `Moment`. This is `boarders.py`:

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
