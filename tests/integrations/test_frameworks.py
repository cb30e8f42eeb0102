"""The adapters in the real frameworks, with models that say what the test tells them to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest

from groundwire.app import Groundwire
from groundwire.integrations.answers import WITHHELD
from groundwire.settings import Settings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # other people's deprecations are not ours to mend
]


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with Groundwire(None, settings=Settings(judge="rules")) as library:
        library.remember("I live in Porto.", user="ada")
        library.remember("I live in Oslo.", user="eve")
        yield library


# ── LangChain ───────────────────────────────────────────────────────────────────────────────────


def make_chat_model(*answers: object) -> Any:
    """LangChain's own fake model, which says these things in turn."""
    models = import_module("langchain_core.language_models.fake_chat_models")
    return models.GenericFakeChatModel(messages=iter(answers))


def test_langchain_middleware_puts_the_final_answer_right(gw: Groundwire):
    agents = pytest.importorskip("langchain.agents")
    from groundwire.integrations.langchain import NOTE, GroundedMiddleware

    middleware = [GroundedMiddleware(gw, user="ada")]
    agent = agents.create_agent(make_chat_model("Sure! You live in Rome."), tools=[], middleware=middleware)
    messages = agent.invoke({"messages": [{"role": "user", "content": "Where do I live?"}]})["messages"]
    assert [message.text for message in messages] == ["Where do I live?", "Sure! You live in Porto."]
    assert messages[-1].response_metadata[NOTE]["hallucinations"] == ["Rome"]


def test_langchain_middleware_leaves_tool_calls_alone_and_finds_the_user_in_the_context(gw: Groundwire):
    agents = pytest.importorskip("langchain.agents")
    messages_module = import_module("langchain_core.messages")
    from groundwire.integrations.langchain import GroundedMiddleware

    seen: list[str] = []

    def look_up(place: str) -> str:
        """Look something up."""
        seen.append(place)
        return "found"

    calling = messages_module.AIMessage(
        content="You live in Rome.", tool_calls=[{"name": "look_up", "args": {"place": "Rome"}, "id": "1"}]
    )
    model = make_chat_model(calling, "You live in Rome.")
    object.__setattr__(model, "bind_tools", lambda *_, **__: model)
    middleware = [GroundedMiddleware(gw, user=lambda runtime: runtime.context["user"])]
    agent = agents.create_agent(model, tools=[look_up], middleware=middleware, context_schema=dict)
    asked = {"messages": [{"role": "user", "content": "Where do I live?"}]}
    messages = asyncio.run(agent.ainvoke(asked, context={"user": "eve"}))["messages"]
    assert [message.text for message in messages[1:]] == ["You live in Rome.", "found", "You live in Oslo."]
    assert seen == ["Rome"]


@pytest.mark.parametrize(("remedy", "said"), [("flag", "You live in Rome."), ("block", WITHHELD)])
def test_langchain_remedies(gw: Groundwire, remedy: str, said: str):
    agents = pytest.importorskip("langchain.agents")
    from groundwire.integrations.langchain import NOTE, GroundedMiddleware

    middleware = [GroundedMiddleware(gw, user="ada", remedy=remedy)]
    agent = agents.create_agent(make_chat_model("You live in Rome."), tools=[], middleware=middleware)
    last = agent.invoke({"messages": [{"role": "user", "content": "Where do I live?"}]})["messages"][-1]
    assert (last.text, last.response_metadata[NOTE]["flagged"]) == (said, True)


def test_langchain_runnable_ends_a_chain(gw: Groundwire):
    pytest.importorskip("langchain_core")
    from groundwire.integrations.langchain import ground

    step: Any = ground(gw, user="ada")
    chain = make_chat_model("You live in Rome.", "You live in Rome.") | step
    assert chain.invoke("Where do I live?").text == "You live in Porto."
    assert asyncio.run(chain.ainvoke("Where do I live?")).text == "You live in Porto."
    assert step.invoke("You live in Rome.") == "You live in Porto."


