"""The tests: a folder for each package; `tests.long` has large budgets, `tests/tools` is run by hand."""
