"""Tests of the core, mostly with a made-up rule system."""
