"""Starts the parts when their time comes, begins those that fail again, and ends those that are late."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from training.pipeline import NotReady, Request
from training.published import lend_tokenizer
from training.together.exchange import Exchange
from training.together.parts import FOLDER, TOKENIZER, configure
from training.together.sharing import share_gpu

_PAUSE = 0.5


class Process(Protocol):
    """What is used of a process."""

    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def wait(self) -> int: ...


@dataclass(frozen=True)
class Job:
    """A part of the run; `begin` and `end` are shares of its time."""

    name: str
    begin: float
    end: float


@dataclass
class Driver:
    """`start` is given a job and the number of the attempt; a part that is late by `grace` seconds is ended."""

    exchange: Exchange
    start: Callable[[Job, int], Process]
    restarts: int
    grace: float
    say: Callable[[str], None]

    def run(self, jobs: Sequence[Job]) -> dict[str, bool]:
        """Which of the parts ended well. A job whose time has not come begins when all others are done."""
        waiting, running = list(jobs), dict[Job, Process]()
        tries, ended = Counter[str](), dict[str, bool]()
        try:
            while waiting or running:
                for job in [j for j in waiting if self.exchange.left(j.begin) <= 0 or (waiting == [j] and not running)]:
                    waiting.remove(job)
                    running[job] = self._start(job, tries)
                for job, process in list(running.items()):
                    code = self._look(job, process)
                    if code is None:
                        continue
                    self.say(f"together: {job.name} ended with {code}")
                    del running[job]
                    if code and tries[job.name] <= self.restarts and self.exchange.left(job.end) > 0:
                        running[job] = self._start(job, tries)
                        continue
                    ended[job.name] = code == 0
                    self.exchange.mark(f"{job.name}-done")
                self.exchange.pause(_PAUSE)
        finally:
            for process in running.values():
                process.kill()
                process.wait()
        return ended

    def _start(self, job: Job, tries: Counter[str]) -> Process:
        tries[job.name] += 1
        self.say(f"together: {job.name} begins")
        return self.start(job, tries[job.name])

    def _look(self, job: Job, process: Process) -> int | None:
        code = process.poll()
        if code is None and self.exchange.left(job.end) < -self.grace:
            process.kill()
            code = process.wait()
        return code


def run_together(request: Request, config: Path, seconds: float) -> None:
    """`mini.pt` after that many seconds, from `train` and `extra`; the other stages go on from there."""
    if request.has("mini.pt"):
        request.say("together: done already")
        return
    if not request.has("train.jsonl.gz"):
        raise NotReady(f"together needs {request.root / 'train.jsonl.gz'}: run the stage 'prepare' first")
    settings: dict[str, Any] = configure(request.config)[FOLDER]
    lend_tokenizer(request.root / TOKENIZER, request.config["published"])
    exchange = Exchange(request.root / FOLDER, time.time(), seconds)
    left_out = {name for name in ("writer", "mentor") if getattr(request, name) is None}
    for name in left_out:
        request.say(f"together: no {name}, since no file was given as --{name}")
    for mark in ("writer-tuned", "writer-done", "judge-done", "mentor-done", "mini-done"):
        (exchange.root / "marks" / mark).unlink(missing_ok=True)  # of a run that was cut off
    for mark in ("writer-tuned", "writer-done") if "writer" in left_out else ():
        exchange.mark(mark)
    jobs = [
        Job(name, float(own["begin"]), float(own["end"]))
        for name, own in settings["parts"].items()
        if name not in left_out
    ]
    with share_gpu(exchange.root, request.say) as environment:

        def start(job: Job, attempt: int) -> Process:
            command = [sys.executable, "-m", "training.together", job.name, "--work", str(request.root)]
            command += ["--config", str(config), "--began", repr(exchange.began), "--seconds", repr(seconds)]
            command += ["--attempt", str(attempt)]
            for name in ("writer", "mentor"):
                given: Path | None = getattr(request, name)
                command += [] if given is None else [f"--{name}", str(given)]
            with exchange.open_log(job.name) as log:
                return subprocess.Popen(command, stdout=log, stderr=log, env=environment)

        driver = Driver(exchange, start, int(settings["restarts"]), float(settings["grace"]), request.say)
        driver.run(jobs)
    if not request.has("mini.pt"):
        raise NotReady(f"mini did not get so far: see {exchange.root / 'log' / 'mini.log'}")
