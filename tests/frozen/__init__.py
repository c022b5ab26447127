"""All that a person reads of a battle, held byte for byte while rooms move; it goes behind that."""
