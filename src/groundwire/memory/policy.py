"""How strict the gate is: the options of grounded ingestion, made from the settings."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.errors import InvalidSettings
from groundwire.memory.dedup import DedupMethod, default_threshold
from groundwire.settings import Settings

MAX_CONTENT_CHARACTERS = 8_192
MAX_METADATA_BYTES = 16_384


@dataclass(frozen=True, slots=True)
class GroundedIngestionConfig:
    """The defaults are the balanced preset.

    dedup_method                jaccard, minhash or vector
    dedup_threshold             0.92 of the words; 0.95 by meaning
    merge_paraphrases           whether the judge may find one statement in two wordings
    verify_claim_relevance      whether what is cited has to support the claim, and not just exist
    auto_approve_ai_synthesis   whether a claim that approved memories support at 0.8 or more needs no reviewer
    takes_caller_at_word        whether "conversation" needs no turns to show who said it: for the operator alone
    """

    dedup_method: str = DedupMethod.JACCARD
    dedup_threshold: float | None = None
    merge_paraphrases: bool = True
    verify_claim_relevance: bool = False
    auto_approve_ai_synthesis: bool = False
    takes_caller_at_word: bool = True
    max_content_characters: int = MAX_CONTENT_CHARACTERS
    max_metadata_bytes: int = MAX_METADATA_BYTES

    def __post_init__(self) -> None:
        if self.dedup_method not in tuple(DedupMethod):
            raise InvalidSettings(f"dedup_method: {self.dedup_method!r} is none of {', '.join(DedupMethod)}")
        if self.dedup_threshold is not None and not 0.0 < self.dedup_threshold <= 1.0:
            raise InvalidSettings(f"dedup_threshold: must be above 0 and at most 1, not {self.dedup_threshold!r}")

    @property
    def method(self) -> DedupMethod:
        return DedupMethod(self.dedup_method)

    @property
    def threshold(self) -> float:
        return self.dedup_threshold if self.dedup_threshold is not None else default_threshold(self.method)

    @classmethod
    def preset(cls, name: str) -> GroundedIngestionConfig:
        """strict, balanced or permissive."""
        return cls.from_settings(Settings.preset(name))

    @classmethod
    def from_settings(cls, settings: Settings) -> GroundedIngestionConfig:
        is_vector = settings.dedup_method == DedupMethod.VECTOR
        return cls(
            dedup_method=settings.dedup_method,
            dedup_threshold=settings.dedup_vector_threshold if is_vector else settings.dedup_threshold,
            merge_paraphrases=settings.merge_paraphrases,
            verify_claim_relevance=settings.verify_claim_relevance,
            auto_approve_ai_synthesis=settings.auto_approve_ai_synthesis,
            max_content_characters=settings.max_memory_characters,
        )


def find_leniencies(settings: Settings) -> tuple[str, ...]:
    """Defences that a deployment has switched off; every decision made without them says so."""
    return tuple(
        text
        for is_so, text in (
            (settings.auto_approve_ai_synthesis, "what a model concludes may be approved without a reviewer"),
            (not settings.merge_paraphrases, "paraphrases are not recognised as duplicates"),
            (settings.check_urls and not settings.url_hosts, "any public host may be asked about a citation"),
        )
        if is_so
    )
