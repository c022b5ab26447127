"""What is run by hand beside the tests.

How fast the program is, the README's pictures, and how many keys a battle costs.
"""
