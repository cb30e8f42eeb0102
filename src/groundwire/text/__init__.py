"""Text → structure: pure functions over strings, no model, no clock, no I/O but the packaged tables."""
