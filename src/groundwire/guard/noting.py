"""The verdicts of a stream on their way to the log: those of one answer are written down together, at one moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from groundwire.types import VerificationReport

_MOST_WAITING = 200
"""Sentences of a long stream whose verdicts wait; memory stays bounded."""

Write = Callable[[VerificationReport, datetime], None]


class VerdictNotes:
    """One stream. `add` after each sentence, `write_down` when it is over or nobody wants it any more."""

    def __init__(self, write: Write, now: Callable[[], datetime]) -> None:
        self._write = write
        self._now = now
        self._moment: datetime | None = None
        self._waiting: list[VerificationReport] = []

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def add(self, report: VerificationReport) -> None:
        if report.claims:
            self._waiting.append(replace(report, text=""))
        if len(self._waiting) >= _MOST_WAITING:
            self.write_down()

    def write_down(self) -> None:
        """All under the moment of the first; sentences that rules judged alone are told from those of the model."""
        waiting, self._waiting = self._waiting, []
        for _, reports in groupby(waiting, key=lambda report: report.judge):
            first, *others = reports
            self._moment = self._moment or self._now()
            claims = [*first.claims, *(claim for report in others for claim in report.claims)]
            self._write(replace(first, claims=tuple(claims)), self._moment)
