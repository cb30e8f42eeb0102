# What the adapters use, and no more: types are checked without the package being installed.
from enum import StrEnum

class GuardrailEventHooks(StrEnum):
    post_call = "post_call"
