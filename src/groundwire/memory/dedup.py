"""Whether a claim is stored already: the same words, nearly the same words, or the same said differently.

    normalised digest  →  Jaccard of the words  →  MinHash for near duplicates at scale  →  paraphrase, judged both ways

Every stage but the first asks `opposition` whether something speaks against it, so that "loves coffee" and
"hates coffee" never become one memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from groundwire.judge.judge import Judge
from groundwire.memory.existing import ExistingMemories, content_of
from groundwire.memory.fingerprints import digest_of, find_topics, jaccard, split_words
from groundwire.memory.minhash import bands_of
from groundwire.memory.opposition import find_difference, find_other_values
from groundwire.memory.receipts import DuplicateResult
from groundwire.types import Memory, Passage, Verdict, VerifierInput

JACCARD_THRESHOLD = 0.92
VECTOR_THRESHOLD = 0.95
MUTUAL_SUPPORT = 0.8
"""How sure the judge has to be, in both directions, to call two wordings one statement."""
_ALIKE = 16
_NEAR = 6
_ABOUT = 4
_SHARED = 0.5
"""A paraphrase shares at least half of the concepts of the shorter text; below that the judge is not asked."""


class DedupMethod(StrEnum):
    """JACCARD also compares with the nearest memories, MINHASH with those of a common band alone, VECTOR by meaning."""

    JACCARD = "jaccard"
    MINHASH = "minhash"
    VECTOR = "vector"


class DedupChecker:
    """Finds the stored memory that a claim repeats. Whatever the provider raises is for the caller to handle."""

    def __init__(
        self,
        provider: ExistingMemories,
        threshold: float | None = None,
        *,
        method: DedupMethod = DedupMethod.JACCARD,
        judge: Judge | None = None,
    ) -> None:
        """Without a judge no paraphrase is found, and the vector method finds nothing that it could confirm."""
        self.provider = provider
        self.method = method
        self.threshold = threshold if threshold is not None else default_threshold(method)
        self._judge = judge

    def check_duplicate(self, content: str, user_id: str, memory_type: str = "") -> DuplicateResult:
        """The search covers all of the owner's memories of any type, those that wait for a reviewer included."""
        words = split_words(content)
        same = self.provider.find_exact(user_id, digest_of(words))
        if same is not None and split_words(same.text) == words:
            return DuplicateResult(True, 1.0, same.id, "exact")
        near = list(self.provider.find_near(user_id, content, _NEAR)) if self.method is not DedupMethod.MINHASH else []
        lexical = self._find_lexical(content, words, user_id, [memory for memory, _ in near])
        if lexical.is_duplicate or self._judge is None:
            return lexical
        if self.method is DedupMethod.VECTOR:
            meant = self._confirm(content, ((m, s) for m, s in near if s >= self.threshold), "vector", self._judge)
        else:
            around = self._find_around(content, user_id, [memory for memory, _ in near])
            meant = self._confirm(content, ((memory, 0.0) for memory in around), "paraphrase", self._judge)
        return meant or lexical

    def _find_lexical(self, content: str, words: list[str], user_id: str, near: list[Memory]) -> DuplicateResult:
        ours = frozenset(words)
        alike = self.provider.find_alike(user_id, bands_of(ours), _ALIKE)
        least = JACCARD_THRESHOLD if self.method is DedupMethod.VECTOR else self.threshold
        best = DuplicateResult(False, 0.0)
        for memory in _distinct([*alike, *near]):
            similarity = jaccard(ours, set(split_words(memory.text)))
            # A duplicate outranks whatever is only similar, however similar.
            is_duplicate = similarity >= least and find_difference(content, memory.text) is None
            if (is_duplicate, similarity) > (best.is_duplicate, best.similarity):
                best = DuplicateResult(is_duplicate, similarity, memory.id if is_duplicate else None, self._name())
        return best

    def _name(self) -> str:
        return "minhash" if self.method is DedupMethod.MINHASH else "jaccard"

    def _find_around(self, content: str, user_id: str, near: list[Memory]) -> Iterator[Memory]:
        """Those that speak of the same thing and share enough of their concepts to be the same statement."""
        ours = content_of(split_words(content))
        about = self.provider.find_about(user_id, find_topics(content), _ABOUT)
        for memory in _distinct([*near, *about]):
            theirs = content_of(split_words(memory.text))
            least = min(len(ours), len(theirs))
            if least and len(ours & theirs) >= _SHARED * least:
                yield memory

    def _confirm(
        self, content: str, candidates: Iterable[tuple[Memory, float]], method: str, judge: Judge
    ) -> DuplicateResult | None:
        for memory, similarity in candidates:
            if find_other_values(content, memory.text) is not None:
                continue
            support = _mutual_support(content, memory.text, judge)
            if support >= MUTUAL_SUPPORT:
                return DuplicateResult(True, similarity or support, memory.id, method)
        return None


def default_threshold(method: DedupMethod) -> float:
    return VECTOR_THRESHOLD if method is DedupMethod.VECTOR else JACCARD_THRESHOLD


def _mutual_support(left: str, right: str, judge: Judge) -> float:
    """The lesser of the two confidences with which each supports the other; 0 when one does not."""
    least = 1.0
    for claim, evidence in ((left, right), (right, left)):
        output = judge.judge(VerifierInput(claim, (Passage("existing", evidence),)))
        if output.verdict is not Verdict.SUPPORTED:
            return 0.0
        least = min(least, output.confidence)
    return least


def _distinct(memories: Iterable[Memory]) -> list[Memory]:
    return list({memory.id: memory for memory in memories}.values())
