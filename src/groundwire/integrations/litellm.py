"""LiteLLM: a guardrail after the call, for the library and for the proxy."""

from __future__ import annotations

from typing import Any

from groundwire.app import Groundwire
from groundwire.errors import MissingExtra
from groundwire.integrations.answers import AnswerCheck, Remedy, Who, summarise

try:
    from litellm.exceptions import GuardrailRaisedException
    from litellm.integrations.custom_guardrail import CustomGuardrail
    from litellm.types.guardrails import GuardrailEventHooks
except ModuleNotFoundError as error:
    raise MissingExtra("groundwire.integrations.litellm", "litellm") from error

NOTE = "groundwire"


class GroundwireGuardrail(CustomGuardrail):
    """Checks every choice of a response. `correct` rewrites it, `flag` notes the report beside it, `block` raises.

    `user` is a name, or is found in the request's data (`lambda data: data["metadata"]["user"]`). What is streamed is
    not checked: it has been sent when the call ends.
    """

    def __init__(
        self,
        gw: Groundwire,
        *,
        user: Who,
        tenant: str = "default",
        remedy: Remedy | str = Remedy.CORRECT,
        strict: bool = False,
        guardrail_name: str = "groundwire",
        default_on: bool = False,
    ) -> None:
        super().__init__(
            guardrail_name=guardrail_name,
            supported_event_hooks=[GuardrailEventHooks.post_call],
            event_hook=GuardrailEventHooks.post_call,
            default_on=default_on,
        )
        self._check = AnswerCheck(gw, user=user, tenant=tenant, remedy=remedy, strict=strict)

    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> Any:
        """Called by the library through its deployment hook, and by the proxy itself."""
        for choice in getattr(response, "choices", None) or ():
            message = getattr(choice, "message", None)
            content = getattr(message, "content", None)
            if message is None or not isinstance(content, str) or not content.strip():
                continue
            checked = await self._check.check_async(content, data)
            if checked.is_flagged and self._check.remedy is Remedy.BLOCK:
                raise GuardrailRaisedException(guardrail_name=self.guardrail_name, message=checked.problem)
            message.content = checked.text
            message.provider_specific_fields = {
                **(getattr(message, "provider_specific_fields", None) or {}),
                NOTE: summarise(checked),
            }
        return response
