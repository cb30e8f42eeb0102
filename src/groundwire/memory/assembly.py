"""The write gate as the settings want it: which citations can be looked up, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from groundwire.judge.judge import Judge
from groundwire.memory.addresses import AnyAddress, PublicAddresses
from groundwire.memory.commits import CommitChecker
from groundwire.memory.existing import ExistingMemories
from groundwire.memory.fetching import Fetcher
from groundwire.memory.gate import IngestionValidator
from groundwire.memory.policy import GroundedIngestionConfig
from groundwire.memory.provenance import CitationCache, CitationChecker, CitationVerifier
from groundwire.memory.records import FOLDERS, RecordChecker
from groundwire.memory.trackers import IssueChecker, Tracker, TrackerKind
from groundwire.memory.urls import UrlChecker, UrlOptions
from groundwire.settings import Settings
from groundwire.types import CitationType

Clock = Callable[[], float]


class GateBuilder:
    """Makes gates that share what outlives one call: the cache of checked citations and the rates of URL checks."""

    def __init__(
        self,
        settings: Settings,
        *,
        judge: Judge,
        relevance_judge: Callable[[], Judge],
        now: Callable[[], datetime],
        clock: Clock,
        git: str = "git",
    ) -> None:
        self._settings = settings
        self._config = GroundedIngestionConfig.from_settings(settings)
        self._judge = judge
        self._relevance_judge = relevance_judge
        self._now = now
        self._clock = clock
        self._git = git
        self._cache = CitationCache(clock)
        self._remote = _make_remote_checkers(settings, clock)

    def build(
        self, provider: ExistingMemories, *, repository: str | None = None, now: Callable[[], datetime] | None = None
    ) -> IngestionValidator:
        """`repository` and `now` of the call come before those of the settings."""
        checkers = {**self._remote, **self._make_local_checkers(repository or self._settings.repository)}
        config = self._config
        reads = config.verify_claim_relevance or config.auto_approve_ai_synthesis
        return IngestionValidator(
            provider,
            judge=self._judge,
            now=now or self._now,
            verifier=CitationVerifier(checkers, self._clock, cache=self._cache),
            config=config,
            relevance_judge=self._relevance_judge() if reads else None,
        )

    def _make_local_checkers(self, repository: str) -> dict[CitationType, CitationChecker]:
        if not repository:
            return {}
        home = Path(repository).expanduser()
        folders = (self._settings.adr_folder,) if self._settings.adr_folder else FOLDERS
        return {
            CitationType.COMMIT: CommitChecker(home, self._git),
            CitationType.ADR: RecordChecker(home, folders),
        }


def _make_remote_checkers(settings: Settings, clock: Clock) -> dict[CitationType, CitationChecker]:
    """What needs the network, and only what was switched on."""
    checkers: dict[CitationType, CitationChecker] = {}
    if settings.check_urls:
        options = UrlOptions(hosts=frozenset(settings.url_hosts))
        checkers[CitationType.URL] = UrlChecker(Fetcher(PublicAddresses(), clock), clock, options)
    if settings.tracker:
        tracker = Tracker(TrackerKind(settings.tracker), settings.tracker_project, settings.tracker_api)
        policy = AnyAddress() if settings.tracker_api else PublicAddresses()
        checkers[CitationType.ISSUE] = IssueChecker(tracker, Fetcher(policy, clock), clock)
    return checkers
