"""Thin adapters for other people's frameworks; each needs its own extra and is imported by its own name."""
