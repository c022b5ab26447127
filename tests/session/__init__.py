"""The open battle, and one that is followed."""
