"""How often an answer ends in an abstention, and how often asking again improves one.

    python benchmarks/abstaining.py [--json] [--judge NAME] [--show] [--queries N]
    python benchmarks/abstaining.py --model http://127.0.0.1:8080/v1 [--queries 60]

data/abstaining.jsonl holds 1,000 questions with a few memories each: half of them are answered by a memory, half by
none. A model answers, the stream gate checks, and a halted answer is asked for again with guidance, at most three
times. The target (OPS-002) is an abstention for 5 to 15 answers in 100, and less is a miss as well as more; of the
branches, 40 in 100 have to improve the verdict (OPS-004). To repeat the guidance improves nothing, and to decline
only where memory has no answer.

The model is scripted unless `--model` names one that speaks the chat completions API. The scripted one has the HABITS
below, which are round numbers and no measurement. On a branch it says what the guidance tells it to say, and nothing
that it could only know from elsewhere. Two policies are measured for claims that nothing speaks of: `branch`, which
asks again for them (ACT-006), is what the target is held to; `annotate`, the stream gate's default, marks and shows
them, and so abstains from refuted answers alone, which is less than the target wants.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from groundwire.app import Groundwire
from groundwire.guard.events import Abstain, Branch, Release, Repair, StreamEvent, tell_text
from groundwire.guard.policy import GuardOptions, OnUnverified
from groundwire.guard.protocols import Regeneration
from groundwire.settings import Settings
from groundwire.surfaces.proxy.asking import ask_again
from groundwire.surfaces.proxy.injection import Remembered, inject, write_context
from groundwire.types import Memory

QUERIES = Path(__file__).resolve().parent / "data" / "abstaining.jsonl"
BAND = (0.05, 0.15)
ENOUGH_IMPROVED = 0.4
HABITS = {"right": 0.85, "wrong": 0.10, "invents": 0.40, "heeds": 0.60, "insists": 0.25}
"""Of answers to what a memory answers, the share that is right and the share that is wrong; the rest declines. Of
answers to what none answers, the share that is made up. Of branches, those that do as they are told, and those that say
the same again; the others say something else that is wrong."""
WORDS = {
    "account_status": "Your account is {}.",
    "age": "You are {} years old.",
    "allergy": "You are allergic to {}.",
    "birthday": "Your birthday is {}.",
    "birthplace": "You were born in {}.",
    "child": "Your child is called {}.",
    "department": "You work in the {} department.",
    "diagnosis": "You have {}.",
    "diet": "You are {}.",
    "education": "You studied {}.",
    "email": "Your email address is {}.",
    "employer": "You work at {}.",
    "favorite_band": "Your favourite band is {}.",
    "favorite_color": "Your favourite colour is {}.",
    "favorite_food": "Your favourite food is {}.",
    "hobby": "Your hobby is {}.",
    "hometown": "Your hometown is {}.",
    "language": "You speak {}.",
    "location": "You live in {}.",
    "manager": "Your manager is {}.",
    "marital_status": "You are {}.",
    "medication": "You take {}.",
    "nationality": "Your nationality is {}.",
    "pet": "You have a {}.",
    "phone": "Your phone number is {}.",
    "plan": "You are on the {} plan.",
    "professional": "Your doctor is {}.",
    "sibling": "Your sibling is called {}.",
    "spouse": "You are married to {}.",
    "title": "You work as a {}.",
    "vehicle": "You own a {}.",
    "work_location": "Your office is in {}.",
}
OPENINGS = ("", "", "Sure! ", "Of course. ", "Thanks for asking! ")
DECLINES = ("I do not know.", "I'm not sure, sorry.", "I don't have that information.")
SYSTEM = "You are the user's assistant. Answer the question in one short sentence that begins with “You” or “Your”."
_TOLD = re.compile(r"Say “(?P<right>[^”]*)”, not “(?P<wrong>[^”]*)”")


@dataclass(frozen=True, slots=True)
class Query:
    """`value` is what a memory says; None where none says anything."""

    id: str
    question: str
    memories: list[str]
    slot: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Figures:
    policy: str
    queries: int
    abstain_rate: float
    is_in_band: bool
    abstain_rate_where_memory_answers: float
    abstain_rate_where_none_does: float
    branches: int
    branch_success: float | None
    right_first_answers_withheld: int
    wrong_answers_shown_as_verified: int


class Generator(Protocol):
    def answer(self, query: Query, /) -> str: ...
    def answer_again(self, query: Query, before: str, wanted: Regeneration, /) -> str: ...


def read_queries(path: Path = QUERIES) -> list[Query]:
    return [Query(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


# ── who answers ─────────────────────────────────────────────────────────────────────────────────


class ScriptedModel:
    """Answers by its habits; the same query gets the same answers in every run."""

    def __init__(self, queries: Sequence[Query]) -> None:
        self._values: dict[str, list[str]] = {}
        for query in queries:
            if query.value is not None:
                self._values.setdefault(query.slot, []).append(query.value)

    def answer(self, query: Query, /) -> str:
        chance, dice = self._throw(query, 0)
        if query.value is None:
            return self._err(query, dice) if chance < HABITS["invents"] else dice.choice(DECLINES)
        if chance < HABITS["right"]:
            return self._say(query, query.value, dice)
        return self._err(query, dice) if chance < HABITS["right"] + HABITS["wrong"] else dice.choice(DECLINES)

    def answer_again(self, query: Query, before: str, wanted: Regeneration, /) -> str:
        chance, dice = self._throw(query, wanted.number)
        if chance < HABITS["heeds"]:
            told = _TOLD.search(wanted.guidance)
            if told is not None and told["wrong"] in before:
                return before.replace(told["wrong"], told["right"])
            return dice.choice(DECLINES) if "I do not know" in wanted.guidance else before
        return before if chance < HABITS["heeds"] + HABITS["insists"] else self._err(query, dice)

    def _throw(self, query: Query, number: int) -> tuple[float, random.Random]:
        dice = random.Random(f"{query.id}/{number}")
        return dice.random(), dice

    def _say(self, query: Query, value: str, dice: random.Random) -> str:
        return dice.choice(OPENINGS) + WORDS[query.slot].format(value)

    def _err(self, query: Query, dice: random.Random) -> str:
        """Somebody else's value: of the right kind, and in none of the memories."""
        known = " ".join(query.memories).lower()
        others = [value for value in self._values.get(query.slot, ["Aldous"]) if value.lower() not in known]
        return self._say(query, dice.choice(others or ["Aldous"]), dice)


