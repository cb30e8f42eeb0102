"""Thin adapters for other people's frameworks; each needs an extra of its own."""
