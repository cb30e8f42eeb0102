from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_samples import House, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path / "memory.db") as opened:
        yield opened
