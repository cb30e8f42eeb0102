"""Hedges: what blocks, what goes to review, and what only looks like a hedge."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls, stays_cheap
from groundwire.text.hedges import HedgeDetector, find_hedges, mask_foreign
from groundwire.types import HedgeAction, HedgeResult

# Personal speculation, admitted uncertainty and suggestions.
BLOCKED = [
    "I think we should use Redis",
    "I thought the deadline was Friday.",
    "We don’t believe the index helps here.",
    "I'd assume the cache is warm.",
    "I really do think it's faster.",
    "It ships on Tuesday, I believe.",
    "I've always thought that Paris is bigger.",
    "I suppose the server runs Linux.",
    "I'm guessing the port is 8080.",
    "In my humble opinion Vim is better.",
    "My gut feeling is that it fails.",
    "Guess it's the cache.",
    "I believe so.",
    "I believe in 2020 we moved to Oslo.",
    "I think about 50 people came.",
    "I think that, in general, it works.",
    "I don't know the answer.",
    "Not sure if this works.",
    "I'm not entirely sure about the version.",
    "I could be wrong, but it is blue.",
    "I might be misremembering the date.",
    "We're unsure whether to migrate.",
    "I have no idea who wrote it.",
    "As far as I know, the API is stable.",
    "IIRC the limit is 10.",
    "Correct me if I'm wrong, but it closed.",
    "Maybe we should use Kafka.",
    "Perhaps we could try GraphQL.",
    "maybe",
    "The build is, perhaps, broken.",
    "It'll maybe rain.",
    "I can't say for sure.",
    "How about we switch to Go?",
    "You might want to restart.",
    "I would suggest Postgres.",
    "I think we should use Redis, definitely",
    "I guess the API supports this",
    "I thіnk it works",
    "Ｉ ｔｈｉｎｋ so",
    '"I think we should use Redis"',
    "“Maybe it is Tuesday.”",
    "I  think   so",
    "I wonder whether it scales.",
    "I doubt that it scales.",
    "I was under the impression that it's free.",
    "idk it's fine",
    "We assume the network is reliable.",
    "I'm pretty sure it's port 80.",
    "I feel like it's the wrong approach.",
    "I do not recall the exact number.",
    "Honestly, no idea.",
    "It's hard to say.",
    "It is not certain that he came.",
    "Alice and I think it's ready.",
    "I have a hunch it is DNS",
    "To be honest I don't really know.",
    "We could try caching.",
    "I presume you mean Rust.",
    "Seems to me it is broken.",
    "I'm thinking we should wait.",
    "I dont think so",
    "If I remember correctly it was 5.",
    "I imagine the team will agree.",
    "I figure it costs $5.",
    "I reckon it's raining.",
    "I'm not sure.",
    "I am uncertain about the date.",
    "Unsure whether it ships.",
    "I'd say it takes a week.",
    "I think the user's 'cache' is stale, and the admins' guide agrees.",
    "The '90s were great, I think, for the users' club.",
    "Don't know if it works.",
    "To my knowledge nobody left.",
    "I cannot be certain about it.",
    "I honestly have no clue.",
    "We may be wrong about this.",
    "I have to assume it's broken.",
    "I don't think May is a good month.",
    'She said "fine", but I think not.',
    "I honestly believe that Rust is faster",
    "I'm assuming you know Python.",
    "It was, I suppose, inevitable.",
    "We've assumed that all along.",
    "We were thinking it could be DNS.",
    "I wouldn't say it's broken.",
    "In my opinion, it's fine.",
    "In our view the plan fails.",
    "From my perspective it works.",
    "I'm not 100% sure.",
    "We are not certain whether it ships.",
    "I am not quite certain about it",
    "I'm not too sure about that",
    "Perhaps.",
    "Maybe it's the network, maybe it's the disk.",
    "I conjecture that P != NP.",
    "If I'm not mistaken, it closed in 2019.",
    "I'm no expert but I think it's Java",
    "As I recall, I think so",
    "I do believe the train left",
    "I THINK WE SHOULD GO",
    "i guess so",
    "I kinda think so",
    "“Fine”, she said, but I doubt it.",
    "I think 'maybe' is a Haskell type.",
    "Perhaps you should restart it.",
    "maybe they could join us",
    "The total is 5, I guess",
    "I am not sure who owns it.",
    "I was not sure.",
    "We're not sure yet.",
    "Could be wrong, but it's 5. I could be mistaken.",
    "I may be wrong.",
    "I have no clue.",
    "I can't be sure.",
    "I really don't know.",
    "Don’t quote me on that.",
    "I suspect that she left.",
    "My guess is Tuesday.",
    "I'd guess about ten.",
    "I would think so.",
    "I’m guessing it’s fine.",
    "I believed it was open.",
]

# Technical hedges and approximations.
REVIEWED = [
    "The API may return errors under load",
    "The server may timeout under load",
    "Connections typically complete in <100ms",
    "It might rain.",
    "The cache usually expires after 5 minutes.",
    "Approximately 500 users signed up.",
    "There are around 50 nodes.",
    "around $5 million was lost",
    "The trip took roughly two hours.",
    "It costs about 40 euros.",
    "Users often forget passwords.",
    "The meeting is around noon.",
    "This may or may not work.",
    "It may be in May 2024 that it opens.",
    "Redis could fail under load.",
    "The fix should be fine.",
    "It should be working now.",
    "He probably moved.",
    "The disk is likely full.",
    "It seems broken.",
    "The service appears to be down.",
    "Nearly 40% of users left.",
    "She may have moved in May.",
    "The client MAY retry.",
    "The project took ~30 days.",
    "May contain nuts.",
    "It generally works.",
    "He kind of likes it.",
    "Twenty or so people came.",
    "In most cases the query is fast.",
    "The package tends to arrive late.",
    "It might be the cache.",
    "All of them might fail.",
    "The ticket is possibly a duplicate.",
    "It looks like the port is closed.",
    "This may fail",
    "Of the ten servers, 5 may be down.",
    "Almost 20 people left.",
    "The parcel should arrive, it should work.",
    "The function might return null.",
    "Values may vary.",
    "Startup often takes 10 seconds.",
    "It is around 5 km away.",
    "Around 30% of users churn.",
    "Roughly half of them left.",
    "It typically works in May.",
    "The office usually closes at 5.",
    "Errors may occur in May and June.",
    "It may rain on 5 May.",
    "The file is approximately 3 MB.",
    "The concert starts around 8pm.",
    "It might not work.",
    "You may need to restart.",
    "This might've been the cause.",
    "The build mayn't finish, it may not.",
    "He came around midnight.",
    "The price is around two thousand euros.",
    "The job ran around a hundred times.",
    "Those nodes may each fail.",
    "That should be enough.",
    "Delivery should be quick.",
    "What may happen is a timeout.",
    "The might of Rome might fade.",
]

# Months, names, nouns, convictions, reports of what others believe, quotations, code and addresses.
CLEAR = [
    "Per ADR-003, we use PostgreSQL",
    "The release was in May 2024.",
    "We met in May.",
    "The deadline is 5 May.",
    "May 5, 2024 was a Sunday.",
    "Theresa May resigned.",
    "May was warm this year.",
    "He moved in may 2020.",
    "He arrived on 5th may and left.",
    "She couldn't open the file.",
    "The value should be 5.",
    "The timeout should be at least 30 seconds.",
    "The result should be five.",
    "He pushed with all his might.",
    "The might of the empire faded.",
    "Military might matters.",
    "I believe in free speech.",
    "We believe in you.",
    "She thinks it's Tuesday.",
    "Bob believes the earth is flat.",
    "He guessed the number.",
    "The doctors think it is benign.",
    "They walked around the corner.",
    "The shop is around the corner.",
    'He said "I think it\'s Tuesday" to her.',
    "The docs say “maybe later”.",
    "Use `maybe()` in Haskell.",
    "See https://example.com/maybe/perhaps for details.",
    "Write to maybe@example.com.",
    "A book about two brothers.",
    "How often does it run?",
    "The data is normally distributed.",
    "The function is generally available.",
    "I can't believe it!",
    "I couldn't believe my eyes.",
    "I believe her.",
    "I assume responsibility for the budget.",
    "I figured out the bug.",
    "She is not sure about the date.",
    "Alice isn't sure.",
    "The user is not sure about the color.",
    "This kind of bug is rare.",
    "What kind of car is it?",
    "I'm sure it works.",
    "I know that Paris is in France.",
    "They could see the sea.",
    "May I ask a question?",
    "I think of you.",
    "I'm thinking of moving to Berlin.",
    "When I think about it, I smile.",
    "Mayonnaise is thick.",
    "The thinker sat there.",
    "My sister May lives in Rome.",
    "He wrapped it around 3 poles.",
    "Make sure it works.",
    "I don't doubt that it works.",
    "I don't know him.",
    "The word 'maybe' appears twice.",
    "'I think so', he said.",
    "Her birthday is May 3rd.",
    "I live in Berlin.",
    "The suspect was arrested.",
    "Do you think so?",
    "He is a mighty king.",
    "Some people came.",
    "We use Redis in production since May.",
    "The April and May reports are done.",
    "He said: «je pense, maybe».",
    "I like pizza and sushi.",
    "The IMO published new rules.",
    "By May the work was complete.",
    "I turned around twice.",
    "The port should be 8080.",
    "Работаю в Яндексе",
    "I gave my best guess.",
    "Think about it.",
    "Guess what happened.",
    "He tends to the garden.",
    "My favourite opinion columnist retired.",
    "He doesn't know the answer.",
    "I knew the answer.",
    "I have an idea.",
    "It was an unusual day.",
    "I tried to recall.",
    "Maybelline is a brand.",
    "The mighty Thames flows.",
    "May Day is a holiday.",
    "The service has been stable since May.",
    "She was born on May 12.",
    "Meet me on the 5th of May.",
    "In May, June and July it rains.",
    "Mid-May is best.",
    "May and Bob moved.",
    "Aunt May bakes pies.",
    "The count should be 42.",
    "The answer should be exactly 7.",
    "It should be 3.5 kg.",
    "The temperature should be -5 degrees.",
    "There should be 2 replicas.",
    "I couldn't find it.",
    "We could not open the file.",
    "It couldn’t connect.",
    "He looked around the room.",
    "They sailed around the world.",
    "Turn around and leave.",
    "He is around.",
    "He believes in ghosts.",
    "They think we should use Redis.",
    "Alice thinks that Bob is late.",
    "My boss believes the plan is good.",
    'According to Bob, "I think we should wait".',
    "The method `might_fail` returns true.",
    "https://example.com/may/might?x=often",
    'The variable named "maybe" is unused.',
    "Mighty Mouse is a cartoon.",
    "Maya lives in Rome.",
    "He rethinks everything.",
    "The guesser won.",
    "I assumed command of the unit.",
    "I thought about it.",
    "I thought of a plan.",
    "We believe in testing.",
    "I have believed in God since 1990.",
    "She doesn't know.",
    "They are not sure.",
    "John was not sure about it.",
    "I know I locked the door.",
    "I am certain.",
    "We are sure that it works.",
    "The typical user is 30.",
    "The usual suspects were there.",
    '"Perhaps" is a word, he wrote.',
    "The song “Call Me Maybe” is by Carly Rae Jepsen.",
    "He guesses well.",
    "Thinking is hard.",
]


@pytest.mark.requirement("TXT-021", "TXT-022", "TXT-023", "SEC-010")
@pytest.mark.parametrize("text", BLOCKED)
def test_speculation_uncertainty_and_suggestions_are_blocked(text: str) -> None:
    result = HedgeDetector().analyze(text)
    assert result.is_speculative
    assert result.action is HedgeAction.BLOCK


@pytest.mark.requirement("TXT-024", "TXT-027")
@pytest.mark.parametrize("text", REVIEWED)
def test_technical_hedges_and_approximations_go_to_review(text: str) -> None:
    result = HedgeDetector().analyze(text)
    assert result.is_speculative
    assert result.action is HedgeAction.REVIEW


@pytest.mark.requirement("TXT-021", "TXT-024", "TXT-027", "TXT-028")
@pytest.mark.parametrize("text", CLEAR)
def test_what_only_looks_like_a_hedge_passes(text: str) -> None:
    assert HedgeDetector().analyze(text) == HedgeResult(is_speculative=False, action=HedgeAction.CONTINUE)


@pytest.mark.requirement("TXT-025", "TXT-029")
def test_the_reference_cases_give_their_words_and_actions() -> None:
    analyze = HedgeDetector().analyze
    assert analyze("I think we should use Redis") == HedgeResult(True, HedgeAction.BLOCK, ("I think",))
    assert analyze("The API may return errors under load") == HedgeResult(True, HedgeAction.REVIEW, ("may",))
    assert analyze("Per ADR-003, we use PostgreSQL") == HedgeResult(False, HedgeAction.CONTINUE, ())
    assert [action.value for action in HedgeAction] == ["block", "review", "none"]


@pytest.mark.requirement("TXT-025", "TXT-026")
def test_a_mixed_text_is_blocked_and_lists_its_words_in_order() -> None:
    result = HedgeDetector().analyze("It usually works, but I guess it may fail, definitely.")
    assert result == HedgeResult(True, HedgeAction.BLOCK, ("usually", "I guess", "may"))


@pytest.mark.requirement("TXT-026")
@pytest.mark.parametrize("assertion", ["definitely", "certainly", "without a doubt", "100% sure", "obviously"])
def test_assertion_words_never_cancel_a_hedge(assertion: str) -> None:
    assert HedgeDetector().analyze(f"I think Redis is {assertion} faster").action is HedgeAction.BLOCK


@pytest.mark.requirement("TXT-028", "SEC-010")
@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("I th\u0456nk so", "I th\u0456nk"),  # Cyrillic i
        ("may\u200bbe later", "may\u200bbe"),
        ("\uff2d\uff41\uff59\uff42\uff45 later", "\uff2d\uff41\uff59\uff42\uff45"),
        ("\u0399 think so", "\u0399 think"),  # Greek capital iota
        ("I don\u2019t know", "I don\u2019t know"),
        ("I\u00a0think so", "I\u00a0think"),
        ("\U0001d426\U0001d41a\U0001d432\U0001d41b\U0001d41e", "\U0001d426\U0001d41a\U0001d432\U0001d41b\U0001d41e"),
    ],
)
def test_disguised_hedges_are_found_and_quoted_as_written(text: str, phrase: str) -> None:
    assert HedgeDetector().analyze(text) == HedgeResult(True, HedgeAction.BLOCK, (phrase,))


@pytest.mark.requirement("TXT-028")
def test_a_text_that_is_all_quotation_keeps_its_hedges() -> None:
    for text in ['"I think so."', "“Maybe tomorrow”.", "'I guess it works'", '"I think so." "Perhaps."']:
        assert HedgeDetector().analyze(text).action is HedgeAction.BLOCK, text
    assert HedgeDetector().analyze('Bob wrote "I think so."').action is HedgeAction.CONTINUE


@pytest.mark.requirement("TXT-028")
def test_masking_keeps_every_offset_and_leaves_apostrophes_alone() -> None:
    text = "The users' guide says `maybe` at https://a.b/may, and 'perhaps' 5\" wide."
    masked = mask_foreign(text)
    assert len(masked) == len(text)
    assert "users' guide" in masked
    assert "maybe" not in masked and "perhaps" not in masked and "/may" not in masked
    assert '5" wide' in masked


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x01\x07", "Работаю в Яндексе", "我住在北京", "أعمل في برلين"])
def test_empty_foreign_and_control_input_has_no_hedges(text: str) -> None:
    assert HedgeDetector().analyze(text) == HedgeResult(False, HedgeAction.CONTINUE)


PIECES = st.sampled_from(
    ["I", "think", "may", "May", "maybe", "5", "'", '"', "`", "not", "sure", "\u200b", "should be", "around", "~"]
)


@pytest.mark.requirement("TXT-038", "TXT-025")
@given(st.one_of(st.text(), st.lists(PIECES).map(" ".join)))
def test_any_text_gives_exact_spans_in_order_and_the_same_answer_twice(text: str) -> None:
    hedges = find_hedges(text)
    assert all(text[hedge.span.start : hedge.span.end] == hedge.phrase and hedge.phrase for hedge in hedges)
    assert all(left.span.end <= right.span.start for left, right in pairwise(hedges))
    assert find_hedges(text) == hedges


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize(
    "piece", ["I think ", "I do ", " ", "`", '"a ', " 'a", "not sure ", "«", "I really ", "a@", "\n"]
)
def test_hostile_input_of_the_maximum_size_is_read_in_time(piece: str) -> None:
    text = "I" + (piece * 200_000)[:199_999]
    assert stays_cheap(lambda: find_hedges(text))


def test_one_claim_is_little_work() -> None:
    text = "The staging server may time out under load, and I think the cache usually expires after five minutes."
    find_hedges(text)
    assert count_calls(lambda: find_hedges(text)) < 2_000


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("It is widely believed that the bridge leans.", "It is widely believed that"),
        ("The tower is considered to be haunted.", "is considered to be"),
        ("Many local historians argue that he never came.", "Many local historians argue"),
        ("The queue should drain within a minute.", "should drain"),
    ],
)
def test_a_believer_without_a_name_and_an_expectation_go_to_review(text: str, phrase: str) -> None:
    (hedge,) = find_hedges(text)
    assert (hedge.phrase, hedge.action) == (phrase, HedgeAction.REVIEW)


@pytest.mark.parametrize("text", ["Our cat is called Maybe.", "I have several dogs.", "Some like it hot."])
def test_names_and_plain_counts_are_no_hedges(text: str) -> None:
    assert find_hedges(text) == ()


def test_vagueness_is_found_only_where_it_is_asked_for() -> None:
    text = "Several critics called it one of the most important films."
    assert find_hedges(text) == ()
    assert [hedge.kind for hedge in find_hedges(text, vague=True)] == ["vague", "vague", "vague"]


@given(st.text(max_size=300))
def test_vagueness_only_adds_to_the_hedges(text: str) -> None:
    assert bool(find_hedges(text, vague=True)) >= bool(find_hedges(text))
