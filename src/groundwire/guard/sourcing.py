"""Where the evidence of one stream comes from: given once, or looked up for each sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, overload

from groundwire.errors import ModelUnavailable
from groundwire.guard.kept import ValueStore
from groundwire.guard.supervision import Verified
from groundwire.judge.rules import RULES
from groundwire.text.reading import read_text
from groundwire.types import Memory, Scope, VerificationReport, VerifyMode
from groundwire.verify.excerpts import Excerpt
from groundwire.verify.report import Ground, GroundCheckVerifier

if TYPE_CHECKING:
    from groundwire.settings import Settings

_SECONDS_GOOD = 1.0


class Judges(Protocol):
    """What judges in this house, and why the model that was asked for is not among it."""

    @property
    def verifier(self) -> GroundCheckVerifier: ...
    @property
    def problem(self) -> ModelUnavailable | None: ...
    @property
    def model(self) -> str: ...


class Gathering(Protocol):
    def gather(self, scope: Scope, claims: Sequence[str], now: datetime) -> Sequence[Memory]: ...


class Holding(Protocol):
    @property
    def sessions(self) -> ValueStore: ...


class Remembering(Protocol):
    """What is remembered, as far as a stream needs it: evidence for claims, and a place for records."""

    @property
    def grounds(self) -> Gathering: ...
    @property
    def store(self) -> Holding: ...
    def log_report(self, scope: Scope, report: VerificationReport, now: datetime, model: str) -> VerificationReport: ...


@dataclass(frozen=True, slots=True)
class House:
    """What a stream needs of the house that it is guarded in."""

    settings: Settings
    open_judges: Callable[[], Judges]
    open_memory: Callable[[], Remembering]
    warm_up: Callable[[], None]
    tell_ticks: Callable[[], float]


class Source:
    """The evidence of one stream: given once, or looked up for each sentence."""

    def __init__(self, house: House, given: list[Memory] | None, scope: Scope, now: datetime) -> None:
        self._house = house
        self._given = given
        self._scope = scope
        self._now = now
        self._ground: Ground | None = None
        self._gathered: tuple[Memory, ...] = ()
        self._good_until = float("-inf")
        self._rules = GroundCheckVerifier(house.settings)

    def verify(self, text: str, excerpt: Excerpt, mode: VerifyMode, branch_count: int) -> Verified:
        opened = self._house.open_judges()
        return self._run(opened.verifier, opened.problem, text, excerpt, mode, branch_count)

    def verify_by_rules(self, text: str, excerpt: Excerpt, mode: VerifyMode, branch_count: int) -> Verified:
        return self._run(self._rules, None, text, excerpt, mode, branch_count)

    def prepare(self) -> None:
        """What is done once for a stream, or for all of them: not a part of verifying."""
        self._house.open_judges()
        self._house.warm_up()
        if self._given is not None:
            self._ground = self._rules.prepare(self._given)

    def _run(
        self,
        verifier: GroundCheckVerifier,
        missing: ModelUnavailable | None,
        text: str,
        excerpt: Excerpt,
        mode: VerifyMode,
        branch_count: int,
    ) -> Verified:
        ground = self._find_ground(text, excerpt)
        report = verifier.verify(text, ground, mode=mode, branch_count=branch_count, excerpt=excerpt)
        problem = missing or (verifier.problem if report.judge == RULES else None)
        memories = ground.index.memories
        cited = {id: memories[id].text for claim in report.claims for id in claim.evidence if id in memories}
        return Verified(report, cited, str(problem) if problem is not None else "")

    def _find_ground(self, text: str, excerpt: Excerpt) -> Ground:
        """Memories that are the same as a sentence ago are not read again, nor asked for twice within a second where
        they are the same for every sentence."""
        if self._given is not None and self._ground is not None:
            return self._ground
        ticks = self._house.tell_ticks()
        if self._ground is not None and ticks < self._good_until:
            return self._ground
        claims = _Claims(text, excerpt, self._house.settings.max_claims)
        gathered = tuple(self._house.open_memory().grounds.gather(self._scope, claims, self._now))
        self._good_until = float("-inf") if claims.were_read else ticks + _SECONDS_GOOD
        if self._ground is None or gathered != self._gathered:
            self._gathered, self._ground = gathered, self._rules.prepare(gathered)
        return self._ground


class _Claims(Sequence[str]):
    """The claims of an excerpt; read when somebody looks for evidence by them, which a small store does without."""

    def __init__(self, text: str, excerpt: Excerpt, most: int) -> None:
        self._text = text
        self._excerpt = excerpt
        self._most = most

    @property
    def were_read(self) -> bool:
        return "_read" in self.__dict__

    @cached_property
    def _read(self) -> list[str]:
        start = self._excerpt.start
        reading = read_text(self._text, discourse=self._excerpt.discourse, since=start)
        claims = [read.claim.text for read in reading.claims if read.claim.span.start >= start]
        return claims[: self._most] or [self._text[start:]]

    @overload
    def __getitem__(self, place: int, /) -> str: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[str]: ...
    def __getitem__(self, place: int | slice, /) -> str | list[str]:
        return self._read[place]

    def __len__(self) -> int:
        return len(self._read)
