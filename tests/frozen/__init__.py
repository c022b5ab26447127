"""All that a person reads of a battle, held byte for byte while rooms move.

`QF_TUI_REGENERATE=1 pytest tests/frozen` writes it into `out`; without that folder nothing is compared.
"""
