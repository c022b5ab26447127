"""What is run by hand beside the tests: benchmarks, the README's pictures, and how many keys a battle costs."""
