"""Claims: what a text asserts, one at a time.

Sentences are found, questions, orders and small talk put aside, compounds taken apart, repetitions
merged. Hedged statements that carry a value are kept for the detectors and marked; they are not
claims that a reader may rely on, so they are left out unless asked for.
"""

from __future__ import annotations

from groundwire.text.reading import read_text
from groundwire.types import Claim


def extract_claims(text: str, *, hedged: bool = False) -> tuple[Claim, ...]:
    """The claims of `text`, in order; `hedged` also gives those that the author did not vouch for."""
    return tuple(read.claim for read in read_text(text).claims if hedged or not read.claim.hedged)
