"""The tests: a folder for each package; `tests.long` has large budgets, `tests/tools` what is run by hand."""
