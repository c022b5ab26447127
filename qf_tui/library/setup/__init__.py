"""A battle being set up: what was chosen, from what, and the scenario that it makes.

`drafts`           the choices so far, as values
`sources`          where a ship of a draft is from: a fleet, or a navy in a year
`draft_ships`      the ships of a source, and how a scenario names them
`draft_plan`       the schedule and what wins, kept through a set-up
`fleet_catalogue`  the fleets and charts to choose from
`scenario_writer`  a draft as a scenario's file, and back
"""
