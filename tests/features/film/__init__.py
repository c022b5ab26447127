"""The film."""
