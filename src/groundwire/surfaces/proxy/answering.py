"""One request for an answer: its memories, its guards, and what is asked again for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groundwire.guard.events import StreamEvent
from groundwire.guard.guarding import Opened
from groundwire.guard.policy import GuardOptions
from groundwire.guard.protocols import Regeneration
from groundwire.surfaces.proxy import asking, injection
from groundwire.surfaces.proxy.account import Account, ChoiceAccount
from groundwire.surfaces.proxy.choices import Choice
from groundwire.surfaces.proxy.dialects import Dialect
from groundwire.surfaces.proxy.failures import UpstreamFailed
from groundwire.surfaces.proxy.headers import Headers
from groundwire.surfaces.proxy.relay import GuardedStream, Run
from groundwire.surfaces.proxy.upstream import Upstream
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.app import Groundwire

_MOST_RECALLED = 50
_LONGEST_QUERY = 2_000
_BAD_REQUEST = 400


@dataclass(slots=True)
class Answering:
    gw: Groundwire
    upstream: Upstream
    run: Run
    owner: Scope
    options: GuardOptions
    account: Account
    target: bytes
    dialect: Dialect
    headers: Headers = field(repr=False)
    may_ask: bool = True
    """Whether the upstream can be asked once more; an answer that it only has on file cannot be had again."""
    _request: JsonObject = field(default_factory=dict[str, object], repr=False)
    _query: str = field(default="", repr=False)
    _has_sampling: bool = True

    async def prepare(self, request: JsonObject, context_tokens: int) -> JsonObject:
        """The request as it goes upstream: with memories in its prompt, where that is wanted."""
        self._query = self.dialect.find_query(request)[-_LONGEST_QUERY:]
        if context_tokens and self._query.strip():
            remembered = await self.run(self._recall)
            words, self.account.injected = injection.write_context(remembered, context_tokens)
            if words:
                request = self.dialect.inject(request, words)
        self._request = request
        return request

    def _recall(self) -> injection.Remembered:
        owner, tenant = self.owner.owner, self.owner.tenant
        found = self.gw.recall(self._query, user=owner, tenant=tenant, limit=_MOST_RECALLED)
        memories = [one.memory for one in found if one.is_authoritative]
        return injection.Remembered(memories, self.gw.ledger(owner, tenant).contradictions())

    def open_guard(self) -> Opened:
        return self.gw.open_stream(
            user=self.owner.owner,
            tenant=self.owner.tenant,
            query=self._query,
            options=self.options,
            may_branch=True,
            request_id=self.account.request_id,
        )

    def open_answer(self) -> GuardedStream:
        return self.dialect.open_stream(self.open_guard, self.account)

    async def complete(self, body: JsonObject) -> JsonObject:
        """A whole answer, each choice checked; what is halted is asked for again."""
        whole = self.dialect.open_whole(body, self.open_guard, self.account)
        for choice in whole.unread():
            await self.run(choice.check)
            if choice.is_halted:
                choice.add(await self._resolve(choice.opened, choice.account, may_ask=self.may_ask))
        return whole.write()

    async def resolve_choice(self, choice: Choice, may_ask: bool) -> StreamEvent:
        return await self._resolve(choice.opened, choice.account, may_ask=may_ask and self.may_ask)

    async def _resolve(self, opened: Opened, account: ChoiceAccount, *, may_ask: bool) -> StreamEvent:
        branching = opened.open_branches(opened.guard, "")
        while may_ask and (wanted := branching.next_request()) is not None:
            try:
                text = await self._ask_again(wanted)
            except UpstreamFailed as error:
                reason = f"no answer came: {error}"
                event = await self.run(lambda reason=reason: branching.fail(reason))
            else:
                event = await self.run(lambda text=text: branching.offer(text))
            account.add(event)
        return await self.run(branching.conclude)

    async def _ask_again(self, wanted: Regeneration) -> str:
        """Some models take no sampling but their own: those are asked without."""
        if self._has_sampling:
            status, body = await self._ask(self.dialect.ask_again(self._request, wanted, has_sampling=True))
            if status == 200:
                return self._read(body)
            self._has_sampling = status != _BAD_REQUEST
            if self._has_sampling:
                raise UpstreamFailed(f"the upstream answered with status {status}", code="upstream_error")
        status, body = await self._ask(self.dialect.ask_again(self._request, wanted, has_sampling=False))
        if status != 200:
            raise UpstreamFailed(f"the upstream answered with status {status}", code="upstream_error")
        return self._read(body)

    async def _ask(self, request: Mapping[str, Any]) -> tuple[int, bytes]:
        async with self.upstream.ask("POST", self.target, self.headers, asking.write_request(request)) as reply:
            return reply.status, await reply.read()

    def _read(self, body: bytes) -> str:
        completion = asking.read_completion(body)
        asking.add_usage(self.account.extra_usage, completion)
        return self.dialect.read_answer(completion)
