"""What is run by hand beside the tests.

How fast the program is and how soon others see it, the README's pictures, and how many keys a battle costs.
"""