class LiveModel:
    """A model behind the chat completions API, asked as the proxy asks it, with the memories in its prompt."""

    def __init__(self, address: str, post: Callable[..., Any] | None = None) -> None:
        import httpx

        self._address = address.rstrip("/")
        self._post = post or httpx.post

    def answer(self, query: Query, /) -> str:
        return self._ask({**self._request(query), "temperature": 0, "seed": 1})

    def answer_again(self, query: Query, before: str, wanted: Regeneration, /) -> str:
        return self._ask(ask_again(self._request(query), wanted))

    def _request(self, query: Query) -> dict[str, Any]:
        known = Remembered([Memory(f"m{place}", text) for place, text in enumerate(query.memories, 1)])
        asked = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": query.question}]
        return {"model": "any", "messages": inject(asked, write_context(known, 600)[0]), "max_tokens": 40}

    def _ask(self, body: dict[str, Any]) -> str:
        got = self._post(f"{self._address}/chat/completions", json=body, timeout=600)
        got.raise_for_status()
        return got.json()["choices"][0]["message"]["content"]


# ── what becomes of it ──────────────────────────────────────────────────────────────────────────


def ask(house: Groundwire, query: Query, generator: Generator, options: GuardOptions) -> tuple[str, list[StreamEvent]]:
    """The first answer, and all that happened to it."""
    first = generator.answer(query)
    before = [first]

    def regenerate(wanted: Regeneration) -> str:
        before.append(generator.answer_again(query, before[-1], wanted))
        return before[-1]

    events = house.guard(
        [first], memories=query.memories, query=query.question, options=options, regenerate=regenerate
    )  # fmt: skip
    return first, list(events)


def run(
    house: Groundwire,
    queries: Sequence[Query],
    generator: Generator,
    policy: OnUnverified,
    *,
    show: bool = False,
) -> Figures:
    options = GuardOptions(unverified=policy, patience=60.0)
    abstained: dict[bool, int] = {True: 0, False: 0}
    branches = improved = withheld = unmarked = 0
    for query in queries:
        first, events = ask(house, query, generator, options)
        asked = [event for event in events if isinstance(event, Branch) and not event.is_accepted]
        branches += len(asked)
        improved += sum(event.improved for event in asked)
        shown = tell_text(events)
        is_over = any(isinstance(event, Abstain) for event in events)
        is_right = query.value is not None and query.value.lower() in first.lower()
        abstained[query.value is not None] += is_over
        withheld += is_right and is_over
        marked = any(event.caveat for event in events if isinstance(event, Release | Repair | Branch))
        is_claiming = any(event.claims for event in events) and not is_over and not marked
        unmarked += is_claiming and (query.value is None or query.value.lower() not in shown.lower())
        if show and (is_over or asked):
            print(f"{query.id} {query.question} [{query.value}] {first!r} -> {shown!r}", file=sys.stderr)
    answerable = sum(query.value is not None for query in queries)
    rate = sum(abstained.values()) / len(queries)
    return Figures(
        policy=policy.value,
        queries=len(queries),
        abstain_rate=round(rate, 4),
        is_in_band=BAND[0] <= rate <= BAND[1],
        abstain_rate_where_memory_answers=round(abstained[True] / max(1, answerable), 4),
        abstain_rate_where_none_does=round(abstained[False] / max(1, len(queries) - answerable), 4),
        branches=branches,
        branch_success=round(improved / branches, 4) if branches else None,
        right_first_answers_withheld=withheld,
        wrong_answers_shown_as_verified=unmarked,
    )


def open_house(judge: str) -> Groundwire:
    return Groundwire(settings=Settings(judge=judge, slow_verification_ms=600_000))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--queries", type=int, default=0, help="how many, from the first on; all unless told")
    parser.add_argument("--model", metavar="URL", help="an address that speaks the chat completions API")
    given = parser.parse_args()
    queries = read_queries()
    generator: Generator = LiveModel(given.model) if given.model else ScriptedModel(queries)
    queries = queries[: given.queries] if given.queries else queries
    figures = [
        asdict(run(open_house(given.judge), queries, generator, policy, show=given.show))
        for policy in (OnUnverified.BRANCH, OnUnverified.ANNOTATE)
    ]
    if given.json:
        print(json.dumps(figures))
        return
    for name in figures[0]:
        print(f"{name.replace('_', ' '):36} {figures[0][name]!s:>12} {figures[1][name]!s:>12}")
    missed = [one["policy"] for one in figures if not one["is_in_band"]]
    print(f"outside of {BAND[0]:.0%} to {BAND[1]:.0%}: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
