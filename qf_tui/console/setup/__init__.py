"""Before a battle: the first screen, scenarios, and a set-up of one's own."""
