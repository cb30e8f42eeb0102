"""Which words mean the same, which exclude each other, which is a kind of which.

The tables are written by hand and lean to silence: a missing entry costs a verdict, a wrong one makes a false
claim look supported. A word with several meanings sits in several clusters, each time with a gloss
("store (keep)", "store (shop)"); the word on the other side of a question then decides which meaning is meant,
so `store` matches `save` and matches `shop` while `save` and `shop` stay apart.

Opposites exclude each other of the same thing at the same time: "opens at nine" and "closes at five" do not
clash, so a caller compares subject, object and time before it reads a contradiction out of them.

The three tables are read apart, each when it is first asked, and are kept consistent by the tests, not while loading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table

SAME, OPPOSITES, KINDS = "thesaurus_same", "thesaurus_opposites", "thesaurus_kinds"

_GLOSS = " ("


@dataclass(frozen=True, slots=True)
class WordLinks:
    """Links between concepts, and how a lemma finds its concepts: by its meanings, its cluster, or as itself."""

    meanings: Mapping[str, tuple[str, ...]]
    clusters: Mapping[str, str]
    links: Mapping[str, set[str]]

    def concepts_of(self, lemma: str) -> tuple[str, ...]:
        key = _join(lemma) if "-" in lemma else lemma
        return self.meanings.get(key) or (self.clusters.get(key, key),)


@lru_cache(maxsize=65536)
def same_meaning(left: str, right: str) -> bool:
    """Whether one lemma may stand for the other in an ordinary sentence without making it false."""
    if left == right:
        return True
    same = load_clusters()
    known = same.concepts_of(left)
    return not set(known).isdisjoint(same.concepts_of(right))


@lru_cache(maxsize=65536)
def are_opposites(left: str, right: str) -> bool:
    """Whether the two exclude each other, directly or through words of the same meaning."""
    if left.endswith(right) or right.endswith(left):
        return left != right and (denied_base(left) == right or denied_base(right) == left)
    opposites = load_opposites()
    meant = opposites.concepts_of(right)
    return any(not opposites.links.get(one, set()).isdisjoint(meant) for one in opposites.concepts_of(left))


@lru_cache(maxsize=8192)
def denied_base(word: str) -> str | None:
    """What "unpaid", "inactive", "non-smoking" say no to; None for a word that denies nothing."""
    for prefix in ("un", "non-", "non", "in", "dis"):
        base = word.removeprefix(prefix)
        if base != word and len(base) > 3 and lexicon.is_known(base) and lexicon.readings(base)[0][0] in _STATES:
            return base
    return None


_STATES = frozenset({"JJ", "VBN", "VBD"})


@lru_cache(maxsize=65536)
def is_kind_of(specific: str, general: str) -> bool:
    """Whether whatever is `specific` is also `general`; no word is a kind of itself or of its synonyms."""
    kinds = load_kinds()
    linked = [one for one in kinds.concepts_of(specific) if one in kinds.links]
    if not linked:
        return False
    meant = kinds.concepts_of(general)
    return any(not _climb(one).isdisjoint(meant) for one in linked) and not same_meaning(specific, general)


def has_kin(word: str) -> bool:
    """Whether the tables know the word: most names and numbers mean themselves and nothing else."""
    return not word.isalnum() or word in _vocabulary() or word in load_kinds().links


def is_carried(lemma: str, others: Collection[str]) -> bool:
    """Whether one of `others` means the same as the lemma, or is a kind of it."""
    vocabulary = _vocabulary()
    if lemma in others or (lemma.isalnum() and lemma not in vocabulary):
        return lemma in others
    same, kinds = load_clusters(), load_kinds()
    meant, general = same.concepts_of(lemma), kinds.concepts_of(lemma)
    for other in others:
        if other.isalnum() and other not in vocabulary and other not in kinds.links:
            continue  # it means itself alone
        for one in same.concepts_of(other):
            if one in meant:
                return True
        for one in kinds.concepts_of(other):
            if one in kinds.links and not _climb(one).isdisjoint(general):
                return True
    return False


@dataclass(frozen=True, slots=True)
class Kin:
    """Some words, and the concepts by which others can be opposites or kinds of them."""

    words: frozenset[str]
    bases: frozenset[str]
    """What they say no to."""
    senses: frozenset[str]
    against: frozenset[str]
    kinds: frozenset[str]
    above: frozenset[str]

    def may_be_opposed(self, other: Kin) -> bool:
        """Whether `are_opposites` can hold of a word of one and a word of the other; most words have no opposites."""
        return not (
            self.against.isdisjoint(other.senses)
            and self.bases.isdisjoint(other.words)
            and other.bases.isdisjoint(self.words)
        )

    def may_be_kindred(self, other: Kin) -> bool:
        """Whether `is_kind_of` can hold of a word of one and a word of the other, either way."""
        return not (self.above.isdisjoint(other.kinds) and other.above.isdisjoint(self.kinds))


def find_kin(words: frozenset[str]) -> Kin:
    opposites, general = load_opposites(), load_kinds()
    senses = frozenset([one for word in words for one in opposites.concepts_of(word)])
    kinds = frozenset([one for word in words for one in general.concepts_of(word)])
    return Kin(
        words,
        frozenset([base for word in words if (base := denied_base(word)) is not None]),
        senses,
        frozenset[str]().union(*[opposites.links[one] for one in senses if one in opposites.links]),
        kinds,
        frozenset[str]().union(*[_climb(one) for one in kinds if one in general.links]),
    )


def concept(lemma: str) -> str:
    """The word that names the lemma's cluster, or the lemma itself; the first listed meaning where it has several."""
    same = load_clusters()
    key = _join(lemma)
    found = same.meanings.get(key)
    return found[0] if found else same.clusters.get(key, lemma)


