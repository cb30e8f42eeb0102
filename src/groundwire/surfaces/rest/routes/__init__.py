"""One module a noun: what may be asked about it. Each has a `router`."""
