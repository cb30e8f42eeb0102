"""Times against the calendar, the clock of the call, and each other."""
