"""A real small model, llama.cpp over HTTP, the proxy in front of it and the client that applications use."""

from __future__ import annotations

from pathlib import Path

import openai
import pytest
from scripted import run_proxy

import abstaining
from groundwire.guard.policy import GuardOptions, OnUnverified
from groundwire.surfaces.proxy.options import ProxyOptions

SAMPLE = 120
MESSAGES = [{"role": "user", "content": "In one short sentence: in which city do I live?"}]


@pytest.mark.slow
def test_a_real_small_model_says_nothing_through_the_proxy_that_memory_refutes(small_model: str, tmp_path: Path):
    """What it says is its own; whatever that is, it arrives in the form of the API with an account of it, and no city
    but the one that is remembered gets out as the user's."""
    options = ProxyOptions(GuardOptions(unverified=OnUnverified.REMOVE), context_tokens=300)
    with (
        run_proxy(tmp_path, small_model, options=options, seconds=600) as base,
        openai.OpenAI(base_url=base, api_key="none", max_retries=0, timeout=900) as ai,
    ):
        whole = ai.chat.completions.create(
            model="smollm2", messages=MESSAGES, max_tokens=40, temperature=0, seed=1  # pyright: ignore
        )  # fmt: skip
        stream = list(
            ai.chat.completions.create(
                model="smollm2", messages=MESSAGES, max_tokens=40, temperature=0, seed=1, stream=True  # pyright: ignore
            )
        )  # fmt: skip
        assert ai.models.list().data, "and what is no chat passes through"
    text = whole.choices[0].message.content or ""
    streamed = "".join(one.choices[0].delta.content or "" for one in stream if one.choices)
    assert whole.choices[0].finish_reason in ("stop", "length", "content_filter")
    assert [one.choices[0].finish_reason for one in stream if one.choices and one.choices[0].finish_reason]
    assert whole.usage is not None and whole.usage.completion_tokens > 0
    for said, told in ((text, whole.model_extra), (streamed, stream[-1].model_extra)):
        assert told is not None
        account = told["groundwire"]
        assert account["injected"] >= 1
        (choice,) = account["choices"]
        refuted = [claim for claim in choice["claims"] if claim["verdict"] == "REFUTED"]
        assert choice["halted"] or choice["repaired"] or not refuted
        if not choice["abstained"]:
            assert all(claim["text"] not in said for claim in refuted)


@pytest.mark.slow
@pytest.mark.requirement("OPS-004")
def test_a_real_small_model_does_better_when_it_is_asked_again(small_model: str):
    """Every branch has other sampling and its own guidance. How often it abstains is told and not held to the band,
    which is for a model that is mostly right."""
    queries = abstaining.read_queries()[:SAMPLE]
    model = abstaining.LiveModel(small_model)
    figures = abstaining.run(abstaining.open_house("mini"), queries, model, OnUnverified.ANNOTATE)
    print(figures)  # read with `pytest -s`
    assert figures.branches >= SAMPLE / 20
    assert figures.branch_success is not None
    assert figures.branch_success >= abstaining.ENOUGH_IMPROVED / 2, (
        "some twenty branches are too few for the mark itself"
    )
