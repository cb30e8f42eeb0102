"""What a deployment wants of the stream gate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from groundwire.errors import InvalidInput
from groundwire.guard.window import LONGEST_TOKENS, WINDOW_TOKENS

ABSTENTION = "I cannot provide a verified answer to this question. [Reason: {verifier_explanation}]"
ANNOTATION = " (not verified)"
PATIENCE = 0.1

Word = TypeVar("Word", bound=StrEnum)


class GuardMode(StrEnum):
    """STRICT shows a sentence when it has passed; FAST shows it at once and takes back what does not pass."""

    STRICT = "strict"
    FAST = "fast"


class OnRefuted(StrEnum):
    """HALT stops the stream; REPAIR puts what the memories say in its place, or leaves the sentence out."""

    HALT = "halt"
    REPAIR = "repair"


class OnUnverified(StrEnum):
    """What becomes of a sentence with a claim that no evidence speaks of."""

    ANNOTATE = "annotate"
    RELEASE = "release"
    REMOVE = "remove"
    BRANCH = "branch"
    ABSTAIN = "abstain"


class OnUndisclosed(StrEnum):
    """What becomes of a sentence that hides a contradiction between memories; it never halts a stream."""

    INSERT = "insert"
    BRANCH = "branch"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class GuardOptions:
    """How one stream is guarded; what is None follows the mode.

    refuted          strict halts, fast repairs
    unverified       strict annotates the sentence, fast leaves it
    undisclosed      insert the disclosure, ask again with it as guidance, or let it pass
    check_short      also count outputs of at most one window that claim nothing as verified ones
    fail_closed      stop where the judge could not be used, instead of marking the output
    window_tokens    tokens after which a window is full
    longest_tokens   an open sentence of so many tokens is checked as it stands
    annotation       what is put behind a sentence that could not be verified
    abstention       what is said in the place of an answer; {verifier_explanation} is filled in
    patience         seconds that the iterator waits for a sentence before it asks for the next token; what takes longer
                     is told with that token. 0 for a generator that works only while it is asked
    """

    mode: GuardMode = GuardMode.STRICT
    refuted: OnRefuted | None = None
    unverified: OnUnverified | None = None
    undisclosed: OnUndisclosed = OnUndisclosed.INSERT
    check_short: bool = False
    fail_closed: bool = False
    window_tokens: int = WINDOW_TOKENS
    longest_tokens: int = LONGEST_TOKENS
    annotation: str = ANNOTATION
    abstention: str = ABSTENTION
    patience: float = PATIENCE

    @property
    def is_strict(self) -> bool:
        return self.mode is GuardMode.STRICT

    @property
    def on_refuted(self) -> OnRefuted:
        return self.refuted or (OnRefuted.HALT if self.is_strict else OnRefuted.REPAIR)

    @property
    def on_unverified(self) -> OnUnverified:
        return self.unverified or (OnUnverified.ANNOTATE if self.is_strict else OnUnverified.RELEASE)


def read_word(field: str, kind: type[Word], given: str) -> Word:
    """A choice by its name; an unknown one is refused with those that exist."""
    try:
        return kind(given)
    except ValueError:
        raise InvalidInput(field, f"{given!r} is none of {', '.join(kind)}") from None
