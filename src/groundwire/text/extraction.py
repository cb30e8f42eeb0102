"""The facts of a whole text, grouped by slot."""

from __future__ import annotations

from groundwire.text.catalogue import Catalogue, load_catalogue
from groundwire.text.reading import read_text
from groundwire.types import ExtractedFact


class FactExtractor:
    """Reads `(subject, slot, value)` facts; stateless, so one instance serves any number of threads."""

    def __init__(self, *, exclusive_slots: tuple[str, ...] = (), additive_slots: tuple[str, ...] = ()) -> None:
        self._catalogue: Catalogue = load_catalogue(exclusive_slots, additive_slots)

    def extract(self, text: str) -> tuple[ExtractedFact, ...]:
        """Facts in text order."""
        return read_text(text, self._catalogue).facts

    def extract_fact_slots(self, text: str) -> dict[str, list[ExtractedFact]]:
        """Facts by slot type."""
        found: dict[str, list[ExtractedFact]] = {}
        for fact in self.extract(text):
            found.setdefault(fact.slot_type, []).append(fact)
        return found


def extract_fact_slots(text: str) -> dict[str, list[ExtractedFact]]:
    """Facts of `text` by slot type, with the packaged catalogue."""
    return FactExtractor().extract_fact_slots(text)
