"""Closed-class words, and what the ambiguous ones among them are in context."""

from __future__ import annotations

from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token, is_number_word

_PARTICLES = frozenset({"up", "down", "off", "out", "over", "about", "around", "on", "in"})
AUXILIARIES = {"b": "be", "h": "have", "d": "do"}


@cache
def closed_classes() -> dict[str, str]:
    """Word → letter, for words whose part of speech needs no dictionary."""
    classes: dict[str, list[str]] = read_table("grammar")["closed"]
    return {word: letter for letter, words in classes.items() for word in words}


@cache
def embedding_verbs() -> frozenset[str]:
    """Verbs that take a whole clause: what follows is a report or a belief."""
    return frozenset(read_table("grammar")["embedding"]["verbs"])


@cache
def limiting_adverbs() -> frozenset[str]:
    """Adverbs that say more than the verb or the noun does: "only", "always", "alone"."""
    return frozenset(read_table("grammar")["adverbs"]["limiting"])


@cache
def word_group(name: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["tokens"][name])


class Context:
    """What the tagger knows when it comes to a word."""

    __slots__ = (
        "conjoins", "flat", "following", "has_verb", "left", "owed", "passive", "plural", "position", "prev", "said",
        "tokens",
    )  # fmt: skip

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.following: Token | None = None
        self.prev = "^"
        """The letter before; `left` passes over adverbs and negations."""
        self.left = "^"
        self.flat: bool | None = None
        """Letters do not tell names: all are small, or all are capitals."""
        self.has_verb = False
        """A verb was seen since the clause began."""
        self.plural = False
        """What stands before is plural, so that a bare verb may follow."""
        self.passive = False
        """The last verb was a participle after "be" or "have"."""
        self.conjoins = False
        """The last "and" followed a verb, so that another verb may follow."""
        self.said = False
        """A verb was seen since the last conjunction, whatever commas and relative clauses came in between."""
        self.owed = False
        """A relative clause stands between a subject and its verb: "Ada, who sings, …"."""

    def advance(self, token: Token, letter: str) -> None:
        """Go past `token`, which was found to be `letter`."""
        prev = self.prev
        if letter == "N":
            self.plural = self.plural or (token.low != token.lemma and token.low.endswith("s"))
        elif letter in "PDS":
            if prev == "V" and self.tokens[self.position - 1].lemma in embedding_verbs():
                self.has_verb = self.plural = False
        elif letter in "It":
            self.plural = False
        elif letter == "p":
            if token.low in word_group("nominatives") and self._opens_clause():
                self.has_verb = self.plural = False
        elif letter in "bhdMV" or (letter == "B" and prev == "^"):
            self.owed = self.owed and not (self.said and prev in (",", "N", "P", "R"))
            self.has_verb, self.plural, self.said = True, False, True
        elif letter in "CUW;.,:-":
            if letter == "W" or (token.low == "that" and prev in ("N", "P")):
                self.owed = not self.said and prev in (",", "N", "P")
            elif letter != ",":
                self.said = self.owed = False
            self.has_verb, self.plural = False, letter == "C"
            self.conjoins = letter == "C" and prev in ("V", "B", "J", "R", "E")
        if letter in "VE":
            goes_on = self.passive and self.left in (",", "C")
            self.passive = letter == "E" and (goes_on or self.left in ("b", "h"))
        self.prev = letter
        if letter not in "Rn":
            self.left = letter

    def _opens_clause(self) -> bool:
        """ "the town I live in", "I think she left": does the pronoun here begin a clause inside another?"""
        if self.prev in ("N", "P", "p", "#"):
            return True
        following = self.following
        if self.prev != "V" or following is None or following.tag:
            return False
        return is_finite(following) or self.tokens[self.position - 1].lemma in embedding_verbs()


@cache
def settled_words() -> dict[str, tuple[str, str]]:
    """Closed-class words that are the same everywhere, with letter and lemma; `settle` is for the others."""
    unsettled = word_group("approximations") | word_group("clause_openers") | word_group("standing_alone")
    unsettled |= _PARTICLES | {"like", "once", "her", "his", "so", "no", "neither", "there", "well", "back"}
    return {
        word: (letter, AUXILIARIES.get(letter, word))
        for word, letter in closed_classes().items()
        if letter != "M" and word not in unsettled
    }


