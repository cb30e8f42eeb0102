"""The OpenAI Agents SDK: an output guardrail, and a guardrail on what a tool is called with."""

import asyncio

from agents import Agent, OutputGuardrailTripwireTriggered, Runner, function_tool, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from groundwire import Groundwire
from groundwire.integrations.openai_agents import guard_output, guard_tool_input

set_tracing_disabled(True)


class Wrong(Model):
    """A model that is wrong, and asks nobody."""

    async def get_response(self, *args, **options):
        text = ResponseOutputText(text="You live in Rome.", type="output_text", annotations=[], logprobs=[])
        said = ResponseOutputMessage(id="1", type="message", role="assistant", content=[text], status="completed")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args, **options):
        raise NotImplementedError


model = Wrong()


def send_letter(text: str) -> str:
    """Send a letter."""
    return "sent"


gw = Groundwire()
gw.remember("I live in Porto.", user="ada")

agent = Agent(
    name="assistant",
    model=model,
    tools=[function_tool(send_letter, tool_input_guardrails=[guard_tool_input(gw, user="ada")])],
    output_guardrails=[guard_output(gw, user="ada")],
)
try:
    asyncio.run(Runner.run(agent, "Where do I live?"))
except OutputGuardrailTripwireTriggered as error:
    print(error.guardrail_result.output.output_info["corrected"])
