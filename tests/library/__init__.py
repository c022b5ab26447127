"""Fleets, scenarios and charts as files."""
