"""What an operator wants of the proxy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from groundwire.guard.policy import GuardMode, GuardOptions

SECONDS = 600.0
MOST_BYTES = 32 * 1024 * 1024
MOST_CONTEXT = 100_000


@dataclass(frozen=True, slots=True)
class ProxyOptions:
    """`context_tokens` is how much of a prompt may be memories, 0 for none; `upstream_key` goes upstream where a client
    sends no credential for it."""

    guard: GuardOptions = field(default_factory=GuardOptions)
    context_tokens: int = 0
    most_bytes: int = MOST_BYTES
    upstream_key: str = field(default="", repr=False)

    @property
    def whole(self) -> GuardOptions:
        """For an answer that is not streamed: nothing has to be taken back, so `fast` is its policies alone."""
        guard = self.guard
        return replace(guard, mode=GuardMode.STRICT, refuted=guard.on_refuted, unverified=guard.on_unverified)
