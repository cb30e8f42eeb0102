"""The answer against earlier turns: what they state, what still stands, and which statements speak of the same."""