def settle(letter: str, token: Token, context: Context) -> str:
    """The letter of a closed-class word in its place."""
    if letter in "hdb":
        token.lemma = AUXILIARIES[letter]
        return letter
    if letter == "M":
        return _settle_modal(token, context)
    if letter == "I":
        return _settle_preposition(token, context)
    if letter in "SU":
        return _settle_possessive(letter, token, context)
    if letter == "D":
        return _settle_determiner(token, context)
    if token.low == "there" and context.prev in ("N", "P"):
        return "R"
    if letter == "R" and token.low in ("well", "back") and context.prev in "SDJ":
        return "N"
    return letter


def _settle_preposition(token: Token, context: Context) -> str:
    low, following = token.low, context.following
    after = following.low if following is not None else ""
    if low == "since" and context.prev == "h" and any(penn == "VBN" for penn, _ in lexicon.readings(after)):
        return "R"  # "has since moved"
    if low == "like":
        return _settle_like(context, after)
    if (
        low in word_group("approximations")
        and following is not None
        and (following.tag == "#" or is_number_word(after))
    ):
        return "R"
    if low in word_group("clause_openers") and (after in word_group("subjects") or _opens_clause(context)):
        return "U" if context.position + 2 < len(context.tokens) else "I"
    if low in _PARTICLES and after in ("", ",", "."):
        return "R"
    return "I"


def _settle_like(context: Context, after: str) -> str:
    left, has_verb = context.left, context.has_verb
    if left in ("p", "d") or context.prev in ("t", "M") or (left in ("N", "P") and not has_verb):
        return "V"
    if left == "^" and any(t.tag == "," for t in context.tokens[context.position + 1 : context.position + 6]):
        return "I"  # "Like her mother, Ana…"
    opens = left in ("^", "C", ",") and not has_verb and after not in ("the", "a", "an", "this", "that")
    return "V" if opens else "I"


def _opens_clause(context: Context) -> bool:
    """ "since the budget was cut": a verb follows before the next mark."""
    tokens, i = context.tokens, context.position
    if i + 2 >= len(tokens) or tokens[i + 1].tag:
        return False
    if tokens[i + 1].text[0].isupper() and tokens[i + 1].low not in closed_classes():
        return _finite_after_name(tokens, i + 2)
    if closed_classes().get(tokens[i + 1].low) not in ("D", "S"):
        return False
    for token in tokens[i + 2 : i + 7]:
        if token.tag in (",", ".", ";"):
            return False
        if not token.tag and is_finite(token) and closed_classes().get(token.low) != "M":
            return True
    return False


def _finite_after_name(tokens: list[Token], start: int) -> bool:
    """ "before Renske took over": the word behind the name is a verb and no noun."""
    for i in range(start, min(start + 3, len(tokens) - 1)):
        token = tokens[i]
        if token.tag:
            return False
        if not token.text[0].isupper():
            return is_finite(token) and closed_classes().get(token.low) != "M"
    return False


def _precedes_verb(context: Context) -> bool:
    """ "was once engaged", "once again": an adverb; a clause would begin with whom it is about."""
    following = context.following
    if following is None or following.tag:
        return False
    if context.prev in ("p", "P") and any(tag == "VBN" for tag, _ in lexicon.readings(following.low)):
        return True  # "you once visited": most participles are past forms as well
    return following.low in ("again", "more") or is_finite(following)


def _settle_possessive(letter: str, token: Token, context: Context) -> str:
    following = context.following
    after = following.low if following is not None else ""
    if token.low == "once" and (context.prev == "C" or _precedes_verb(context)):
        return "R"
    if token.low == "her":
        return "S" if after and starts_noun(after) else "p"
    if token.low == "his" and not starts_noun(after):
        return "p"
    return "R" if token.low == "so" and after in ("is", "are", "do", "does") else letter


_ECHOED = frozenset(
    {"do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would"}
)
"""What stands behind "neither" where it takes up the clause before: "and neither does Ana"."""


