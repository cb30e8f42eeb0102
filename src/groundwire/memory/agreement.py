"""Whether a sentence that has a candidate's words also says it: same subject, same verb, not denied, not over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from groundwire.judge.entailment import is_real as is_realised
from groundwire.memory.asking import Asked, find_attitude, read_candidate
from groundwire.memory.mentions import is_shown
from groundwire.memory.opposition import exclude_each_other
from groundwire.memory.phrasing import Word, content_words, forms_of, has_phrase, missing_from, words_about
from groundwire.memory.quoting import quote
from groundwire.memory.testimony import Heard, is_over
from groundwire.text.derivation import is_derived
from groundwire.text.reading import ReadClaim
from groundwire.text.subjects import USER
from groundwire.text.tagging import tag
from groundwire.text.thesaurus import same_meaning
from groundwire.text.tokens import tokenize
from groundwire.types import Tense

_SECOND = frozenset({"without", "than", "except", "unlike", "instead"})
"""What stands behind these is not what is said, but what it is set against."""
_ASIDE = frozenset({"to", "over"})
_PALE = frozenset({"be", "have", "do", "get", "go", "", "name", "call", "become", "make", "take", "feel"})
_LONGEST_PHRASE = 6
_EMPTY_VERBS = frozenset({"be", "have", "do", "get", "go", "", "name", "call"})


def shows(word: Word, heard: Heard) -> bool:
    """The word itself, a derivation of it, or for "explanation" one of the ways to ask for it."""
    if is_shown(word, heard.words):
        return True
    explaining = words_about("attitudes", "patterns", "explaining")
    return bool(word.forms & {"explanation", "explain"}) and any(p in heard.text.casefold() for p in explaining)


def denies(asked: Asked, heard: Heard) -> bool:
    mine = any(read.proposition.negated for read in asked.claims)
    reads = [r for r in heard.claims if count_shared(asked, r)]
    return any(read.proposition.negated for read in reads) != mine


def count_shared(asked: Asked, read: ReadClaim) -> int:
    lemmas = read.proposition.lemmas | {read.proposition.predicate}
    spoken = set(read.claim.text.casefold().split())
    return sum(1 for word in asked.words if word.forms & lemmas or word.forms & spoken)


def says_so(asked: Asked, read: ReadClaim) -> bool:
    """Where the judge is silent: the same verb of the same subject, or the very same words."""
    same_subject = read.proposition.subject == asked.subject or read.proposition.subject == USER
    return same_subject and (_same_predicate(asked, read) or _same_wording(asked, read))


def _same_predicate(asked: Asked, read: ReadClaim) -> bool:
    mine, theirs = asked.predicate, read.proposition.predicate
    if not asked.claims:
        return True
    if mine == theirs or same_meaning(mine, theirs):
        return True
    return mine in _EMPTY_VERBS and theirs in _EMPTY_VERBS and mine == theirs


def _same_wording(asked: Asked, read: ReadClaim) -> bool:
    """The statement begins with the candidate's words and nothing between them, however either was parsed."""
    said = content_words(read.claim.text)[: len(asked.words)]
    return len(said) == len(asked.words) and all(a.matches(b) for a, b in zip(asked.words, said, strict=True))


def similar_predicate(asked: Asked, read: ReadClaim) -> bool:
    mine, theirs = asked.predicate, read.proposition.predicate
    return mine == theirs or same_meaning(mine, theirs) or (bool(mine and theirs) and is_derived(mine, theirs))


def find_disagreement(asked: Asked, read: ReadClaim, heard: Heard) -> str:
    """What speaks against it although the words are there: a denial, an end, a weaker word, a future."""
    if _leaves_out(asked, read):
        return "put the other way round"
    if not asked.claims:
        return "denied in the source" if read.proposition.negated else ""
    mine = max(asked.claims, key=lambda one: count_shared(asked, one))
    if _is_denied(mine) != _is_denied(read):
        return "denied in the source" if _is_denied(read) else "affirmed in the source"
    if is_over(read) and not is_over(mine) and _is_state(read):
        return "no longer so"
    if not is_realised(mine.proposition, read.proposition):
        return "only wished or planned"
    if read.proposition.tense is Tense.FUTURE and mine.proposition.tense is not Tense.FUTURE:
        return "only planned"
    if is_over(mine) and not is_over(read) and _is_state(read):
        return "still so"
    attitude = asked.attitude
    if attitude is not None and attitude[1] == "strong":
        said = find_attitude(heard.words)
        if said is not None and said[0] == attitude[0] and said[1] == "mild":
            return "put less strongly"
    return ""


def find_scattered(asked: Asked, heard: Heard) -> str:
    """The words are all there, but in statements of different things: "my wife plays the piano and I the cello"."""
    told = [(read, replace(heard, words=words)) for read, words in _statements(heard)]
    for mine in asked.claims:
        wanted = content_words(mine.claim.text)
        if not any(_may_say(mine, read) and not find_lacking(wanted, one) for read, one in told):
            return "said of something else"
    return "put the other way round" if turns_round(asked, heard) else ""


def _may_say(mine: ReadClaim, read: ReadClaim) -> bool:
    """Whether the verbs can mean the same: "owns" is not "rents"; what merely is or has may be put in many ways."""
    one, other = mine.proposition.predicate, read.proposition.predicate
    if one in _PALE or other in _PALE or one == other or same_meaning(one, other) or is_derived(one, other):
        return True
    return find_attitude(content_words(mine.claim.text)) is not None


