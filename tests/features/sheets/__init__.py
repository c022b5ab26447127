"""Sheets on paper, and battles that come back from them."""
