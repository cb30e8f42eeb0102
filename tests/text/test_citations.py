"""Citations: decision records, commits, addresses and issues, and what only looks like one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.text.citations import CitationDetector
from groundwire.types import CitationType

COMMIT = "a1b2c3d"


def detect(text: str) -> list[tuple[str, str]]:
    return [(citation.type.value, citation.id) for citation in CitationDetector().detect(text)]


@pytest.mark.requirement("TXT-030", "TXT-031")
@pytest.mark.parametrize(
    "text", ["[ADR-003]", "ADR-003", "ADR 003", "ADR003", "adr-3", "Adr 03", "see [adr 3].", "ADR\u2011003"]
)
def test_every_spelling_of_a_record_names_the_same_one(text: str) -> None:
    assert detect(text) == [("adr", "ADR-003")]


@pytest.mark.requirement("TXT-031")
@pytest.mark.parametrize("text", ["MADR-003", "ADR003a", "ADR", "quadr 3", "ADR-"])
def test_other_words_are_no_records(text: str) -> None:
    assert detect(text) == []


@pytest.mark.requirement("TXT-030", "TXT-031")
def test_positions_quote_the_text_and_follow_its_order() -> None:
    text = "Per [ADR-12], commit 0123abc closed #77; see https://x.org/a and GH-9."
    found = CitationDetector().detect(text)
    quoted = [(item.type, text[item.span.start : item.span.end]) for item in found]
    assert quoted == [
        (CitationType.ADR, "[ADR-12]"),
        (CitationType.COMMIT, "0123abc"),
        (CitationType.ISSUE, "#77"),
        (CitationType.URL, "https://x.org/a"),
        (CitationType.ISSUE, "GH-9"),
    ]


@pytest.mark.requirement("TXT-032")
@pytest.mark.parametrize("token", [COMMIT, COMMIT.upper(), "a1b2c3d4e5f6", "0" * 39 + "f", "deadbeef", "9fceb02"])
def test_hexadecimal_tokens_of_seven_to_forty_are_commits(token: str) -> None:
    assert detect(f"Fixed in commit {token}.") == [("commit", token)]
    assert detect(f"({token})") == [("commit", token)]


@pytest.mark.requirement("TXT-032")
@pytest.mark.parametrize(
    "text",
    [
        "abc123",
        "#abc1234",
        "#A1B2C3D4",
        "1234567",
        "20240101",
        "It was defaced.",
        "Effaced and acceded",
        "0xdeadbeef",
        "a1b2c3d_x",
        "g1b2c3d4",
        "f" * 41,
        "a1" * 32,
        "550e8400-e29b-41d4-a716-446655440000",
        "color #ffaa0011",
    ],
)
def test_colours_numbers_words_and_other_tokens_are_no_commits(text: str) -> None:
    assert detect(text) == []


@pytest.mark.requirement("TXT-033")
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("See https://docs.example.com/api.", "https://docs.example.com/api"),
        ("(https://a.org/x)", "https://a.org/x"),
        ("https://en.wikipedia.org/wiki/Mercury_(planet)", "https://en.wikipedia.org/wiki/Mercury_(planet)"),
        ("(see https://en.wikipedia.org/wiki/Mercury_(planet)).", "https://en.wikipedia.org/wiki/Mercury_(planet)"),
        ("[docs](http://a.org/b?c=d#e),", "http://a.org/b?c=d#e"),
        ("<https://a.org/x>", "https://a.org/x"),
        ('"https://a.org/x"', "https://a.org/x"),
        ("“https://a.org/x”", "https://a.org/x"),
        ("Is it https://a.org/x?!", "https://a.org/x"),
        ("HTTPS://A.ORG/X;", "HTTPS://A.ORG/X"),
        ("`https://a.org/x`", "https://a.org/x"),
    ],
)
def test_an_address_ends_where_the_sentence_takes_over(text: str, url: str) -> None:
    assert detect(text) == [("url", url)]


@pytest.mark.requirement("TXT-033")
def test_an_address_hides_no_commit_issue_or_record() -> None:
    assert detect("https://github.com/o/r/commit/a1b2c3d4#12 and https://x.org/ADR-003/GH-4") == [
        ("url", "https://github.com/o/r/commit/a1b2c3d4#12"),
        ("url", "https://x.org/ADR-003/GH-4"),
    ]
    assert detect("http:// and https://. and ftp://a.org") == []


@pytest.mark.requirement("TXT-034")
@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Fixes #123", ["123"]),
        ("#123", ["123"]),
        ("closed by #4 and #5.", ["4", "5"]),
        ("GH-456 and gh-7", ["456", "7"]),
        ("See #1 in the tracker", ["1"]),
        ("#42 was merged", ["42"]),
        ("(#88)", ["88"]),
        ("The bug from #12 is back", ["12"]),
        ("PR #3 adds caching", ["3"]),
        ("The blocker is #812.", ["812"]),
        ("Is #12 fixed?", ["12"]),
    ],
)
def test_issue_references_are_found(text: str, ids: list[str]) -> None:
    assert detect(text) == [("issue", number) for number in ids]


@pytest.mark.requirement("TXT-034")
@pytest.mark.parametrize(
    "text",
    [
        "We are the #1 vendor",
        "#1 in sales",
        "ranked #1",
        "our #3 product",
        "repo#12",
        "&#123;",
        "She wears the #23 jersey",
        "Reason #2: cost",
        "color: #123",
        "#100 people",
        "#1 vendor",
        "#abc",
        "Bug fixed. #1 choice of experts",
        "##12",
        "He is #1.",
    ],
)
def test_rankings_and_other_numbers_are_no_issues(text: str) -> None:
    assert detect(text) == []


@pytest.mark.requirement("SEC-010")
def test_disguised_references_are_found() -> None:
    assert detect("\u0410DR-003") == [("adr", "ADR-003")]  # Cyrillic A
    assert detect("AD\u200bR-003") == [("adr", "ADR-003")]
    assert detect("fixes \uff03\uff11\uff12") == [("issue", "12")]


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["", " \n", "\x00\x1b", "Это не ссылка", "没有引用"])
def test_nothing_is_found_where_nothing_is_cited(text: str) -> None:
    assert detect(text) == []


PIECES = st.sampled_from(
    ["#", "12", "ADR", "-", "GH-", "[", "]", "https://", "a.b", ")", "(", "abc1234", " ", "fix ", "\u200b"]
)


@pytest.mark.requirement("TXT-030", "TXT-038")
@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_gives_ordered_separate_spans_and_the_same_answer_twice(text: str) -> None:
    found = CitationDetector().detect(text)
    assert all(0 <= item.span.start < item.span.end <= len(text) and item.id for item in found)
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert all(text[item.span.start : item.span.end] == item.id for item in found if item.type is CitationType.URL)
    assert CitationDetector().detect(text) == found


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("piece", [")", "#1 ", "[ADR-", "a1", "abc1234 ", "http://a "])
def test_hostile_input_of_the_maximum_size_is_read_in_time(piece: str) -> None:
    text = ("https://a.b/" + piece * 200_000)[:200_000]
    assert stays_cheap(lambda: CitationDetector().detect(text))
