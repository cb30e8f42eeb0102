from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from scripted import Asked, Reply, Start, Upstream, run_proxy, run_upstream


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts an upstream that answers so, and a proxy in front of it; both end with the test."""
    with ExitStack() as stack:

        def begin(*replies: Reply | Callable[[Asked], Reply], **options: Any) -> tuple[Upstream, str]:
            upstream = stack.enter_context(run_upstream(*replies))
            return upstream, stack.enter_context(run_proxy(tmp_path, upstream.address, **options))

        yield begin
