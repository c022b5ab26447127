"""Corrections of any entry, case by case and by chance, in every rule system."""