def _settle_determiner(token: Token, context: Context) -> str:
    low, following = token.low, context.following
    after = following.low if following is not None else ""
    if low == "no" and after in ("longer", "more"):
        return "n"
    if low == "neither" and context.prev == "p":
        return "n"
    if low == "neither" and context.prev in ("C", ",") and after in _ECHOED:
        return "C"
    alone = low in word_group("standing_alone") and following is not None and not following.tag
    return "p" if alone and following is not None and is_finite(following) else "D"


def _settle_modal(token: Token, context: Context) -> str:
    low, prev, left = token.low, context.prev, context.left
    after = context.following.low if context.following is not None else ""
    capital = token.text[0].isupper()
    if low == "may" and capital and prev not in ("p", "N", "P"):
        return "P"
    named = after in ("is", "works", "lives", "has", "was", "and")
    if low in ("will", "may") and capital and named and prev in ("I", ",", "C", "D", "'", "^"):
        return "P"
    if low == "need" and after not in ("not", "n't", "n’t"):
        return "V" if left in ("p", "N", "P") else ("B" if left in ("t", "M", "d") else "N")
    if low in ("can", "will", "might", "must", "may") and prev in "DSJ#'":
        return "N"
    return "M"


def settle_clitic(token: Token, context: Context) -> str:
    """'s is a possessive after a noun before a noun phrase, otherwise "is" or "has"."""
    following, left = context.following, context.left
    if context.position and context.tokens[context.position - 1].low == "let":
        token.lemma = "us"
        return "t"
    token.lemma = "be"
    if left in ("p", "W"):
        if following is not None and following.low in ("been", "got", "had", "become", "gone", "moved", "started"):
            token.lemma = "have"
            return "h"
        return "b"
    if following is not None and following.tag not in (",", "."):
        if closed_classes().get(following.low) in ("D", "S", "p", "n", "I", "t", "R", "b"):
            return "b"
        doing = not following.text[0].isupper() and lexicon.readings(following.low)[0][0] == "VBG"
        if doing and not _is_named_by_doing(context.tokens[context.position + 2 : context.position + 4]):
            return "b"
    token.lemma = "'s"
    return "'"


def _is_named_by_doing(behind: list[Token]) -> bool:
    """ "Ana's rowing club meets": the club is hers, since it has a verb of its own; not so "Ana's rowing today"."""
    if len(behind) < 2 or behind[0].low in closed_classes() or behind[1].tag:
        return False
    return lexicon.readings(behind[0].low)[0][0] in ("NN", "NNS") and is_finite(behind[1])


def settle_that(context: Context) -> str:
    following, left, has_verb = context.following, context.left, context.has_verb
    if following is None:
        return "p"
    letter = closed_classes().get(following.low)
    if letter in ("b", "h", "d", "M") or following.low in ("'s", "’s"):
        if left in ("N", "P") and has_verb:
            return "W"
        return "p" if left in ("^", ",", "C", "U") else "W"
    if left == "C" and any(t.low == "that" and t.tag == "U" for t in context.tokens[: context.position]):
        return "U"
    if letter in ("p", "S", "D"):
        return "D" if left in ("^", ",", "C", "I") else "U"
    if left in ("N", "P") and lexicon.readings(following.low)[0][0][0] == "V":
        return "W"
    opens = left == "V" or (has_verb and (left == "p" or (left in ("J", "N") and following.text[0].isupper())))
    return "U" if opens else "D"


@lru_cache(maxsize=8192)
def starts_noun(word: str) -> bool:
    """Can a noun phrase begin with this word, so that "her" before it is a possessive?"""
    if word in closed_classes():
        return closed_classes()[word] == "D" or word in ("own", "well")
    if is_number_word(word):
        return True
    if not word or not word[0].isalnum():
        return False
    return any(tag[0] in "NJ" or tag in ("VBG", "VBN") for tag, _ in lexicon.readings(word))


def is_finite(token: Token) -> bool:
    """Does the word look like a finite verb?"""
    letter = closed_classes().get(token.low)
    if letter:
        return letter in "bhdM"
    found = lexicon.readings(token.low)
    return found[0][0] in ("VBZ", "VBD") or (found[0][0] == "VBN" and any(t == "VBD" for t, _ in found))
