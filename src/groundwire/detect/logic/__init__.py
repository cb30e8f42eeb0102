"""Statements of one answer against each other."""
