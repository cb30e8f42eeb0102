from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from service_samples import Desk, open_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path / "memory.db") as opened:
        yield opened
