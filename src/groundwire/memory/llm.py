"""A language model as extractor, behind any OpenAI-compatible endpoint.

What it answers is only a proposal: it is read item by item and then checked like any other. The model is asked with
temperature 0 and its answer is kept word for word, so that a run can be repeated without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from groundwire.errors import ExtractorUnavailable, MissingExtra
from groundwire.memory.candidates import Candidate, Extracted, Rejection
from groundwire.memory.conversation import Conversation
from groundwire.memory.extraction import Extractor, RuleExtractor
from groundwire.memory.prompting import SCHEMA, split_summary, write_prompt, write_transcript
from groundwire.memory.replies import is_readable, read_reply
from groundwire.settings import Settings

MOST_BYTES = 1_000_000
_FORMS: tuple[Mapping[str, object] | None, ...] = (
    {"type": "json_schema", "json_schema": {"name": "extractions", "strict": True, "schema": SCHEMA}},
    {"type": "json_object"},
    None,
)
"""Structured output as far as the server knows it: not every one takes a schema."""
_TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is and how long it may take. `timeout` bounds one request from beginning to end, in seconds."""

    url: str
    """Up to and with the version: http://localhost:8080/v1"""
    model: str
    key: str = ""
    timeout: float = 60.0
    attempts: int = 3
    pause: float = 0.5
    """Before the second attempt, in seconds; doubled before each further one."""
    max_tokens: int = 1_500


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes


class Post(Protocol):
    """Sends one JSON request; raises ConnectionError or TimeoutError where no whole answer comes in time."""

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes, timeout: float, /) -> Answer: ...


class LLMExtractor:
    """Asks a model for candidates, at most `attempts` times for each part of the conversation."""

    def __init__(self, endpoint: Endpoint, *, post: Post | None = None, sleep: Callable[[float], None]) -> None:
        self._endpoint = endpoint
        self._post = post or load_post()
        self._sleep = sleep

    @property
    def name(self) -> str:
        return f"llm:{self._endpoint.model}"

    def extract(self, conversation: Conversation) -> Extracted:
        """Candidates of every part; raises ExtractorUnavailable where a part gets no answer that can be read."""
        candidates: list[Candidate] = []
        rejected: list[Rejection] = []
        raw: list[str] = []
        for part in split_summary(write_transcript(conversation)):
            found = read_reply(self._ask(part))
            candidates += found.candidates
            rejected += found.rejected
            raw += found.raw
        return Extracted(tuple(dict.fromkeys(candidates)), tuple(rejected), tuple(raw))

    def _ask(self, summary: str) -> str:
        """The model's answer as text; an unreadable one is asked for again, and the last is returned as it is."""
        problem, content, form = "no attempt was made", None, 0
        for attempt in range(self._endpoint.attempts):
            if attempt:
                self._sleep(self._endpoint.pause * 2 ** (attempt - 1))
            try:
                answer = self._send(summary, _FORMS[form])
            except (ConnectionError, TimeoutError) as error:
                problem = str(error) or type(error).__name__
                continue
            if answer.status in _TRY_AGAIN:
                problem = f"status {answer.status}"
                continue
            if answer.status in (400, 415, 422) and form + 1 < len(_FORMS):
                problem, form = f"status {answer.status}", form + 1
                continue
            if answer.status != 200:
                problem = f"status {answer.status}: {answer.body[:200].decode('utf-8', 'replace')}"
                break
            content = _read_content(answer.body)
            if content is not None and is_readable(content):
                return content
            problem = "an answer that is no JSON"
        if content is not None:
            return content
        raise ExtractorUnavailable(
            f"{self._endpoint.model} at {self._endpoint.url} gave {problem} in {self._endpoint.attempts} attempts; "
            "check the address and the model, or leave the model out to extract by rules"
        )

    def _send(self, summary: str, form: Mapping[str, object] | None) -> Answer:
        endpoint = self._endpoint
        request: dict[str, object] = {
            "model": endpoint.model,
            "temperature": 0,
            "max_tokens": endpoint.max_tokens,
            "messages": [{"role": "user", "content": write_prompt(summary)}],
        }
        if form is not None:
            request["response_format"] = form
        headers = {"Content-Type": "application/json"}
        if endpoint.key:
            headers["Authorization"] = f"Bearer {endpoint.key}"
        url = f"{endpoint.url.rstrip('/')}/chat/completions"
        return self._post(url, headers, json.dumps(request).encode(), endpoint.timeout)


def _read_content(body: bytes) -> str | None:
    """The text of the first choice; None where the server's answer is no completion."""
    try:
        document: Any = json.loads(body)
        content = document["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None
    return content if isinstance(content, str) else None


def load_post() -> Post:
    """The HTTP client of the extra; the error names it where it is missing."""
    try:
        import httpx
    except ImportError as error:
        raise MissingExtra("extraction with a language model", "llm") from error
    from time import monotonic

    def post(url: str, headers: Mapping[str, str], body: bytes, timeout: float) -> Answer:
        deadline = monotonic() + timeout
        try:
            with httpx.stream("POST", url, headers=dict(headers), content=body, timeout=timeout) as response:
                received = bytearray()
                for piece in response.iter_bytes():
                    received += piece
                    if monotonic() > deadline:
                        raise TimeoutError(f"no whole answer in {timeout:g} s")
                    if len(received) > MOST_BYTES:
                        raise ConnectionError(f"an answer of more than {MOST_BYTES:,} bytes")
                return Answer(response.status_code, bytes(received))
        except httpx.TimeoutException as error:
            raise TimeoutError(f"no answer in {timeout:g} s") from error
        except httpx.HTTPError as error:
            raise ConnectionError(f"no connection ({error})") from error
        except httpx.InvalidURL as error:
            raise ConnectionError(f"an address that cannot be read ({error})") from error

    return post


def make_extractor(settings: Settings, key: str, sleep: Callable[[float], None]) -> Extractor:
    """The language model of the settings, or the rules where there is none."""
    if not settings.llm_url:
        return RuleExtractor()
    endpoint = Endpoint(settings.llm_url, settings.llm_model, key, settings.llm_timeout, settings.llm_attempts)
    return LLMExtractor(endpoint, sleep=sleep)
