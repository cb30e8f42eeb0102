"""What every adapter does with an answer, without any framework."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator

import pytest

from groundwire.app import Groundwire
from groundwire.errors import MissingExtra
from groundwire.integrations.answers import WITHHELD, AnswerCheck, summarise
from groundwire.settings import Settings
from groundwire.types import Passage

ADAPTERS = {
    "langchain": ("langchain", "langchain"),
    "llamaindex": ("llama_index", "llamaindex"),
    "openai_agents": ("agents", "openai-agents"),
    "litellm": ("litellm", "litellm"),
}


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with Groundwire(None, settings=Settings(judge="rules")) as library:
        for text in ("I live in Porto.", "I work at Initech.", "I work at Globex."):
            library.remember(text, user="ada")
        library.remember("I live in Oslo.", user="eve")
        yield library


def test_what_holds_is_left_as_it_is(gw: Groundwire):
    checked = AnswerCheck(gw, user="ada").check("You live in Porto.")
    assert (checked.text, checked.is_flagged, checked.problem) == ("You live in Porto.", False, "")


def test_what_is_refuted_is_put_right(gw: Groundwire):
    checked = AnswerCheck(gw, user="ada").check("Sure! You live in Rome.")
    assert checked.text == "Sure! You live in Porto."
    assert "“You live in Rome” is wrong" in checked.problem


def test_a_contradiction_that_is_hidden_is_disclosed(gw: Groundwire):
    checked = AnswerCheck(gw, user="ada").check("You work at Initech.")
    assert "Globex" in checked.text
    assert "not disclosed" in checked.problem


@pytest.mark.parametrize(
    ("remedy", "text"), [("flag", "You live in Rome."), ("block", WITHHELD), ("correct", "You live in Porto.")]
)
def test_the_remedy_decides_what_is_said(gw: Groundwire, remedy: str, text: str):
    checked = AnswerCheck(gw, user="ada", remedy=remedy).check("You live in Rome.")
    assert (checked.text, checked.is_flagged) == (text, True)


def test_an_answer_may_say_more_than_memory_knows_unless_it_is_strict(gw: Groundwire):
    answer = "You live in Porto. Your sister is called Ann."
    assert AnswerCheck(gw, user="ada").check(answer).text == answer
    strict = AnswerCheck(gw, user="ada", strict=True).check(answer)
    assert (strict.text, strict.is_flagged) == (WITHHELD, True)
    assert "not borne out" in strict.problem


def test_the_user_may_be_found_in_the_call(gw: Groundwire):
    check = AnswerCheck(gw, user=lambda call: call["user"])
    assert check.check("You live in Rome.", {"user": "ada"}).text == "You live in Porto."
    assert check.check("You live in Rome.", {"user": "eve"}).text == "You live in Oslo."
    assert asyncio.run(check.check_async("You live in Rome.", {"user": "eve"})).text == "You live in Oslo."


def test_passages_take_the_place_of_memories(gw: Groundwire):
    check = AnswerCheck(gw, user="ada")
    assert not check.check_against("You live in Rome.", [Passage("p", "You live in Rome.")]).is_flagged


def test_the_summary_is_plain_json(gw: Groundwire):
    kept = summarise(AnswerCheck(gw, user="ada").check("You live in Rome."))
    assert json.loads(json.dumps(kept)) == kept
    assert (kept["grounded"], kept["flagged"], kept["hallucinations"]) == (False, True, ["Rome"])


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_without_its_package_names_the_extra(adapter: str, monkeypatch: pytest.MonkeyPatch):
    package, extra = ADAPTERS[adapter]
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"groundwire.integrations.{adapter}", raising=False)
    with pytest.raises(MissingExtra, match=rf'pip install "groundwire\[{extra}\]"'):
        importlib.import_module(f"groundwire.integrations.{adapter}")
