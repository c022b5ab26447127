"""The battles of the program, each played for some turns in every rule system that suits it."""
