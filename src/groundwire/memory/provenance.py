"""Citations that are really there: every detected one is looked up, and only what was found counts.

Models invent plausible citations. A checker for each kind says VERIFIED, NOT_FOUND or UNREACHABLE; a kind without a
checker is UNREACHABLE. Look-ups run side by side within one budget of time, and no claim is decided before they end.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import replace
from typing import Protocol

from groundwire.evidence.attempts import attempt
from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.text.citations import CitationDetector
from groundwire.types import Citation, CitationType

BUDGET_S = 5.0
KEPT_S: Mapping[CitationStatus, float] = {CitationStatus.VERIFIED: 24 * 3600.0, CitationStatus.NOT_FOUND: 600.0}
MOST_CITATIONS = 16
_MOST_KEPT = 10_000
_MOST_THREADS = 8
_UNCHECKED: Mapping[CitationType, str] = {
    CitationType.URL: "URL checks are switched off",
    CitationType.COMMIT: "no repository is configured",
    CitationType.ADR: "no repository is configured",
    CitationType.ISSUE: "no issue tracker is configured",
}

_REACH = 48
_WORD = re.compile(r"[a-z]+")
_STOP = re.compile(r"[.!?;]\s|\n")
_COMMITS = frozenset({"commit", "commits", "sha", "revision", "rev", "hash", "changeset", "reverts", "revert"})
_NUMBERED = frozenset(
    """
    order orders invoice serial tracking model part product flight booking reservation account customer article item
    device mac colour color password code ticket parcel shipment voucher coupon licence license plate checksum badge
    """.split()  # noqa: SIM905
)


class CitationChecker(Protocol):
    """Looks one kind of thing up. `scope` tells apart what the same id means elsewhere (the repository's path)."""

    @property
    def scope(self) -> str: ...

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck: ...


class CitationCache:
    """Results by artifact for as long as they may be relied on; what could not be checked is asked again."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, ...], tuple[float, CitationCheck]] = OrderedDict()

    def find(self, key: tuple[str, ...], *, with_content: bool) -> CitationCheck | None:
        with self._lock:
            entry = self._kept.get(key)
            if entry is None or self._clock() >= entry[0]:
                return None
            check = entry[1]
        return None if with_content and check.valid and check.content is None else check

    def keep(self, key: tuple[str, ...], check: CitationCheck) -> None:
        seconds = KEPT_S.get(check.status)
        if seconds is None:
            return
        with self._lock:
            self._kept[key] = (self._clock() + seconds, check)
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)


class CitationVerifier:
    """Detects the citations of a text and looks each of them up."""

    def __init__(
        self,
        checkers: Mapping[CitationType, CitationChecker],
        clock: Callable[[], float],
        *,
        budget_s: float = BUDGET_S,
        cache: CitationCache | None = None,
    ) -> None:
        self._checkers = checkers
        self._budget_s = budget_s
        self._cache = cache or CitationCache(clock)
        self._detector = CitationDetector()

    def verify(self, text: str, user_id: str, *, with_content: bool = False) -> tuple[CitationCheck, ...]:
        """One check a citation, in the order of the text; the same thing cited twice is looked up once."""
        citations = self._detector.detect(text)
        distinct = list(
            {(c.type, c.id.lower() if c.type is not CitationType.URL else c.id): c for c in citations}.values()
        )
        done: dict[int, CitationCheck] = {}
        open_ones: list[tuple[int, Citation, CitationChecker]] = []
        for place, citation in enumerate(distinct):
            checker = self._checkers.get(citation.type)
            if checker is None:
                done[place] = CitationCheck(citation, CitationStatus.UNREACHABLE, _UNCHECKED[citation.type])
            elif place >= MOST_CITATIONS:
                done[place] = CitationCheck(citation, CitationStatus.UNREACHABLE, "too many citations in one claim")
            elif (known := self._cache.find(_key(citation, checker), with_content=with_content)) is not None:
                done[place] = replace(known, citation=citation)
            else:
                open_ones.append((place, citation, checker))
        done |= self._look_up(open_ones, user_id, with_content)
        checks = (done[place] for place in range(len(distinct)))
        return tuple(check for check in checks if check.valid or is_meant(check.citation, text))

    def _look_up(
        self, questions: Sequence[tuple[int, Citation, CitationChecker]], user_id: str, with_content: bool
    ) -> dict[int, CitationCheck]:
        if not questions:
            return {}
        pool = ThreadPoolExecutor(min(len(questions), _MOST_THREADS), thread_name_prefix="groundwire-citation")
        futures: dict[Future[CitationCheck], tuple[int, Citation]] = {
            pool.submit(self._check, citation, checker, user_id, with_content): (place, citation)
            for place, citation, checker in questions
        }
        finished, late = wait_for(futures, timeout=self._budget_s)
        pool.shutdown(wait=False, cancel_futures=True)
        found = {futures[future][0]: future.result() for future in finished}
        for future in late:
            place, citation = futures[future]
            found[place] = CitationCheck(citation, CitationStatus.UNREACHABLE, "it took too long")
        return found

    def _check(self, citation: Citation, checker: CitationChecker, user_id: str, with_content: bool) -> CitationCheck:
        done = attempt(
            f"the check of a {citation.type.value}",
            lambda: checker.check(citation, user_id, with_content=with_content),
        )
        if done.value is None:
            return CitationCheck(citation, CitationStatus.UNREACHABLE, f"the check failed ({done.failure})")
        self._cache.keep(_key(citation, checker), done.value)
        return done.value


def is_meant(citation: Citation, text: str) -> bool:
    """Whether a token that was not found is a citation at all, and not a word or a number of another kind.

    Seven letters out of a to f without a digit are a word far more often than a hash; a number of an order is none.
    """
    if citation.type is not CitationType.COMMIT:
        return True
    before = text[max(0, citation.span.start - _REACH) : citation.span.start].lower()
    words = _WORD.findall(_STOP.split(before)[-1])[-3:]
    if not _COMMITS.isdisjoint(words):
        return True
    return not citation.id.isalpha() and _NUMBERED.isdisjoint(words)


def _key(citation: Citation, checker: CitationChecker) -> tuple[str, ...]:
    name = citation.id if citation.type is CitationType.URL else citation.id.lower()
    return citation.type.value, checker.scope, name
