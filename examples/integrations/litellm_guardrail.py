"""LiteLLM: a guardrail after the call. The response here is a mock, so that nothing is asked."""

import asyncio
import os

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or importing it asks the network for prices

import litellm

from groundwire import Groundwire
from groundwire.integrations.litellm import GroundwireGuardrail

gw = Groundwire()
gw.remember("I live in Porto.", user="ada")

litellm.callbacks = [GroundwireGuardrail(gw, user=lambda data: data["metadata"]["user"])]
response = asyncio.run(
    litellm.acompletion(
        model="gpt-4o-mini",
        messages=[{"role": "user", "content": "Where do I live?"}],
        guardrails=["groundwire"],
        metadata={"user": "ada"},
        mock_response="You live in Rome.",
    )
)
print(response.choices[0].message.content)
