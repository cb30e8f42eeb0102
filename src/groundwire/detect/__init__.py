"""Eight kinds of hallucination: detected, scored, mitigated."""
