"""What is run by hand beside the tests.

Benchmarks, the README's pictures, and how many keys a battle costs.
"""
