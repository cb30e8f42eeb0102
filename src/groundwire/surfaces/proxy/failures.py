"""What can go wrong between a client and the upstream, as the error object that clients of this API know."""

from __future__ import annotations

from groundwire.errors import GroundwireError, Unreachable
from groundwire.surfaces.responses import JsonObject

BROKEN_OFF = "broken_off"


class UpstreamFailed(Unreachable):
    """The upstream did not answer, or what it answered cannot be used. `status` is for the client."""

    def __init__(self, message: str, *, code: str, status: int = 502, said: JsonObject | None = None) -> None:
        """`said` is the upstream's own account of it, which goes on as it is."""
        super().__init__(message)
        self.code = code
        self.status = status
        self.said = said


class Refused(GroundwireError):
    """A request that the proxy does not pass on."""

    def __init__(self, message: str, *, code: str, status: int = 400, param: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.param = param


def describe_failure(error: UpstreamFailed | Refused) -> JsonObject:
    """In the form that every client of the API can read."""
    if isinstance(error, UpstreamFailed) and error.said is not None:
        return error.said
    kind = "upstream_error" if isinstance(error, UpstreamFailed) else "invalid_request_error"
    param = error.param if isinstance(error, Refused) else None
    return {"error": {"message": str(error), "type": kind, "param": param, "code": error.code}}
