"""How much work something is, told so that a busy machine does not change the answer."""

import sys
import time
from collections.abc import Callable

BLOW_UP = 60.0
"""Seconds of processor time. What is tested against it takes about one: only growth out of hand reaches it. Speed
itself is measured in benchmarks/."""


def count_calls(work: Callable[[], object]) -> int:
    """Calls of functions that the work makes, in Python and in C: the same on every machine."""
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(previous)
    return calls


def stays_cheap(work: Callable[[], object]) -> bool:
    """Whether the work ends before anybody would call it hanging."""
    started = time.process_time()
    work()
    return time.process_time() - started < BLOW_UP
