"""The stream gate: text is held until its sentence has passed."""
