"""The read gate: an answer and memories in, a report that can be defended out."""
