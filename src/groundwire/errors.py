"""Every error that groundwire raises on purpose.

GroundwireError
├── InvalidInput        a value handed in is out of range, of the wrong type or too large
├── InvalidSettings     a setting is unknown or out of range
├── MissingExtra        an optional dependency is needed; the message names the install line
├── ModelUnavailable    a model cannot be used; whoever called it judges by rules instead and says so
│   ├── ModelMissing    it is not installed
│   └── ModelCorrupt    a file is not what its manifest promises, or the model computes nonsense
└── DataFileError       a table that ships with the package cannot be read
"""

from __future__ import annotations


class GroundwireError(Exception):
    """Root of the tree: catch this to catch everything that groundwire reports."""


class InvalidInput(GroundwireError):
    """`field` is the name of the offending field, so that a caller can point at it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class InvalidSettings(GroundwireError):
    """A setting is unknown or out of range."""


class MissingExtra(GroundwireError):
    """An optional dependency is missing."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f'{feature} needs an optional dependency: pip install "groundwire[{extra}]"')
        self.extra = extra


class DataFileError(GroundwireError):
    """A data table that ships with the package is damaged."""


class ModelUnavailable(GroundwireError):
    """A model cannot be used; `remedy` is what a person can do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem = problem
        self.remedy = remedy


class ModelMissing(ModelUnavailable):
    """The model, or what it needs to run, is not installed."""


class ModelCorrupt(ModelUnavailable):
    """A file of the model is not what its manifest promises, or the model computes nonsense."""
