"""What is found of a battle afterwards."""
