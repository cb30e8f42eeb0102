"""The faces of groundwire: each parses a request, calls the library and renders what comes back."""
