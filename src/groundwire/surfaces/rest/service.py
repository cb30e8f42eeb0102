"""What every route shares: the facade, the threads that may call it, who is asking and how often."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from groundwire.errors import GroundwireError
from groundwire.surfaces.rest.metrics import Metrics
from groundwire.surfaces.rest.rates import Rates
from groundwire.surfaces.rest.recognition import Recognised
from groundwire.surfaces.rest.workers import Line, Workers
from groundwire.types.access import Credential

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.settings import Settings

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Service:
    """One `Groundwire` for everybody who asks; its calls are made by `run` alone."""

    gw: Groundwire
    workers: Workers
    rates: Rates
    metrics: Metrics
    recognised: Recognised
    clock: Callable[[], float]

    @property
    def settings(self) -> Settings:
        return self.gw.settings

    async def run(self, action: Callable[[], Result], *, is_long: bool = False) -> Result:
        """Call the facade in a thread, within the time that a request may take; long calls do not hold up others."""
        return await self.workers.run(action, Line.LONG if is_long else Line.SHORT)

    def time(self, operation: str, action: Callable[[], Result]) -> Result:
        """Carry it out, and count how long that took."""
        begun = self.clock()
        try:
            return action()
        finally:
            self.metrics.observe("groundwire_operation_seconds", self.clock() - begun, operation=operation)

    async def recognise(self, token: str) -> Credential:
        """Whose token this is; NotRecognised if it is nobody's. A revoked key may be good for a second more."""
        return self.recognised.find(token) or await self.recognised.look_up(token, lambda: self._look_up(token))

    async def _look_up(self, token: str) -> Credential:
        def look() -> tuple[Credential, bool]:
            keyring = self.gw.keys()
            found = keyring.recognise(token)
            return found, keyring.is_due(found)

        credential, is_due = await self.workers.run(look, Line.DOOR)
        self.recognised.keep(token, credential)
        if is_due:
            self.workers.start(lambda: self._note_use(credential))
        return credential

    def _note_use(self, credential: Credential) -> None:
        """Whether or not it can be noted, the request is answered."""
        with suppress(GroundwireError):
            self.gw.keys().note_use(credential)

    async def look_up(self, id: str) -> Credential:
        """A credential that was recognised before, if nobody has revoked it since."""
        return await self.workers.run(lambda: self.gw.keys().look_up(id), Line.DOOR)

    def admit(self, credential: Credential) -> None:
        """Count a request against the rate of its key; RateLimited if that is used up."""
        self.rates.admit(credential.id)

    def warm_up(self) -> None:
        """Open the store and the model before anybody waits for them."""
        self.gw.keys()
        _ = self.gw.model_problem
