"""What every test shares: the hypothesis profiles, and the ledger of requirements at the end of a run."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

from ledger import find_citations, find_unshown, group_missing, read_catalogue

settings.register_profile("groundwire", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=500)
settings.load_profile("groundwire")

OUTCOMES = pytest.StashKey[dict[str, set[str]]]()
UNSHOWN = pytest.StashKey[tuple[str, ...]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OUTCOMES] = {}
    config.stash[UNSHOWN] = ()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.skipped:
        item.config.stash[OUTCOMES].setdefault(item.nodeid.partition("[")[0], set()).add(report.outcome)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A test that is skipped shows nothing: a run fails when that leaves a requirement without any."""
    config = session.config
    config.stash[UNSHOWN] = find_unshown(read_catalogue(), find_citations(), config.stash[OUTCOMES])
    if session.exitstatus == pytest.ExitCode.OK and config.stash[UNSHOWN]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    requirements = read_catalogue()
    shown = sum(requirement.shown for requirement in requirements)
    due = ", ".join(f"{len(ids)} in {milestone}" for milestone, ids in group_missing(requirements).items())
    terminalreporter.write_line(f"requirements: {shown} of {len(requirements)} shown; due: {due or 'none'}")
    for id in config.stash[UNSHOWN]:
        terminalreporter.write_line(f"{id} is marked as shown, but every test that cites it was skipped", red=True)
