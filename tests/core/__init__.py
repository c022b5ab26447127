"""The core, mostly by a made-up rule system."""
