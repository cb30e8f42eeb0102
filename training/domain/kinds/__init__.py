"""The kinds of domain pairs, one family a module; each kind draws a case from a source of randomness."""
