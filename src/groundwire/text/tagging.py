"""Parts of speech: each token gets one letter, from the dictionary and from what stands around it."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.text import lexicon
from groundwire.text.function_words import (
    Context,
    closed_classes,
    is_finite,
    settle,
    settle_clitic,
    settle_that,
    settled_words,
    word_group,
)
from groundwire.text.places import is_place
from groundwire.text.tokens import Token, is_number_word, number_words, tokenize
from groundwire.text.verb_finding import find_first_verb, find_listed, find_verb

_COARSE = {
    "NN": "N", "NNS": "N", "NNP": "P", "NNPS": "P", "JJ": "J", "JJR": "J", "JJS": "J", "RB": "R", "RBR": "R",
    "RBS": "R", "VB": "B", "VBP": "B", "VBZ": "V", "VBD": "V", "VBN": "E", "VBG": "G",
}  # fmt: skip
_IDENTIFIER = re.compile(r"_|[a-z]\d")
"""Part of a user name, a model number or the like."""
_NOUNISH = frozenset("DSJ#'")
_VERBS = re.compile("[bhdMVB]")
_QUIET = frozenset("PDSJ#@'RnG\"()")
"""Letters that change nothing for the words behind them, unless a verb stands before."""
_LONGEST = 1_200
"""Characters of a text that is kept with its letters: more than a sentence has."""


def tag_text(text: str, offset: int = 0) -> tuple[list[Token], str]:
    """The tokens of a text with their letters; the list belongs to whoever asks, who may change it."""
    if len(text) > _LONGEST:
        return _tag_now(text, offset)
    tokens, letters = _tag_known(text)
    return [token.moved(offset) for token in tokens] if offset else tokens[:], letters


def share_tags(text: str) -> tuple[list[Token], str]:
    """The same for those who only look; a sentence is looked at by many."""
    return _tag_known(text) if len(text) <= _LONGEST else _tag_now(text, 0)


@lru_cache(maxsize=4096)
def _tag_known(text: str) -> tuple[list[Token], str]:
    return _tag_now(text, 0)


def _tag_now(text: str, offset: int) -> tuple[list[Token], str]:
    tokens = tokenize(text, offset)
    return tokens, tag(tokens)


_WRITTEN_LARGE = {"US": ("u.s.", "u.s."), "IT": ("i.t.", "i.t.")}
"""Pronouns that are none in capitals: "servers in the US", "works in IT"."""


def tag(tokens: list[Token]) -> str:
    """Give every token its letter and lemma; returns the letters as one string."""
    settled, closed, numbers = settled_words(), closed_classes(), number_words()
    context = Context(tokens)
    shouting = len(tokens) > 3 and _shouts(tokens)
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        context.position = i
        context.following = tokens[i + 1] if i < last else None
        letter, low = token.tag, token.low
        if letter:
            if (letter == "#" and _is_named_by_number(token, context)) or (low == "&" and context.prev in ("P", "N")):
                letter = token.tag = "P"
        else:
            if token.text in _WRITTEN_LARGE and not shouting:
                letter, token.low, token.lemma = "P", *_WRITTEN_LARGE[token.text]
            elif (known := settled.get(low)) is not None:
                letter, token.lemma = known
            elif low in closed:
                letter = settle(closed[low], token, context)
            elif (low in numbers or ("-" in low and is_number_word(low))) and not (i and token.text[0].isupper()):
                letter = "#"
            else:
                letter = _tag_open(token, context, shouting=shouting)
            token.tag = letter
        if i == last:
            break
        if context.prev != "V" and letter in _QUIET:
            context.prev = letter
            if letter not in "Rn":
                context.left = letter
        else:
            context.advance(token, letter)
    letters = "".join([token.tag for token in tokens])
    if _VERBS.search(letters) is None:
        return find_verb(tokens, letters)
    if "CNV" in letters:
        letters = find_listed(tokens, letters)
    joint = letters.find(",C")
    return letters if joint < 0 else find_first_verb(tokens, letters, joint)


def _shouts(tokens: list[Token]) -> bool:
    """More than half of the words are in capitals."""
    quiet = 0
    for token in tokens:
        if not token.text.isupper() or len(token.text) == 1:
            quiet += 2
            if quiet >= len(tokens):
                return False
    return True


def _is_flat(context: Context, *, shouting: bool) -> bool:
    if context.flat is None:
        context.flat = shouting or not [t for t in context.tokens if t.text[0].isupper() and t.low != "i"]
    return context.flat


def _is_named_by_number(token: Token, context: Context) -> bool:
    """ "works at 3M", "shops at 7-Eleven": after "at" or "for", a number with a capital is a firm."""
    if not token.text[-1:].isupper() or context.prev != "I":
        return False
    before, following = context.tokens[context.position - 1].low, context.following
    ends = following is None or following.tag in (".", ",", ";") or closed_classes().get(following.low) is not None
    return before in ("at", "for", "by", "with", "from") and ends


def _tag_open(token: Token, context: Context, *, shouting: bool) -> str:
    low, following = token.low, context.following
    if low in ("'s", "’s"):
        return settle_clitic(token, context)
    if low == "that":
        return settle_that(context)
    if low == "what":
        return "N"
    if not low.isalpha() and _IDENTIFIER.search(low) is not None and not lexicon.is_known(low):
        token.lemma = low
        return "P"
    if token.text[0].isupper() and not shouting and _is_name(token, context):
        token.lemma = low
        return "P"
    if (
        context.left in ("I", "t")
        and _is_flat(context, shouting=shouting)
        and (is_place((low,)) or not lexicon.is_known(low))
        and low.isalpha()
    ):
        token.lemma = low
        return "P"
    letter, token.lemma = _pick(low, lexicon.readings(low), context)
    unread = following is not None and not following.tag
    if letter == "J" and context.prev in ("D", "S", "J") and unread and following is not None and is_finite(following):
        return "N"
    if letter == "J" and context.prev == "J" and unread and following is not None and _is_joined_on(low, following):
        return "N"  # "the spare key to the flat"
    first = context.position == 0 and token.text[0].isupper() and not low.endswith("s")
    if letter == "N" and first and following is not None and is_finite(following):
        return "P"
    return "N" if letter == "B" and first and _is_only_verb(following) else letter


def _is_only_verb(token: Token | None) -> bool:
    """ "Pay arrives on Friday": nobody orders anything to arrive; "Check emails" is an order."""
    if token is None or token.tag or token.low in closed_classes():
        return False
    found = lexicon.readings(token.low)
    return bool(found) and all(penn in ("VBZ", "VBD", "VBN") for penn, _ in found)


def _is_joined_on(low: str, following: Token) -> bool:
    """A word that can be a noun, before a preposition that belongs to nouns."""
    return following.low in ("to", "of", "for") and any(penn == "NN" for penn, _ in lexicon.readings(low))


def _is_name(token: Token, context: Context) -> bool:
    """A capital makes a name, except where a sentence begins and the dictionary knows the word."""
    if context.position and context.prev not in '".:-(':
        return True
    following, found = context.following, lexicon.readings(token.low)
    if not lexicon.is_known(token.low) or found[0][0] == "NNP":
        return True
    if following is None or following.tag or not following.text[0].isupper():
        return False
    return found[0][0] in ("NN", "JJ") and following.low not in closed_classes()


@lru_cache(maxsize=16384)
def _lemmas_by_letter(word: str) -> dict[str, str]:
    """The letters that a word can get, most likely first, with the lemma that goes with each."""
    lemmas: dict[str, str] = {}
    for penn, lemma in lexicon.readings(word):
        lemmas.setdefault(_COARSE.get(penn, "N"), lemma)
    return lemmas


def _pick(word: str, found: tuple[lexicon.Reading, ...], context: Context) -> tuple[str, str]:
    """Choose a reading by what stands to the left and to the right."""
    first, lemma = found[0]
    if len(found) == 1 and first[0] in "NJR":
        return _COARSE[first], lemma
    lemmas = _lemmas_by_letter(word)
    left = context.left
    small = not context.tokens[context.position].text[0].isupper()
    for letter in _wanted(lemmas, found, context):
        if letter == "P" and small and len(lemmas) > 1:
            continue
        if letter in lemmas:
            bare = letter == "B" and left not in ("t", "M", "d", "^")
            return ("V" if bare else letter), lemmas[letter]
        if letter == "V" and "B" in lemmas and left not in ("t", "M", "d", "h"):
            return ("B" if left == "^" else "V"), lemmas["B"]
        if letter == "E" and any(penn == "VBD" for penn, _ in found):
            return "E", lemmas["V"]
        if letter == "V" and "E" in lemmas:
            return "V", lemmas["E"]
    letter = _COARSE.get(first, "N")
    if letter == "B" and context.prev == "b" and lemmas.keys() == {"B"}:
        return "P", word  # "the branch is develop": no verb stands bare behind "is"
    if letter == "B" and (context.prev in ("D", "S", "J", "'") or _is_called_so(context)):
        return "N", word
    return ("V" if letter == "B" and left not in ("t", "M", "d", "^") else letter), lemma


def _is_called_so(context: Context) -> bool:
    """ "The default branch is develop": behind "is", with nothing to do it to, the bare form of a verb is a name."""
    following = context.following
    return context.prev == "b" and (following is None or following.tag in (".", ",", ";"))


def _wanted(coarse: dict[str, str], found: tuple[lexicon.Reading, ...], context: Context) -> str:
    """The order of letters to try, for this context."""
    first, left = found[0][0], context.left
    if context.prev == "#" and "N" not in coarse and "J" not in coarse:
        return _after_noun(coarse, first, context)
    if context.prev in _NOUNISH:
        if context.prev == "#" and "V" in coarse and _is_numbered_name(context) and _follows_verb(context.following):
            return "VN"
        return "JNPEGR" if first[0] == "J" else "NPJEGR"
    match left:
        case "M" | "d":
            return "BEVGNJ"
        case "t":
            if "N" in coarse and _ends_change(context):
                return "N"
            verbal = first[0] == "V" or _starts_argument(context.following) or any(p == "VB" for p, _ in found[:2])
            wished = context.position > 1 and context.tokens[context.position - 2].lemma in word_group("wishes")
            return "BNJG" if verbal or (wished and "B" in coarse) else "NJBG"
        case "h":
            return "EVNJG"
        case "b":
            return _after_be(coarse, first)
        case "p":
            if not context.has_verb or context.tokens[context.position - 1].low in _NOMINATIVE:
                return "VEBGJN"
            return "BNJVEG" if first in ("VB", "VBP") else "NJGEVB"
        case "W":
            return "VBNEJG"
        case "N" | "P":
            if context.said and context.prev == "N" and _names(context):
                return "E"
            if context.owed and context.said and "V" in coarse and _is_last_verb(context):
                return "VEN"
            return _after_noun(coarse, first, context)
        case "I" if context.prev == "I" and first in ("VB", "VBP") and "N" in coarse:
            return "N"
        case "," if context.owed and context.said and "V" in coarse:
            return "VEBNJG"
        case "V" if context.prev == "V" and "E" in coarse and context.tokens[context.position - 1].lemma == "get":
            return "EJ"  # "got moved to Friday"
        case "V" if context.prev == "V" and "N" in coarse and first in ("VB", "VBP", "VBZ"):
            return "N" if _is_done_to(context) else ""
        case "^" | "C" | "," | "U" | ";":
            return _at_start(coarse, found, context)
        case _:
            return ""


_NOMINATIVE = frozenset({"i", "he", "she", "we", "they"})
"""Nothing is ever done to these: what follows is their verb."""
_BEFORE_VERBS = frozenset({"help", "let", "make", "go", "come", "dare", "do", "be", "have"})


def _is_done_to(context: Context) -> bool:
    """ "allows merge commits": what may be a noun is one behind a verb; not so "helps cook" and "likes fly fishing"."""
    following = context.following
    doing = following is not None and following.low.endswith("ing")
    return not doing and context.tokens[context.position - 1].lemma not in _BEFORE_VERBS


def _is_numbered_name(context: Context) -> bool:
    """ "Sprint 14 ends", "Room 5 opens": the number belongs to the name before it."""
    at = context.position - 2
    return at >= 0 and context.tokens[at].tag in ("P", "N") and not context.has_verb


def _names(context: Context) -> bool:
    """ "…, a dog called Bruno": once the sentence has its verb, what is called something is just named."""
    following = context.following
    named = following is not None and not following.tag and following.text[0].isupper()
    return named and context.tokens[context.position].low in ("called", "named", "nicknamed")


def _is_last_verb(context: Context) -> bool:
    """ "The woman who lives next door works at Bosch": an argument follows, and no other verb does."""
    if not _follows_verb(context.following):
        return False
    for token in context.tokens[context.position + 1 :]:
        if token.tag in (",", ".", ";"):
            break
        if not token.tag and is_finite(token):
            return False
    return True


def _ends_change(context: Context) -> bool:
    """ "from sales to support": nothing follows that a verb would need."""
    following, before = context.following, context.tokens[max(0, context.position - 5) : context.position]
    return (following is None or following.tag in (",", ".", ";")) and any(t.low == "from" for t in before)


def _after_be(coarse: dict[str, str], first: str) -> str:
    if "G" in coarse:
        return "GJNE"
    if first[0] == "J":
        return "JENR"
    return "EJNR" if first in ("VBN", "VBD") else "NJER"


def _after_noun(coarse: dict[str, str], first: str, context: Context) -> str:
    following = context.following
    auxiliary = following is not None and closed_classes().get(following.low, "") in ("b", "h", "d", "M")
    if auxiliary and "N" in coarse and not context.has_verb:
        return "N"
    if not context.has_verb:
        bare = "B" in coarse and (first in ("VB", "VBP") or (context.plural and _follows_verb(following)))
        return "VEBGNJ" if "V" in coarse or "E" in coarse or bare else "NPJGB"
    if "G" in coarse and following is not None and closed_classes().get(following.low) in ("I", "t"):
        return "GNPJ"
    return "EGNPJV" if first in ("VBN", "VBD") else "NPJGEV"


def _at_start(coarse: dict[str, str], found: tuple[lexicon.Reading, ...], context: Context) -> str:
    """At the start of a clause, what follows tells a verb from a noun."""
    following, first = context.following, found[0][0]
    verbs = "VBGEN"
    if context.left == "C" and first in ("VBD", "VBN") and any(penn == "VBD" for penn, _ in found):
        return "EV" if context.passive else "VE"
    if following is None:
        return ""
    if context.left == "^" and following.tag == "#" and "N" in coarse:
        return "N"
    if _starts_argument(following) and ("B" in coarse or "V" in coarse):
        return verbs
    if ("V" in coarse or first in ("VB", "VBP")) and _is_noun_next(following):
        return verbs
    if context.left not in ("C", "U") or not ("V" in coarse or "B" in coarse):
        return ""
    if following.low == "to" or (context.conjoins and "B" in coarse and _is_noun_next(following)):
        return verbs
    near = closed_classes().get(following.low)
    if context.conjoins and "V" in coarse and near == "I":
        return verbs
    order = list(coarse)
    likely = (
        (near in ("I", "R") and order[0] != "N") or (near == "I" and order.index("B") < 2) if "B" in coarse else False
    )
    return verbs if likely else ""


def _starts_argument(token: Token | None) -> bool:
    """Can the next word open an object, so that the word before it must be a verb?"""
    if token is None:
        return False
    if token.tag:
        return token.tag in '#@"'
    letter = closed_classes().get(token.low)
    return letter in ("D", "S", "p") or token.low in ("that", "her", "it") or is_number_word(token.low)


def _follows_verb(token: Token | None) -> bool:
    if token is None:
        return False
    near = closed_classes().get(token.low, "")
    how = not near and token.low.endswith("ly") and lexicon.readings(token.low)[0][0] == "RB"
    return how or near in ("I", "t", "D", "S", "p", "R") or _starts_argument(token)


def _is_noun_next(token: Token) -> bool:
    if token.tag or token.low in closed_classes():
        return False
    return lexicon.readings(token.low)[0][0] in ("NN", "NNS", "NNP", "VBG")
