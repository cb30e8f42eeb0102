"""Dialogue turns: what the speaker asserts counts; what was asked, suggested, supposed or wished for does not."""

from __future__ import annotations

import random

from training.domain.grammar import YOU, I, capitalise, end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import (
    THE_SAME_USER,
    Exclusive,
    Person,
    Slot,
    claim,
    pick_other_value,
    pick_slot,
    pick_value,
)
from training.domain.surface import roughen
from training.domain.words import pick_person, read_table

_ASK = (
    "Is it true that {}?",
    "Am I right that {}?",
    "So {}, correct?",
    "Would it be right to say that {}?",
    "Just checking: {}?",
    "Can you confirm that {}?",
)
_YES = (
    "Yes, that's right.",
    "Exactly.",
    "Correct.",
    "Yes, I can confirm that.",
    "That's true, yes.",
    "Indeed.",
    "Yep, spot on.",
)
_NO = (
    "No, that's wrong.",
    "No, that isn't right.",
    "Not at all.",
    "Nope.",
    "No, whoever told you that was mistaken.",
    "That's incorrect.",
)
_DODGE = (
    "Why do you ask?",
    "Let's talk about something else.",
    "I'd rather not say.",
    "Who told you to ask that?",
    "Can we get back to my spreadsheet?",
    "That's private.",
    "Sorry, I was distracted. What's next on the list?",
    "Ask me later.",
)
_ACK = (
    "Got it, thanks.",
    "Noted.",
    "Good to know.",
    "I see. How can I help?",
    "Thanks for telling me.",
    "Sure, I'll remember that.",
    "Interesting! Tell me more.",
)
_SUPPOSE = (
    "What would change if {}?",
    "Suppose {}. What would you recommend then?",
    "A friend of mine thinks that {}. What do you make of that?",
    "Imagine that {}.",
    "Somebody asked me whether {}.",
    "I had a dream in which someone told me that {}.",
    "How would I tell someone that {}, in Italian?",
)
_PRESUME = (
    "I assume that {}.",
    "Perhaps {}.",
    "It sounds as if {}.",
    "My guess is that {}.",
    "I could suggest some ideas in case {}.",
)
_RECALL = ("Did I ever tell you whether", "Do you remember whether")


def _turns(rng: random.Random, *lines: tuple[str, str], speaker: str) -> str:
    mark = rng.random()
    listener = "Assistant" if speaker == "User" else "Assistant" if mark < 0.5 else "Interviewer"
    names = {"a": listener, "u": speaker}
    return ("\n" if rng.random() < 0.7 else " ").join(f"{names[who]}: {text}" for who, text in lines)


def _small_talk(rng: random.Random) -> tuple[tuple[str, str], ...]:
    if rng.random() < 0.5:
        return ()
    talk = read_table("talk")
    return (
        ("u", rng.choice(talk["before"])),
        ("a", rng.choice(("Hello! How can I help?", "Hi! What can I do for you?", "Good to hear from you."))),
    )


def _say(rng: random.Random, slot: Slot, value: str, *, yes: bool, ours: bool = True) -> str:
    frames = (slot.say if rng.random() < 0.5 or not ours else slot.tell) if yes else slot.deny_exactly
    return fill(rng.choice(frames), I if ours else YOU, {"x": value})


def _assert(rng: random.Random, slot: Slot, value: str, *, yes: bool) -> tuple[tuple[str, str], ...]:
    """Turns in which the speaker commits to the statement or to its opposite."""
    chance = rng.random()
    if chance < 0.4:
        said = roughen(rng, end_sentence(_say(rng, slot, value, yes=yes)))
        return (("u", said), ("a", rng.choice(_ACK)))
    asked = rng.random() < 0.6  # the question names the statement, or else its opposite
    question = rng.choice(_ASK).format(_say(rng, slot, value, yes=asked, ours=False))
    agree = asked == yes
    if chance < 0.7 and asked:
        return (("a", question), ("u", rng.choice(_YES if agree else _NO)))
    answer = _say(rng, slot, value, yes=yes)
    if not asked:
        return (("a", question), ("u", f"{rng.choice(('Well,', 'Hm,', 'Look,'))} {answer}."))
    return (("a", question), ("u", f"{rng.choice(('Yes,', 'Sure,') if agree else ('No,', 'Nope,'))} {answer}."))


def _replace(rng: random.Random, slot: Slot, value: str, other: str) -> tuple[tuple[str, str], ...]:
    """The speaker puts another value in the place of the one asked about."""
    question = rng.choice(_ASK).format(_say(rng, slot, value, yes=True, ours=False))
    return (("a", question), ("u", f"No, {_say(rng, slot, other, yes=True)}."))


def _leave(rng: random.Random, slot: Slot, value: str, *, yes: bool) -> tuple[tuple[str, str], ...]:
    chance = rng.random()
    thought = _say(rng, slot, value, yes=yes, ours=False)
    if chance < 0.3:
        return (("a", rng.choice(_ASK).format(thought)), ("u", rng.choice(_DODGE)))
    if chance < 0.5:
        return (("a", rng.choice(_PRESUME).format(thought)), ("u", rng.choice(_DODGE)))
    if chance < 0.75:
        return (
            (
                "u",
                rng.choice(_SUPPOSE).format(
                    _say(rng, slot, value, yes=yes, ours=True)
                    if yes
                    else fill(rng.choice(slot.deny_exactly), I, {"x": value})
                ),
            ),
            ("a", rng.choice(("Let me think about that.", "Good question.", "Hm, hard to say."))),
        )
    if yes:
        return (("u", end_sentence(fill(rng.choice(slot.maybe), I, {"x": value}))), ("a", rng.choice(_ACK)))
    return (
        (
            "u",
            f"{rng.choice(_RECALL)} {_say(rng, slot, value, yes=True)}?",
        ),
        ("a", "I'm afraid I have no record of that."),
    )


def draw_dialogue(rng: random.Random) -> Case:
    slot = pick_slot(rng)
    named = rng.random() < 0.35
    person = Person(pick_person(rng)) if named else THE_SAME_USER
    speaker = person.subject.nominative if person.subject else "User"
    value, yes = pick_value(rng, slot, person), rng.random() < 0.65
    other = pick_other_value(rng, slot, person, value)
    before = _small_talk(rng)

    def talk(turns: tuple[tuple[str, str], ...]) -> str:
        aside = (("u", capitalise(end_sentence(_aside(rng, slot)))),) if rng.random() < 0.35 else ()
        return _turns(rng, *before, *turns, *aside, speaker=speaker)

    replaced = slot.exclusive is Exclusive.YES and rng.random() < 0.5
    against = _replace(rng, slot, value, other) if replaced else _assert(rng, slot, value, yes=False)
    in_favour = _assert(rng, slot, value, yes=True)
    return make_case(
        claim(rng, slot, value, person, affirmed=yes),
        talk(in_favour if yes else against),
        talk(_leave(rng, slot, value, yes=rng.random() < 0.7)),
        talk(against if yes else in_favour),
    )


def _aside(rng: random.Random, slot: Slot) -> str:
    other = pick_slot(rng, [slot])
    return fill(rng.choice(other.say), I, {"x": pick_value(rng, other, THE_SAME_USER)})
