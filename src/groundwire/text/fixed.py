"""Things of which there is one at a time, by grammar: where no catalogue names a slot, the sentence itself may tell."""

from __future__ import annotations

from groundwire.text.framing import Context, words_for
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.subjects import USER
from groundwire.text.tokens import Token

_PLACING = frozenset({"in", "at"})


def is_fixed(context: Context, phrase: Phrase) -> bool:
    """ "The review is at 3 pm": a thing has one time, place, number or name of its own."""
    verb = context.verb
    if verb.negated:
        return False
    if context.subject == USER:
        custom = f"{verb.lemma} {_find_preposition(context, phrase)}"
        return phrase.head_token.tag == "P" and custom in words_for("customs")  # "I bank with Monzo"
    if _head(context.statement.subject) in words_for("single.many"):
        return False  # "My student is Omar"
    if verb.lemma in words_for("gatherings"):
        return _is_venue(context, phrase)
    if verb.lemma not in words_for("one_valued"):
        return False
    named = phrase.head_token.tag == "P" and (verb.lemma == "be" or verb.passive or _is_code(phrase.head_token))
    return named or is_time(phrase) or "#" in phrase.letters or _is_attribute(context, phrase)


def _head(words: list[Token]) -> str:
    """The noun of a subject; nothing where it is plural."""
    head = words[-1] if words else None
    return head.low if head is not None and head.tag == "N" and head.low == head.lemma else ""


def _is_code(token: Token) -> bool:
    """ "gate B12"."""
    return any(map(str.isdigit, token.text))


def _find_preposition(context: Context, phrase: Phrase) -> str:
    return next((word for word, placed in context.statement.modifiers if placed is phrase), "")


def _is_venue(context: Context, phrase: Phrase) -> bool:
    """ "rehearses in the town hall", and neither in German nor in spring nor in groups."""
    if _find_preposition(context, phrase) not in _PLACING or is_time(phrase) or len(context.statement.modifiers) > 1:
        return False
    first = phrase.first_token
    definite = first.low == "the" or first.tag in "SP"
    return definite and phrase.head_token.low not in class_words("language")


def _is_attribute(context: Context, phrase: Phrase) -> bool:
    """ "My shirt size is large": an attribute that another noun or its owner qualifies has one value."""
    statement = context.statement
    if context.verb.lemma != "be" or statement.object is not phrase or statement.modifiers or statement.adverbs:
        return False
    subject = statement.subject
    owned = any(token.tag in "S'" for token in subject)
    qualified = len(subject) > 1 and (subject[-2].tag in "NP'" or subject[0].tag == "D")
    if not owned or not qualified:
        return False
    head, letters = _head(subject), phrase.letters
    if letters[0] == "D":
        return head in words_for("single.choices") and phrase.first_token.low in ("a", "an") and len(letters) > 1
    if not set(letters) <= set("JNP"):
        return False
    return head in words_for("single.shades" if letters[-1] == "J" else "single.kinds") or (
        letters[-1] == "N" and head in words_for("single.shades") | words_for("single.choices")
    )
