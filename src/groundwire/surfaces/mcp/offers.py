"""The tools as an agent sees them: name, purpose, arguments, answer, and what calling one may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.surfaces.fields import MOST_RECALLED
from groundwire.surfaces.mcp import schemas, tools
from groundwire.surfaces.mcp.callers import Ability
from groundwire.surfaces.mcp.schemas import Schema, gives, listing, maybe, takes, text
from groundwire.surfaces.requests import Limits


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool. `is_idempotent`: calling it again changes nothing more."""

    name: str
    title: str
    description: str
    ability: Ability
    takes: Schema
    gives: Schema
    work: tools.Work
    is_destructive: bool = False
    is_idempotent: bool = True

    @property
    def is_read_only(self) -> bool:
        return self.ability is Ability.READ


def list_offers(limits: Limits) -> Mapping[str, Offer]:
    """Every tool by its name, in the order in which an agent needs them."""
    memory, answer = limits.max_memory_characters, limits.max_answer_characters
    offers = (_search(memory), _verify(answer), _add(memory, answer), *_look_up(memory), _explain(), _forget(memory))
    return {offer.name: offer for offer in offers}


def _search(memory: int) -> Offer:
    return Offer(
        "search_memories",
        "Search memories",
        "Find what is remembered about a topic, best first. Call it before answering anything about the user. "
        "Replaced and expired memories are left out; as_of asks for what held at an earlier time.",
        Ability.READ,
        takes(
            ("query",),
            query=text("A question or a topic.", memory),
            limit={"type": "integer", "minimum": 1, "maximum": MOST_RECALLED, "default": tools.SEARCHED},
            as_of=text(f"What held then. {schemas.TIME}"),
            min_confidence=schemas.SHARE,
        ),
        gives(memories=listing("Best first.", schemas.FOUND)),
        tools.search_memories,
    )


def _verify(answer: int) -> Offer:
    passage = {"anyOf": [text("", answer), gives(id=schemas.IDENTITY, text=text("", answer))]}
    return Offer(
        "verify_answer",
        "Verify an answer",
        "Check every claim of a draft answer against what is remembered. Call it before sending an answer about the "
        "user. If grounded is false, send corrected or take out what hallucinations lists; if requires_disclosure is "
        "true, say what expected_disclosure says. With passages, the answer is checked against those instead.",
        Ability.READ,
        takes(
            ("answer",),
            answer=text("The draft, whole.", answer),
            passages=listing("Texts to check against in place of the memories.", passage),
        ),
        schemas.REPORT,
        tools.verify_answer,
    )


def _add(memory: int, answer: int) -> Offer:
    turn = takes(
        ("speaker", "text"), turn_id={"type": ["string", "integer"]}, speaker=schemas.IDENTITY, text=text("", answer)
    )
    return Offer(
        "add_memory",
        "Propose a memory",
        "Propose one statement to be remembered. The write gate decides: it is stored, waits for a person, or is "
        "refused, and the receipt says which and why. Quote the user's own words in turns when the conversation is "
        "the source. You cannot approve what waits.",
        Ability.PROPOSE,
        takes(
            ("content",),
            content=text("One self-contained statement.", memory),
            memory_type=schemas.KIND,
            source={**schemas.SOURCE, "default": "ai_synthesis"},
            turns=listing("What was said, where the source is conversation or chat.", turn),
            valid_from=text(f"From when on it holds. {schemas.TIME}"),
            validity_horizon=text(f"When it stops being evidence. {schemas.TIME}"),
        ),
        schemas.RECEIPT,
        tools.add_memory,
        is_idempotent=False,
    )


def _look_up(memory: int) -> tuple[Offer, ...]:
    memory_id = text("The id of a memory; its beginning is enough.", schemas.NAME_CHARACTERS)
    return (
        Offer(
            "get_memory",
            "Get a memory",
            "One memory with its evidence, its validity and what replaced it.",
            Ability.READ,
            takes(("memory_id",), memory_id=memory_id),
            schemas.MEMORY,
            tools.get_memory,
        ),
        Offer(
            "memory_history",
            "History of a memory",
            "What was remembered, what replaced it, when and why, oldest first. Use it to tell the user what changed.",
            Ability.READ,
            takes(memory_id=memory_id, query=text("In place of an id: the history of what this finds.", memory)),
            gives(history=listing("Oldest first.", {"anyOf": [schemas.MEMORY, schemas.TOMBSTONE]})),
            tools.memory_history,
        ),
        Offer(
            "find_contradictions",
            "Find contradictions",
            "Memories that cannot all be true. Disclose them instead of choosing silently.",
            Ability.READ,
            takes(about=text("Only those about this topic.", memory)),
            gives(contradictions=listing("In the order of their slots.", schemas.CONTRADICTION)),
            tools.find_contradictions,
        ),
    )


def _explain() -> Offer:
    return Offer(
        "explain_decision",
        "Explain a decision",
        "Why a memory was stored, replaced or forgotten, why an item waits for review or how it was decided, or why "
        "an answer was judged as it was.",
        Ability.READ,
        takes(("id",), id=text("A memory_id, review_id or report_id.", schemas.NAME_CHARACTERS)),
        gives(
            "memory",
            "item",
            "verdicts",
            "forgotten",
            id=schemas.STRING,
            kind=schemas.choice("What the id names.", ("memory", "review", "report")),
            decision=schemas.STRING,
            reason=schemas.STRING,
            memory=schemas.MEMORY,
            item=schemas.OBJECT,
            forgotten=schemas.TOMBSTONE,
            verdicts=listing("Of a report.", schemas.JUDGED),
            steps=listing("Who did what, oldest first.", schemas.STEP),
        ),
        tools.explain_decision,
    )


def _forget(memory: int) -> Offer:
    return Offer(
        "forget_memory",
        "Forget a memory",
        "Delete a memory for good, and every log entry that quotes it. Only when the user asks for it; it cannot be "
        "undone. The reason is kept, so do not quote the memory in it.",
        Ability.FORGET,
        takes(
            ("memory_id", "reason"),
            memory_id=text("The id of a memory; its beginning is enough.", schemas.NAME_CHARACTERS),
            reason=text("Why.", memory),
        ),
        gives(
            forgotten=listing("What is left of them.", schemas.TOMBSTONE),
            dependent_memories=schemas.IDENTITIES,
            dependent_reviews=schemas.IDENTITIES,
            purged=maybe(schemas.FLAG),
        ),
        tools.forget_memory,
        is_destructive=True,
    )