@cache
def load_clusters() -> WordLinks:
    """Lines "head, word, word": every word → the head."""
    meanings: dict[str, tuple[str, ...]] = {}
    clusters: dict[str, str] = {}
    for line in read_entries(SAME):
        head, _, _ = line.partition(", ")
        names = _join(line).split(", ")
        clusters.update(dict.fromkeys(names, head))
        if _GLOSS in line:
            _note_meanings(names, clusters, meanings)
    return WordLinks(meanings, clusters, {})


@cache
def load_opposites() -> WordLinks:
    """Lines "a | b | c": every two on a line exclude each other."""
    same = load_clusters()
    meanings, clusters = dict(same.meanings), same.clusters
    links: dict[str, set[str]] = {}
    for line in read_entries(OPPOSITES):
        names = _join(line).split(" | ")
        if _GLOSS in line:
            _note_meanings(names, clusters, meanings)
        concepts = [clusters.get(name, name) for name in names]
        for one in concepts:
            links.setdefault(one, set()).update(concepts)
    for one, others in links.items():
        others.discard(one)
    return WordLinks(meanings, clusters, links)


@cache
def load_kinds() -> WordLinks:
    """Lines "general: a, b": each specific concept → the generals that stand directly above it."""
    same = load_clusters()
    meanings, clusters = dict(same.meanings), same.clusters
    links: dict[str, set[str]] = {}
    for line in read_entries(KINDS):
        general, _, rest = _join(line).partition(": ")
        names = rest.split(", ")
        if _GLOSS in line:
            _note_meanings([general, *names], clusters, meanings)
        parent = clusters.get(general, general)
        for name in names:
            one = clusters.get(name, name)
            if one in links:
                links[one].add(parent)
            else:
                links[one] = {parent}
    return WordLinks(meanings, clusters, links)


def read_entries(name: str) -> Iterator[str]:
    """The lines of a packaged table, its TOML keys being headings; an indented line goes on with the one above it."""
    text = "\n".join(map(str, read_table(name).values()))
    return filter(None, text.replace(",\n    ", ", ").split("\n"))


@cache
def _vocabulary() -> frozenset[str]:
    """Every word that some other word can mean, or be a kind of; most names and numbers are none of them."""
    same, kinds = load_clusters(), load_kinds()
    return frozenset[str]().union(same.meanings, same.clusters, kinds.meanings, *kinds.links.values())


def list_above(specific: str) -> frozenset[str]:
    """Every concept of which a concept is a kind, near and far."""
    return _climb(specific) if specific in load_kinds().links else frozenset()


@cache
def _climb(specific: str) -> frozenset[str]:
    """Everything above a concept; each is climbed once, so asking again is one look-up."""
    links = load_kinds().links
    above: set[str] = set()
    pending = list(links.get(specific, ()))
    while pending:
        general = pending.pop()
        if general not in above:
            above.add(general)
            pending.extend(links.get(general, ()))
    return frozenset(above)


def _note_meanings(names: list[str], clusters: Mapping[str, str], meanings: dict[str, tuple[str, ...]]) -> None:
    """Under the bare lemma, the concept of each of its glossed entries."""
    for name in names:
        lemma, gloss, _ = name.partition(_GLOSS)
        if gloss:
            meant = clusters.get(name, name)
            known = meanings.get(lemma, ())
            if meant not in known:
                meanings[lemma] = (*known, meant)


def _join(words: str) -> str:
    """One spelling for "part-time" and "part time"."""
    return words.replace("-", " ")
