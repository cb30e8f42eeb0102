"""What was done to an answer: an object for its end, and headers for its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundwire.guard.events import Abstain, Branch, Halt, Release, Repair, StreamEvent
from groundwire.surfaces.responses import JsonObject, describe_claim_report
from groundwire.types import ClaimReport, Verdict

HANDLED = "X-Groundwire-Handled"
GUARDED, NOT_GUARDED = "guarded", "none"
_MOST_CLAIMS = 100
_MOST_REASONS = 20


@dataclass(slots=True)
class ChoiceAccount:
    """One choice. It is grounded when all of it that was shown is verified and supported."""

    index: int
    released: int = 0
    repaired: int = 0
    halted: bool = False
    abstained: bool = False
    branches: int = 0
    is_doubtful: bool = False
    reasons: list[str] = field(default_factory=list[str])
    caveats: list[str] = field(default_factory=list[str])
    claims: list[ClaimReport] = field(default_factory=list[ClaimReport])

    @property
    def grounded(self) -> bool:
        return not (self.abstained or self.is_doubtful or self.caveats)

    def add(self, event: StreamEvent) -> None:
        match event:
            case Release():
                self.released += len(event.text)
                self._note(event.claims, event.caveat, event.reason if event.caveat else "")
                self.is_doubtful |= bool(event.claims) and not event.is_verified
            case Repair():
                self.repaired += 1
                self.released += 0 if event.takes_back else len(event.text)
                self._note(event.claims, event.caveat, event.reason)
                self.is_doubtful |= event.takes_back or not event.is_verified
            case Halt():
                self.halted = True
                self._note(event.claims, (), event.reason)
            case Branch():
                self.branches = max(self.branches, event.number)
                if event.is_accepted:
                    self.released += len(event.text)
                    self._note(event.claims, event.caveat, "")
            case Abstain():
                self.abstained = True
                self.branches = event.branch_count
            case _:
                pass

    def _note(self, claims: Sequence[ClaimReport], caveat: Sequence[str], reason: str) -> None:
        self.claims += list(claims)[: _MOST_CLAIMS - len(self.claims)]
        self.caveats += list(caveat)[: _MOST_CLAIMS - len(self.caveats)]
        if reason and len(self.reasons) < _MOST_REASONS:
            self.reasons.append(reason)

    def finish(self, *, is_unsupported: bool) -> None:
        """What the guard counted and no event told: in `fast`, what was shown before it was looked at."""
        self.is_doubtful |= is_unsupported

    def as_json(self) -> JsonObject:
        return {
            "index": self.index,
            "grounded": self.grounded,
            "released": self.released,
            "repaired": self.repaired,
            "halted": self.halted,
            "abstained": self.abstained,
            "branches": self.branches,
            "reasons": self.reasons,
            "caveats": self.caveats,
            "claims": [describe_claim_report(claim) for claim in self.claims],
        }


@dataclass(slots=True)
class Account:
    """One request."""

    request_id: str
    user: str
    mode: str
    injected: int = 0
    choices: list[ChoiceAccount] = field(default_factory=list[ChoiceAccount])
    extra_usage: dict[str, int] = field(default_factory=dict[str, int])
    """Tokens of the branches, which the upstream's own `usage` knows nothing of."""

    @property
    def grounded(self) -> bool:
        return all(choice.grounded for choice in self.choices)

    def as_json(self) -> JsonObject:
        described: JsonObject = {
            "handled": GUARDED,
            "mode": self.mode,
            "request_id": self.request_id,
            "grounded": self.grounded,
            "injected": self.injected,
            "choices": [choice.as_json() for choice in self.choices],
        }
        return {**described, "extra_usage": self.extra_usage} if self.extra_usage else described

    def begin_headers(self) -> list[tuple[str, str]]:
        """What is known before the first word."""
        return [
            (HANDLED, GUARDED),
            ("X-Groundwire-Mode", self.mode),
            ("X-Groundwire-Request-Id", self.request_id),
            ("X-Groundwire-Injected", str(self.injected)),
        ]

    def all_headers(self) -> list[tuple[str, str]]:
        choices = self.choices
        refuted = sum(claim.verdict is Verdict.REFUTED for choice in choices for claim in choice.claims)
        return [
            *self.begin_headers(),
            ("X-Groundwire-Released", str(sum(choice.released for choice in choices))),
            ("X-Groundwire-Repaired", str(sum(choice.repaired for choice in choices))),
            ("X-Groundwire-Halted", str(sum(choice.halted for choice in choices))),
            ("X-Groundwire-Abstained", str(sum(choice.abstained for choice in choices))),
            ("X-Groundwire-Branches", str(sum(choice.branches for choice in choices))),
            ("X-Groundwire-Refuted", str(refuted)),
            ("X-Groundwire-Grounded", "true" if self.grounded else "false"),
        ]
