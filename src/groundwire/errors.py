"""Every error that groundwire raises on purpose.

GroundwireError
├── InvalidInput        a value handed in is out of range, of the wrong type or too large
├── InvalidSettings     a setting is unknown or out of range
├── MissingExtra        an optional dependency is needed; the message names the install line
├── ModelUnavailable    a model cannot be used; whoever called it judges by rules instead and says so
│   ├── ModelMissing    it is not installed
│   └── ModelCorrupt    a file is not what its manifest promises, or the model computes nonsense
├── Unreachable         an address could not be asked, or must not be; whatever depends on it stays unverified
├── RejectionError      a memory was refused by the write gate; the reason is one of the rejection log's
├── ExtractorUnavailable  the language model that extracts cannot be reached or answers nonsense
├── DataFileError       a table that ships with the package cannot be read
├── StoreUnavailable    a store cannot be opened or written; the message says what to do
│   ├── StoreFull       the disk, or the file's size limit, is exhausted
│   ├── StoreReadOnly   the file may be read but not written
│   ├── StoreForeign    the file is not groundwire's
│   ├── StoreTooNew     a newer release wrote it
│   ├── StoreCorrupt    it is damaged
│   └── StoreBusy       others kept it locked for too long
├── NotFound            there is no such item for this owner
├── IllegalChange       the item is in a state that does not allow this
├── NotPermitted        this person or this credential may not do it
├── NotRecognised       whoever asks has no credential that holds
└── QueueFull           the review queue takes no more
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


class RejectionError(GroundwireError):
    """`reason` is that of the rejection log, `detail` says what exactly is missing or wrong."""

    def __init__(self, text: str, reason: str, detail: str = "") -> None:
        shown = text if len(text) <= 80 else text[:79] + "…"
        super().__init__(f"{shown!r} was not stored: {reason}" + (f" ({detail})" if detail else ""))
        self.text = text
        self.reason = reason
        self.detail = detail


class ExtractorUnavailable(GroundwireError):
    """The extracting language model cannot be reached, or what it says cannot be read at all."""


class DataFileError(GroundwireError):
    """A data table that ships with the package is damaged."""


class Unreachable(GroundwireError):
    """An address could not be asked, or must not be."""


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


class StoreUnavailable(GroundwireError):
    """A store cannot be opened or written; `remedy` is what a person can do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem = problem
        self.remedy = remedy


class StoreFull(StoreUnavailable):
    """No room is left to write; what was being written has been undone."""


class StoreReadOnly(StoreUnavailable):
    """The file may be read but not written."""


class StoreForeign(StoreUnavailable):
    """The file belongs to something else, and stays untouched."""


class StoreTooNew(StoreUnavailable):
    """A newer release has changed the layout of the file."""


class StoreCorrupt(StoreUnavailable):
    """The file is damaged."""


class StoreBusy(StoreUnavailable):
    """Others kept the file locked for longer than anybody should wait."""


class NotFound(GroundwireError):
    """There is no such item for this owner; somebody else's is answered in the same words."""

    def __init__(self, what: str, id: str) -> None:
        super().__init__(f"there is no {what} {id!r} here")
        self.id = id


class IllegalChange(GroundwireError):
    """An item is in a state that does not allow what was asked."""


class NotPermitted(GroundwireError):
    """This person or this credential may not do that."""


class NotRecognised(GroundwireError):
    """Whoever asks has no credential that holds."""


class QueueFull(GroundwireError):
    """The review queue takes no more; nothing was displaced."""