def _statements(heard: Heard) -> list[tuple[ReadClaim, tuple[Word, ...]]]:
    """Each statement about the user with its words, and those of the sentence that belong to no statement."""
    if heard.is_answer:
        return [(read, heard.words) for read in heard.own]
    shift = heard.offset - heard.place.span.start
    spans = [(read.claim.span.start + shift, read.claim.span.end + shift) for read in heard.claims]
    inside = content_words(heard.text)
    loose = tuple(w for w in inside if not any(start <= w.start < end for start, end in spans))
    return [(read, (*content_words(quote(read, heard).text), *loose)) for read in heard.own]


def turns_round(asked: Asked, heard: Heard) -> bool:
    """ "After the wedding" for "before the wedding", "coffee" for "tea to coffee"."""
    said = _govern(heard.text)
    for word, asked_by in _govern(asked.text).items():
        for one, other in product(asked_by, said.get(word, ())):
            if exclude_each_other(one, other) or (not one and other in _SECOND):
                return True
            if asked.predicate == "prefer" and (one in _ASIDE) != (other in _ASIDE):
                return True
    return False


@lru_cache(maxsize=4096)
def _govern(text: str) -> dict[str, frozenset[str]]:
    """Every noun, name or number with the prepositions that stand before its phrase; "" for none."""
    tokens = tokenize(text)
    tags = tag(tokens)
    found: dict[str, set[str]] = {}
    for place, token in enumerate(tokens):
        if tags[place] not in "NP#G":
            continue
        at = place - 1
        while at >= 0 and tags[at] in "DSJNP#RG'" and place - at <= _LONGEST_PHRASE:
            at -= 1
        by = tokens[at].low if at >= 0 and tags[at] in "It" else ""
        found.setdefault(token.lemma or token.low, set()).add(by)
    return {word: frozenset(by) for word, by in found.items()}


def _leaves_out(asked: Asked, read: ReadClaim) -> bool:
    """ "I almost bought a Jeep", "I refuse to eat there", "less than 5": the word that matters is gone."""
    cancelling = words_about("testimony", "negation", "cancelling")
    said, kept = _forms(read.claim.text), _forms(asked.text)
    if (said & cancelling) - kept:
        return True
    if not any(word.is_number for word in asked.words):
        return False
    bounds = words_about("testimony", "negation", "bounds")
    return has_phrase(read.claim.text, bounds) and not has_phrase(asked.text, bounds)


def _forms(text: str) -> frozenset[str]:
    return frozenset(form for token in tokenize(text) for form in forms_of(token.low))


def _is_denied(read: ReadClaim) -> bool:
    return read.proposition.negated or any(f.polarity.value == "negative" for f in read.facts)


def _is_state(read: ReadClaim) -> bool:
    return any(f.pattern != "predicate" for f in read.facts) or bool(read.proposition.adverbs) or is_over(read)


def divide(asked: Asked) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The statement proper (verb and object), and what is added to it by "with …", "for …"."""
    if not asked.claims:
        return asked.words, ()
    read = asked.claims[0]
    added = {
        lemma
        for argument in read.proposition.arguments
        if argument.role in ("with", "including", "like", "especially", "without")
        for lemma in argument.lemmas
    }
    extra = tuple(w for w in asked.words if w.forms & added)
    core = tuple(w for w in asked.words if w not in extra)
    return (core, extra) if core else (asked.words, ())


def restrict(asked: Asked, core: tuple[Word, ...]) -> Asked:
    """The candidate without its additions, for the judge."""
    if len(core) == len(asked.words) or not core:
        return asked
    end = max(word.end for word in core)
    return read_candidate(asked.text[:end]) if end < len(asked.text) else asked


def find_lacking(core: Sequence[Word], heard: Heard) -> list[Word]:
    """Words of the statement that a sentence lacks; a liking may be told by another word of the same strength."""
    missing = missing_from(core, heard.words)
    attitude = find_attitude(tuple(missing))
    said = find_attitude(heard.words)
    if attitude is None or said is None:
        return [word for word in missing if not _has_synonym(word, heard)]
    known = words_about("attitudes", *attitude)
    if said[0] == attitude[0] and (said[1] == "strong" or attitude[1] == "mild"):
        return [word for word in missing if not word.forms & known]
    return missing


def _has_synonym(word: Word, heard: Heard) -> bool:
    """The judge decides what it makes of them."""
    if word.is_number or word.is_name:
        return False
    return any(same_meaning(a, b) for other in heard.words for a in word.forms for b in other.forms)


def may_add(heard: Heard, word: Word, sign: str) -> bool:
    if not heard.is_asserted or heard.is_behaviour or not any(word.matches(other) for other in heard.words):
        return False
    said = find_attitude(heard.words)
    if sign and said is not None and said[0] != sign:
        return False
    reads = [r for r in heard.claims if word.forms & r.proposition.lemmas]
    others = [r for r in reads if r.proposition.subject.startswith("user's ") and r not in heard.own]
    return not others and not any(r.proposition.negated for r in reads)


def find_matched(words: Sequence[Word], heard: Heard) -> tuple[Word, ...]:
    return tuple(o for o in heard.words if any(w.matches(o) for w in words))
