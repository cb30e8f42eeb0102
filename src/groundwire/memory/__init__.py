"""The write gate: what may enter memory, on which evidence, and what has to wait for a person."""