# ── LlamaIndex ──────────────────────────────────────────────────────────────────────────────────


def test_llamaindex_evaluator_checks_memories_and_contexts(gw: Groundwire):
    pytest.importorskip("llama_index.core")
    from groundwire.integrations.llamaindex import GroundednessEvaluator

    evaluator: Any = GroundednessEvaluator(gw, user="ada")
    wrong = evaluator.evaluate(query="Where do I live?", response="You live in Rome.")
    assert (wrong.passing, wrong.score) == (False, 0.0)
    assert "is wrong" in wrong.feedback
    assert evaluator.evaluate(response="You live in Porto.").passing is True
    assert evaluator.evaluate(response="You live in Rome.", contexts=["The user lives in Rome."]).passing is True
    assert evaluator.evaluate(response=" ").invalid_result is True


def test_llamaindex_evaluator_reads_a_response_with_its_sources(gw: Groundwire):
    pytest.importorskip("llama_index.core")
    schema = import_module("llama_index.core.schema")
    response = import_module("llama_index.core.base.response.schema").Response(
        response="You live in Rome.",
        source_nodes=[schema.NodeWithScore(node=schema.TextNode(text="The user lives in Porto."), score=1.0)],
    )
    from groundwire.integrations.llamaindex import GroundednessEvaluator

    evaluator: Any = GroundednessEvaluator(gw, user="ada")
    assert evaluator.evaluate_response(response=response).passing is False


def test_llamaindex_filter_takes_out_what_memory_refutes(gw: Groundwire):
    pytest.importorskip("llama_index.core")
    schema = import_module("llama_index.core.schema")
    from groundwire.integrations.llamaindex import RememberedFilter

    texts = ("The user lives in Rome.", "The user lives in Porto.", "Rome is the capital of Italy.", " ")
    nodes = [schema.NodeWithScore(node=schema.TextNode(text=text), score=1.0) for text in texts]
    keep: Any = RememberedFilter
    kept = keep(gw=gw, user="ada").postprocess_nodes(nodes, query_str="Where does the user live?")
    assert [node.node.get_content() for node in kept] == list(texts[1:])


# ── OpenAI Agents SDK ───────────────────────────────────────────────────────────────────────────


def run_agent(agents: Any, outputs: list[Any], context: object = None, **options: object) -> Any:
    """One run of an agent whose model says these things in turn; nothing leaves the process."""
    models = import_module("agents.models.interface")
    items = import_module("agents.items")
    usage = import_module("agents.usage")
    left = list(outputs)

    class Told(models.Model):
        async def get_response(self, *_: object, **__: object) -> Any:
            return items.ModelResponse(output=[left.pop(0)], usage=usage.Usage(), response_id=None)

        def stream_response(self, *_: object, **__: object) -> Any:
            raise NotImplementedError

    agents.set_tracing_disabled(True)
    agent = agents.Agent(name="test", model=Told(), **options)
    return asyncio.run(agents.Runner.run(agent, "Where do I live?", context=context))


def say(text: str) -> Any:
    responses = import_module("openai.types.responses")
    content = [responses.ResponseOutputText(text=text, type="output_text", annotations=[], logprobs=[])]
    return responses.ResponseOutputMessage(
        id="1", type="message", role="assistant", content=content, status="completed"
    )


def use(name: str, arguments: str, number: int) -> Any:
    responses = import_module("openai.types.responses")
    names = {"id": f"item-{number}", "call_id": f"call-{number}", "name": name}
    return responses.ResponseFunctionToolCall(**names, type="function_call", arguments=arguments)


