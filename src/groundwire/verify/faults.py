"""Where the fault of a claim stands in the answer: what is untold in it, and what is to blame."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.judge.consultation import Consultant
from groundwire.judge.parts import Part
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.verify.blame import place_blame
from groundwire.verify.constituents import Memories
from groundwire.verify.denied import deny_untold
from groundwire.verify.remainder import spare_remainders
from groundwire.verify.untold import mark_untold


def mark_faults(
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    text: str,
    passages: Sequence[ReadPassage],
    consultant: Consultant | None = None,
) -> list[tuple[Part, ...]]:
    """The parts of every claim, with the words that are quoted as wrong or as untold."""
    memories = Memories([(read.passage.id, read.passage.text) for read in passages])
    marked = mark_untold(claims, parts, text, passages, memories)
    marked = deny_untold(consultant, claims, marked, text, memories)
    if consultant is not None:
        marked = spare_remainders(consultant, claims, marked, passages)
    return place_blame(claims, marked, text, memories)
