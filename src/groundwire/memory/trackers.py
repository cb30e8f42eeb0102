"""Whether a cited issue exists, asked of the tracker that the operator configured."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast
from urllib.parse import quote

from groundwire.errors import InvalidSettings, Unreachable
from groundwire.memory.fetching import Answer, Fetcher, parse_target
from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.types import Citation

TIMEOUT_S = 5.0


class TrackerKind(StrEnum):
    GITHUB = "github"
    GITLAB = "gitlab"


_HOMES = {TrackerKind.GITHUB: "https://api.github.com", TrackerKind.GITLAB: "https://gitlab.com/api/v4"}


@dataclass(frozen=True, slots=True)
class Tracker:
    """`project` is "owner/name"; `api` another server than the public one. The token goes to that server alone."""

    kind: TrackerKind
    project: str
    api: str = ""
    token: str | None = None

    def __post_init__(self) -> None:
        if "/" not in self.project.strip("/"):
            raise InvalidSettings(f"tracker_project: must be owner/name, not {self.project!r}")

    @property
    def home(self) -> str:
        base = (self.api or _HOMES[self.kind]).rstrip("/")
        project = self.project.strip("/")
        if self.kind is TrackerKind.GITHUB:
            return f"{base}/repos/{quote(project)}"
        return f"{base}/projects/{quote(project, safe='')}"

    @property
    def headers(self) -> Mapping[str, str]:
        shown = {"Accept": "application/json"}
        if self.token and self.kind is TrackerKind.GITHUB:
            shown["Authorization"] = f"Bearer {self.token}"
        elif self.token:
            shown["PRIVATE-TOKEN"] = self.token
        return shown


class IssueChecker:
    """Asks for one issue by its number; redirects are not followed, so the token cannot leave."""

    def __init__(
        self, tracker: Tracker, fetcher: Fetcher, clock: Callable[[], float], timeout_s: float = TIMEOUT_S
    ) -> None:
        self._tracker = tracker
        self._fetcher = fetcher
        self._clock = clock
        self._timeout_s = timeout_s
        self.scope = tracker.home

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        deadline = self._clock() + self._timeout_s
        if not citation.id.isdecimal():
            return CitationCheck(citation, CitationStatus.NOT_FOUND, "no issue is named so")
        try:
            answer = self._ask(f"/issues/{int(citation.id)}", deadline)
            if answer.status == 404 and self._ask("", deadline).status != 200:
                # A private project answers 404 to strangers, whatever they ask for.
                return CitationCheck(citation, CitationStatus.UNREACHABLE, "the tracker does not show the project")
        except Unreachable as error:
            return CitationCheck(citation, CitationStatus.UNREACHABLE, f"the tracker: {error}")
        reason = f"HTTP {answer.status}"
        if answer.status in (404, 410):
            return CitationCheck(citation, CitationStatus.NOT_FOUND, reason)
        issue = _read_issue(answer.body) if answer.status == 200 else None
        if issue is None or str(issue.get("number", issue.get("iid"))) != str(int(citation.id)):
            return CitationCheck(citation, CitationStatus.UNREACHABLE, reason)
        return CitationCheck(citation, CitationStatus.VERIFIED, reason, _describe(issue) if with_content else None)

    def _ask(self, path: str, deadline: float) -> Answer:
        return self._fetcher.fetch("GET", parse_target(self._tracker.home + path), deadline, self._tracker.headers)


def _read_issue(body: bytes) -> dict[str, object] | None:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, object], value) if isinstance(value, dict) else None


def _describe(issue: Mapping[str, object]) -> str:
    parts = (issue.get("title"), issue.get("body") or issue.get("description"))
    return "\n\n".join(part for part in parts if isinstance(part, str))
