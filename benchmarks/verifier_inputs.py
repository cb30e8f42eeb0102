"""Answers to be timed: ten claims with two short passages each, different every time, the same for the same seed.

Three shapes of a claim, so that neither rules nor model have all the work:

    restated      a memory says it in nearly the same words
    paraphrased   a memory says it in other words
    changed       a memory says it with another value, or of somebody else

The second passage of a claim always speaks of the same person or thing and decides nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from groundwire.types import Memory, Passage, VerifierInput

CLAIMS = 10


class Kind(StrEnum):
    RESTATED = "restated"
    PARAPHRASED = "paraphrased"
    CHANGED = "changed"


class Mix(StrEnum):
    """Which claims an answer has: every kind in turn, or only what rules cannot read."""

    MIXED = "mixed"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer with its memories, and the same as questions of one claim with two passages."""

    text: str
    memories: tuple[Memory, ...]
    questions: tuple[VerifierInput, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    claim: str
    restated: str
    paraphrased: str
    changed: str
    beside: str


_FIRST = """
    Ada Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Keiko Lars Mira Nadia Oscar Priya Quentin Rosa
    Samir Tomas Ulrike Vera Wanda Xenia Yusuf Zoe
""".split()  # noqa: SIM905
_LAST = """
    Adler Berg Costa Duval Ekman Ferrari Gruber Haas Ito Jansen Kaya Lund Moreau Novak Okafor Petrov
    Rossi
""".split()  # noqa: SIM905
_CITIES = """
    Porto Lyon Oslo Ghent Malmo Turin Graz Cork Tartu Split Basel Leeds Bergen Gdansk Utrecht Seville
""".split()  # noqa: SIM905
_ONSETS = "Bal Cor Den Fal Gor Hel Jun Kor Lum Mer Nor Pel Quor Ril Sol Tev Vol Wex Yar Zen".split()  # noqa: SIM905
_ENDS = """
    axis bridge cast dyne ford grid hold jet kraft line mark nova point quest root stack tech vale ward
""".split()  # noqa: SIM905
_DISHES = "goulash paella risotto moussaka ratatouille lasagne couscous gazpacho".split()  # noqa: SIM905
_TOOLS = "PostgreSQL Redis Kafka SQLite RabbitMQ Elasticsearch MongoDB Cassandra".split()  # noqa: SIM905
_MONTHS = """
    January February March April May June July August September October November December
""".split()  # noqa: SIM905
_PETS = "cat dog parrot rabbit tortoise hamster pony ferret".split()  # noqa: SIM905


class _Draw:
    """Values that are unlikely to come twice."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def pick(self, words: list[str], *, but: str = "") -> str:
        return self._rng.choice([word for word in words if word != but])

    def person(self) -> str:
        return f"{self.pick(_FIRST)} {self.pick(_LAST)}"

    def company(self) -> str:
        return self.pick(_ONSETS) + self.pick(_ENDS)

    def number(self, low: int, high: int) -> int:
        return self._rng.randint(low, high)


def _draw_work(draw: _Draw) -> _Said:
    who, where, rival, year = draw.person(), draw.company(), draw.company() + " Group", draw.number(1988, 2023)
    return _Said(
        f"{who} has worked at {where} since {year}.",
        f"{who} works at {where} since {year}.",
        f"In {year} {where} hired {who}, who never left the company again.",
        f"{who} has worked at {rival} since {year}.",
        f"{who} has lunch with colleagues every {draw.number(2, 9)} days.",
    )


def _draw_home(draw: _Draw) -> _Said:
    town = draw.pick(_CITIES)
    street, number = f"{draw.company()} Street", draw.number(1, 240)
    return _Said(
        f"You live in {town} at {number} {street}.",
        f"I live in {town} at {number} {street}.",
        f"My flat is number {number} on {street}, right in the middle of {town}.",
        f"I live in {draw.pick(_CITIES, but=town)} at {number} {street}.",
        f"I know {street} from a visit {draw.number(2, 30)} years ago.",
    )


def _draw_meeting(draw: _Draw) -> _Said:
    who, month, day, hour = draw.person(), draw.pick(_MONTHS), draw.number(1, 28), draw.number(8, 11)
    return _Said(
        f"Your meeting with {who} is on {day} {month} at {hour}:30.",
        f"The meeting with {who} is on {day} {month} at {hour}:30.",
        f"{who} expects me on {month} {day}, half an hour after {hour} in the morning.",
        f"The meeting with {who} is on {day} {month} at {hour + 4}:30.",
        f"{who} prefers calls to meetings and answers mails within {draw.number(2, 48)} hours.",
    )


def _draw_project(draw: _Draw) -> _Said:
    name, tool, amount = draw.company(), draw.pick(_TOOLS), draw.number(3, 900)
    return _Said(
        f"The {name} service stores {amount} GB in {tool}.",
        f"The {name} service stores {amount} GB in {tool} now.",
        f"{tool} holds all data of the {name} service, which come to {amount} gigabytes.",
        f"The {name} service stores {amount + draw.number(5, 80)} GB in {tool}.",
        f"The {name} service has {draw.number(2, 14)} maintainers and a public status page.",
    )


def _draw_pet(draw: _Draw) -> _Said:
    who, pet, name, years = draw.person(), draw.pick(_PETS), draw.company(), draw.number(2, 15)
    return _Said(
        f"{who} bought a {pet} from {name} {years} years ago.",
        f"{who} bought a {pet} from {name}, and that was {years} years ago.",
        f"It is {years} years since {name} sold {who} a {pet}.",
        f"{who} bought a {draw.pick(_PETS, but=pet)} from {name} {years} years ago.",
        f"{who} visited {name} again on {draw.number(1, 28)} {draw.pick(_MONTHS)}.",
    )


def _draw_dish(draw: _Draw) -> _Said:
    who, dish, guests = draw.person(), draw.pick(_DISHES), draw.number(3, 90)
    place = f"the {draw.company()} hall"
    return _Said(
        f"{who} cooked {dish} for {guests} guests in {place}.",
        f"{who} cooked {dish} for {guests} guests in {place} yesterday.",
        f"At {place}, {guests} people were served {dish} that {who} had made.",
        f"{who} cooked {draw.pick(_DISHES, but=dish)} for {guests} guests in {place}.",
        f"{who} rented {place} from a friend for {draw.number(50, 900)} euros.",
    )


_DRAWS: tuple[Callable[[_Draw], _Said], ...] = (
    _draw_work, _draw_home, _draw_meeting, _draw_project, _draw_pet, _draw_dish,
)  # fmt: skip
_KINDS = {Mix.MIXED: tuple(Kind), Mix.HARD: (Kind.PARAPHRASED,)}


def make_answers(count: int, seed: int, *, mix: Mix = Mix.MIXED, claims: int = CLAIMS) -> list[TimedAnswer]:
    """`count` answers in which no claim and no passage occurs twice."""
    rng = random.Random(f"{seed} {mix} {claims}")
    seen: set[str] = set()
    return [_make_answer(rng, seen, mix, claims) for _ in range(count)]


def make_pairs(count: int, seed: int) -> list[tuple[str, str]]:
    """Evidence and claim, for the encoder by itself."""
    answers = make_answers(-(-count // (2 * CLAIMS)), seed)
    return [(p.text, q.claim) for answer in answers for q in answer.questions for p in q.evidence][:count]


def _make_answer(rng: random.Random, seen: set[str], mix: Mix, claims: int) -> TimedAnswer:
    kinds = _KINDS[mix]
    first = rng.randrange(len(kinds))
    pairs: list[tuple[str, tuple[str, str]]] = []
    while len(pairs) < claims:
        said = rng.choice(_DRAWS)(_Draw(rng))
        evidence = str(getattr(said, kinds[(first + len(pairs)) % len(kinds)]))
        texts = {said.claim, evidence, said.beside}
        if len(texts) == 3 and seen.isdisjoint(texts):
            seen |= texts
            both = (evidence, said.beside) if rng.random() < 0.5 else (said.beside, evidence)
            pairs.append((said.claim, both))
    memories = [text for _, both in pairs for text in both]
    rng.shuffle(memories)
    return TimedAnswer(
        " ".join(claim for claim, _ in pairs),
        tuple(Memory(f"m{i}", text) for i, text in enumerate(memories, 1)),
        tuple(
            VerifierInput(claim, tuple(Passage(f"p{i}", text) for i, text in enumerate(both, 1)))
            for claim, both in pairs
        ),
    )
