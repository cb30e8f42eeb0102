"""The proxy's benchmark: it measures what it says, on a few fast streams."""

from __future__ import annotations

import pytest

from proxy import ANSWER, FIRST, measure, split_tokens


def test_tokens_put_together_are_the_answer():
    assert "".join(split_tokens(ANSWER)) == ANSWER and ANSWER.startswith(FIRST)


@pytest.mark.slow
def test_a_few_streams_come_through_whole():
    found = measure("rules", streams=1, concurrent=4, rate=300)
    assert found.mixed_up == 0 and found.concurrent == 4
    assert found.memory_mb > 0 and found.cpu_ms_a_stream >= 0
