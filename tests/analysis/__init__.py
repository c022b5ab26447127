"""The battle retold: prices, luck, distributions, and how they add up."""
