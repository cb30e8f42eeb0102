"""Things of which there is one at a time, by grammar: where no catalogue names a slot, the sentence itself may tell."""

from __future__ import annotations

from groundwire.text.framing import Context, words_for
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.subjects import USER, may_be_person, render
from groundwire.text.tokens import Token

_PLACING = frozenset({"in", "at"})


def is_fixed(context: Context, phrase: Phrase) -> bool:
    """ "The review is at 3 pm": a thing has one time, place, number or name of its own."""
    verb = context.verb
    if verb.negated:
        return False
    is_person = context.subject == USER or _is_somebody(context.statement.subject)
    if is_person and phrase.head_token.tag == "P" and _is_custom(context, phrase):
        return True
    if context.subject == USER:
        return False
    if _is_placed(context, phrase) or _is_rank(context, phrase) or _is_called(context, phrase):
        return True
    if _head(context.statement.subject) in words_for("single.many"):
        return False  # "My student is Omar"
    if verb.lemma in words_for("gatherings"):
        return _is_venue(context, phrase)
    if verb.lemma not in words_for("one_valued"):
        return False
    named = phrase.head_token.tag == "P" and (verb.lemma == "be" or verb.passive or _is_code(phrase.head_token))
    return named or is_time(phrase) or "#" in phrase.letters or _is_attribute(context, phrase)


def _head(words: list[Token]) -> str:
    """The noun of a subject, before any part of its own ("the call with the client"); nothing where it is plural."""
    end = next((i for i, token in enumerate(words) if i and token.tag == "I"), len(words))
    head = words[end - 1] if words else None
    return head.low if head is not None and head.tag == "N" and head.low == head.lemma else ""


def _is_code(token: Token) -> bool:
    """ "gate B12"."""
    return any(map(str.isdigit, token.text))


def _is_somebody(subject: list[Token]) -> bool:
    head = subject[-1] if subject else None
    return head is not None and (head.tag == "P" or (head.tag == "N" and may_be_person(head.low)))


def _is_custom(context: Context, phrase: Phrase) -> bool:
    """ "I bank with Monzo", "I'm currently reading Emma", "this summer we're going to Crete"."""
    statement = context.statement
    custom = f"{context.verb.lemma} {_find_preposition(context, phrase)}".strip()
    if custom in words_for("customs.always"):
        return True
    beside = [t.low for _, placed in (*statement.modifiers, *statement.openings) for t in placed.words()]
    if custom in words_for("customs.now") and context.verb.progressive:
        beside += [t.low for t in (*statement.adverbs, *statement.verb_words)]
        return not words_for("customs.current").isdisjoint(beside)
    return custom in words_for("customs.journeys") and not words_for("customs.seasons").isdisjoint(beside)


def name_scope(context: Context, phrase: Phrase) -> str:
    """What else tells one custom from another: where one stays in Kyoto, where one goes this summer."""
    statement, preposition = context.statement, _find_preposition(context, phrase)
    journey = f"{context.verb.lemma} {preposition}" in words_for("customs.journeys")
    if not journey and (context.verb.lemma, preposition) != ("stay", "at"):
        return ""
    beside = [(p, x) for p, x in (*statement.modifiers, *statement.openings) if x is not phrase]
    others = [(p, x) for p, x in beside if is_time(x) is journey]
    return " ".join(f"{p} {render(x.words())}".strip().lower() for p, x in others[:1])


def _is_placed(context: Context, phrase: Phrase) -> bool:
    """ "My car is insured with Allianz", "the backend deploys to Render", "the alarm is set for 6:30"."""
    statement, verb = context.statement, context.verb
    preposition = _find_preposition(context, phrase)
    if statement.object is not None or _is_somebody(statement.subject) or not preposition:
        return False
    if verb.passive:
        owned = _head(statement.subject) not in ("", *words_for("single.many"))
        known = owned and verb.lemma in words_for("placed.participles")
        known = known and preposition in words_for("placed.prepositions")
    else:
        known = f"{verb.lemma} {preposition}" in words_for("placed.verbs")
    if not known:
        return False
    if is_time(phrase):
        return verb.lemma in words_for("placed.timed")
    return (
        phrase.head_token.tag == "P"
        or _is_code(phrase.head_token)
        or phrase.first_token.low == "the"
        or (phrase.first_token.tag == "S")
    )


def _is_rank(context: Context, phrase: Phrase) -> bool:
    """ "The default branch is main": there is one default, and one primary region."""
    statement = context.statement
    if context.verb.lemma != "be" or statement.object is not phrase or statement.modifiers or statement.adverbs:
        return False
    ranks = [t.low for t in statement.subject[:-1] if t.low in words_for("placed.ranks")]
    if not ranks or not _head(statement.subject) or len(phrase.letters) > 2:
        return False
    is_mode = "default" in ranks and phrase.head_token.low in words_for("placed.modes")
    return is_mode or set(phrase.letters) <= set("NP#")


def _is_called(context: Context, phrase: Phrase) -> bool:
    """ "The main branch is called trunk": a thing has one name, and not every name has a capital."""
    statement = context.statement
    named = context.verb.passive and context.verb.lemma in ("call", "name") and statement.object is phrase
    definite = bool(statement.subject) and (statement.subject[0].low == "the" or statement.subject[0].tag in "SP")
    return named and definite and bool(_head(statement.subject)) and set(phrase.letters) <= set("NP#")


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
