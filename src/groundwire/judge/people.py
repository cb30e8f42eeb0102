"""Who is spoken of: the user, somebody of theirs, somebody called by name; and whether two must be two.

What one of them has or does says nothing of another, be they named in one breath.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import covers
from groundwire.judge.comparisons import compares
from groundwire.judge.entailment import compare_propositions
from groundwire.text import lexicon
from groundwire.text.propositions import Proposition
from groundwire.text.subjects import USER, is_relation, names_person
from groundwire.text.tables import read_table
from groundwire.types import Verdict


def is_relative(proposition: Proposition) -> bool:
    """About somebody of the user's: what the user has, their mother need not have."""
    words = proposition.subject_lemmas
    return proposition.subject.startswith(f"{USER}'s ") and len(words) == 1 and is_relation(words[0])


def is_person(proposition: Proposition) -> bool:
    """About the user, or about somebody called by name."""
    if proposition.subject == USER:
        return True
    words = proposition.subject_lemmas
    return bool(words) and proposition.names.issuperset(words) and not _is_thing(words)


def is_user(proposition: Proposition) -> bool:
    """About the user, alone or with somebody: "my wife and I"."""
    if proposition.subject == USER:
        return True
    members = proposition.subject.split(" and ")
    return len(members) > 1 and any(member.lower() in _SPEAKING for member in members)


_SPEAKING = frozenset({"i", "me", "you", "we", "the user", USER})


@lru_cache(maxsize=4096)
def _is_thing(words: tuple[str, ...]) -> bool:
    """Words with a capital that call nobody: what begins a sentence ("Money", "People"), "Camp Willow"."""
    if words[0] in _GREETINGS or words[0] in _given():
        return words[0] in _GREETINGS
    common = sum(map(_is_common, words))
    return common == len(words) or (common == len(words) - 1 >= _LONG_NAME and _is_common(words[-1]))


_GREETINGS = frozenset({"hi", "hello", "hey"})
_LONG_NAME = 2


def _is_common(word: str) -> bool:
    if word.endswith("ism"):
        return True
    tags = [tag for tag, _ in lexicon.readings(word)]
    if not lexicon.is_known(word):
        return tags == ["NNS"] and lexicon.is_known(lexicon.noun_lemma(word))
    return "NNP" not in tags or tags[0] in ("NN", "NNS")


@cache
def _given() -> frozenset[str]:
    """Words that somebody can be called as well: "Grace", "Mark"."""
    return frozenset(read_table("aliases")["names"]["given"])


def is_told_of_another(mine: Proposition, others: Sequence[Proposition]) -> str | None:
    """Of whom else the very same is told, where of the one who is meant only other things are."""
    named = any(a.is_name and a.role == "object" for a in mine.arguments)
    naming = named and mine.predicate == "be"  # "the speaker is Ada": who is who
    if mine.negated or naming or compares(mine) or not (is_person(mine) or is_relative(mine)):
        return None
    if len(others) > _MOST_TOLD:
        return None  # in a longer text names and pronouns change for one person
    own = [other for other in others if subjects_match(mine.subject, other.subject, Aliases())]
    held = tuple(lemma for a in mine.arguments for lemma in a.lemmas) or (mine.predicate,)
    if any(covers(held, other.lemmas) for other in own) or (not own and mine.subject != USER):
        return None
    for other in others:
        if other in own or not _must_be_two(mine, other) or (not own and _is_a_name(other)):
            continue
        told = compare_propositions(
            mine._replace(subject=other.subject, subject_lemmas=other.subject_lemmas, names=mine.names | other.names,
                          lemmas=mine.lemmas - set(mine.subject_lemmas)),
            other, Aliases(),
        )  # fmt: skip
        if told is not None and told.verdict is Verdict.SUPPORTED:
            return other.subject
    return None


def _must_be_two(one: Proposition, other: Proposition) -> bool:
    """The user is nobody else, two names are two people; "my son" may be the one who is called by name elsewhere."""
    if one.subject == USER and other.subject_lemmas and names_person(other.subject_lemmas[-1]):
        return other.subject[:1].islower() and other.subject_lemmas[-1] not in _ANYONE
    if not (is_person(other) or is_relative(other) or _is_called(other)):
        return False
    return USER in (one.subject, other.subject) or is_relative(one) is is_relative(other)


def _is_a_name(said: Proposition) -> bool:
    """ "Nora lives in Cork" may be of the user, who has a name as well."""
    return said.subject[:1].isupper()


_MOST_TOLD = 3
_ANYONE = frozenset({"person", "human", "people", "man", "woman"})


def _is_called(said: Proposition) -> bool:
    """ "my niece Lea": told of by name, with what she is before it."""
    last = said.subject.rpartition(" ")[2]
    return last[:1].isupper() and last.lower() in said.names and len(said.subject_lemmas) > 1