def test_openai_output_guardrail_trips_on_what_memory_refutes(gw: Groundwire):
    agents = pytest.importorskip("agents")
    from groundwire.integrations.openai_agents import guard_output

    guards = [guard_output(gw, user=lambda context: context.context["user"])]
    told = [say("You live in Porto.")]
    assert run_agent(agents, told, {"user": "ada"}, output_guardrails=guards).final_output == "You live in Porto."
    with pytest.raises(agents.OutputGuardrailTripwireTriggered) as caught:
        run_agent(agents, told, {"user": "eve"}, output_guardrails=guards)
    assert caught.value.guardrail_result.output.output_info["corrected"] == "You live in Oslo."


def test_openai_tool_guardrails_keep_what_memory_refutes_from_going_in_and_out(gw: Groundwire):
    agents = pytest.importorskip("agents")
    from groundwire.integrations.openai_agents import guard_tool_input, guard_tool_output

    sent: list[str] = []

    def send_letter(text: str) -> str:
        """Send a letter."""
        sent.append(text)
        return "The user lives in Rome." if "weather" in text else "sent"

    tool = agents.function_tool(
        send_letter,
        tool_input_guardrails=[guard_tool_input(gw, user="ada")],
        tool_output_guardrails=[guard_tool_output(gw, user="ada")],
    )
    arguments = ['{"text": "The user lives in Rome."}', '{"text": "The user lives in Porto."}', '{"text": "weather?"}']
    told = [*(use("send_letter", one, number) for number, one in enumerate(arguments)), say("Done.")]
    result = run_agent(agents, told, tools=[tool])
    assert sent == ["The user lives in Porto.", "weather?"]
    outputs = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    assert outputs[0].startswith("The call was not made")
    assert outputs[1] == "sent"
    assert outputs[2].startswith("The result is left out")


def test_openai_outputs_of_every_sort_are_read():
    pytest.importorskip("agents")
    from groundwire.integrations.openai_agents import read_arguments, read_output

    pydantic = import_module("pydantic")
    model = pydantic.create_model("Home", city=(str, ...), rooms=(int, 3))
    for output in (model(city="Rome"), Home("Rome"), {"city": "Rome"}, ["Rome"], "Rome", Odd()):
        assert read_output(output) == "Rome"
    assert read_arguments('{"a": ["Rome", {"b": "Oslo"}], "c": 1}') == "Rome\nOslo"
    assert read_arguments("no JSON") == "no JSON"
    assert read_arguments("[" * 100_000).startswith("[")


@dataclass
class Home:
    city: str


class Odd:
    def __str__(self) -> str:
        return "Rome"


# ── LiteLLM ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or importing it asks the network for prices
    library = pytest.importorskip("litellm")
    before = library.callbacks
    yield library
    library.callbacks = before


def complete(litellm: Any, guardrail: Any, answer: str = "You live in Rome.", **options: object) -> Any:
    litellm.callbacks = [guardrail]
    asked = [{"role": "user", "content": "Where do I live?"}]
    return asyncio.run(
        litellm.acompletion(
            model="gpt-4o-mini", messages=asked, mock_response=answer, guardrails=["groundwire"], **options
        )
    )


def test_litellm_guardrail_puts_a_response_right(gw: Groundwire, litellm: Any):
    from groundwire.integrations.litellm import NOTE, GroundwireGuardrail

    message = complete(litellm, GroundwireGuardrail(gw, user="ada")).choices[0].message
    assert message.content == "You live in Porto."
    assert message.provider_specific_fields[NOTE]["hallucinations"] == ["Rome"]


def test_litellm_guardrail_finds_the_user_in_the_request_and_blocks(gw: Groundwire, litellm: Any):
    exceptions = import_module("litellm.exceptions")
    from groundwire.integrations.litellm import GroundwireGuardrail

    guardrail = GroundwireGuardrail(gw, user=lambda data: data["metadata"]["user"], remedy="block")
    fine = complete(litellm, guardrail, "You live in Oslo.", metadata={"user": "eve"})
    assert fine.choices[0].message.content == "You live in Oslo."
    with pytest.raises(exceptions.GuardrailRaisedException, match="is wrong"):
        complete(litellm, guardrail, metadata={"user": "eve"})
