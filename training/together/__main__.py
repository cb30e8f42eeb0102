"""One part of a run, as the driver starts it; `python -m training together` starts them all."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from training.together import asking, judging, learning, writing
from training.together.exchange import Exchange
from training.together.parts import FOLDER, Part, configure
from training.work import Work

PARTS = {"writer": writing.run, "judge": judging.run, "mentor": asking.run, "base": learning.run, "mini": learning.run}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m training.together", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--began", type=float, required=True, help="when the run began, in seconds since 1970")
    parser.add_argument("--seconds", type=float, required=True, help="how long the run may take")
    parser.add_argument("--attempt", type=int, default=1)
    parser.add_argument("--writer", type=Path)
    parser.add_argument("--mentor", type=Path)
    options = parser.parse_args(arguments)
    exchange = Exchange(options.work / FOLDER, options.began, options.seconds)

    def say(line: str) -> None:
        print(f"[{exchange.clock() - exchange.began:7.1f} s] {line}", flush=True)

    config = configure(tomllib.loads(options.config.read_text(encoding="utf-8")))
    work = Work(options.work, config, say)
    PARTS[options.part](Part(options.part, work, exchange, options.writer, options.mentor, options.attempt))
    return 0


if __name__ == "__main__":
    sys.exit(main())
