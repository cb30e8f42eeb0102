# What the adapters use, and no more: types are checked without the package being installed.
from collections.abc import Sequence

from litellm.types.guardrails import GuardrailEventHooks

class CustomGuardrail:
    guardrail_name: str | None
    def __init__(
        self,
        guardrail_name: str | None = None,
        supported_event_hooks: Sequence[GuardrailEventHooks] | None = None,
        event_hook: GuardrailEventHooks | None = None,
        default_on: bool = False,
    ) -> None: ...
