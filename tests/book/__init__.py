"""Rule books played by hand: a made-up one, its files, its battles by orders and by keys."""
