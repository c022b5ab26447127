"""The logs of both sides on the battle screen, and the card of one ship."""
