"""What the pages show, and what they do to words that others wrote."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from console_samples import ALL, HOSTILE, UNSEEN, Browser, House, open_house, parse
from hypothesis import given
from hypothesis import strategies as st

from groundwire.memory.candidates import Turn
from groundwire.surfaces.console import drawing
from groundwire.surfaces.console.dashboard import read_latencies
from groundwire.surfaces.console.inspector import explain, read_turns
from groundwire.surfaces.console.marks import cut
from groundwire.types import Span
from groundwire.types.access import Role
from groundwire.types.detection import HallucinationType

LONG = " ".join(["The quarterly report lists unusual figures for warehouse"] * 100)[:5_000]
ANSWER = "You live in Lisbon and work at Globex. You own a boat."


def fill(house: House) -> str:
    """Somebody whose life changed, and a claim that contradicts it; the id of its item."""
    house.keep("I live in Lisbon.", now=datetime(2024, 2, 1, tzinfo=UTC))
    house.keep("I moved to Porto.", now=datetime(2025, 5, 2, tzinfo=UTC))
    house.keep("I work at Globex.")
    return house.propose("The user lives in Madrid.")


# ── the review queue ────────────────────────────────────────────────────────────────────────────


def test_the_queue_lists_what_waits_and_filters_it(house: House):
    fill(house)
    house.propose("The office uses PostgreSQL 15.")
    browser = house.browser()
    assert "2 waiting" in browser.get("review").text
    page = browser.get("review?q=postgresql").text
    assert "PostgreSQL" in page and "Madrid" not in page
    page = browser.get("review?why=contradiction").text
    assert "Madrid" in page and "PostgreSQL" not in page
    assert "Nothing that waits fits" in browser.get("review?source=user").text


def test_a_reviewer_of_a_tenant_sees_everybodys_items(house: House):
    fill(house)
    house.gw.remember("The user keeps bees.", user="bob", source="ai_synthesis", credential="agent")
    browser = house.browser(Role.REVIEW, owner=None)
    page = browser.get("review").text
    assert "Madrid" in page and "bees" in page
    page = browser.get("review?user=bob").text
    assert "Madrid" not in page and "bees" in page


def test_an_item_shows_everything_that_a_decision_needs(house: House):
    id = fill(house)
    page = house.browser().get(f"review/{id}?user=ada").text
    text = " ".join("".join(parse(page).text).split())
    assert "The user lives in Madrid." in text
    assert "I moved to Porto." in text and "contradicts the claim" in text
    assert "<del>Porto.</del>" in page and "<ins>Madrid.</ins>" in page
    assert "failed: source not trusted: ai synthesis" in text and "passed: no speculation" in text
    assert all(f"review/{id}/{decision}" in page for decision in ("approve", "edit", "reject"))


def test_an_item_shows_where_it_was_said(house: House):
    said = "By the way, I adopted a greyhound called Luna last spring."
    house.gw.remember_conversation(
        [Turn("user", "Hello! " + said)], user="ada", credential="agent", allowed_sources=frozenset({"ai_synthesis"})
    )
    (item, *_) = house.gw.reviews("ada").pending()
    page = house.browser().get(f"review/{item.queue_id}?user=ada").text
    assert re.search(r"<mark>[^<]*greyhound called Luna[^<]*</mark>", page)
    assert re.search(r"turn 1, characters \d+–\d+", page)


@pytest.mark.requirement("REV-004")
def test_another_key_approves(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    response = browser.post(f"review/{id}/approve", token=browser.token("review"), user="ada")
    assert response.url.path == "/console/review" and "Approved and stored." in response.text
    assert any(memory.text == "The user lives in Madrid." for memory in house.gw.ledger("ada").memories().items)


def test_approval_may_end_what_it_contradicts(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    porto = next(m for m in house.gw.ledger("ada").memories().items if "Porto" in m.text)
    browser.post(f"review/{id}/approve", token=browser.token("review"), user="ada", replaces=porto.id)
    assert house.gw.ledger("ada").memory(porto.id).status.value == "superseded"


@pytest.mark.requirement("REV-005", "SEC-017")
def test_the_key_that_proposed_it_is_refused_and_told_why(house: House):
    key = house.key()
    id = house.propose("The user keeps bees.", proposer=key.credential.id)
    browser = house.browser()
    assert "Approve" in browser.get(f"review/{id}?user=ada").text
    proposer = Browser(house.app).sign_in(key)
    page = proposer.get(f"review/{id}?user=ada").text
    assert "You cannot decide on this" in page and f"review/{id}/approve" not in page
    assert "proposed with your key" in proposer.get("review").text
    for decision in ("approve", "reject"):
        response = proposer.post(f"review/{id}/{decision}", token=proposer.token("review"), user="ada", reason="no")
        assert response.status_code == 403
        assert "cannot decide on it" in response.text
    assert len(house.gw.reviews("ada").pending()) == 1


@pytest.mark.requirement("REV-012")
def test_an_edit_is_stored_and_keeps_the_original(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    browser.post(
        f"review/{id}/edit", token=browser.token("review"), user="ada", content="The user has a flat in Madrid."
    )
    memory = next(m for m in house.gw.ledger("ada").memories().items if "flat" in m.text)
    assert memory.evidence is not None and memory.evidence.metadata["original"] == "The user lives in Madrid."


@pytest.mark.requirement("REV-012")
def test_an_edit_that_the_gate_refuses_comes_back_with_the_reason(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    words = "I think the user may live in Madrid."
    response = browser.post(f"review/{id}/edit", token=browser.token("review"), user="ada", content=words)
    assert response.status_code == 409 and words in response.text and 'role="alert"' in response.text
    assert len(house.gw.reviews("ada").pending()) == 1


@pytest.mark.requirement("REV-004")
def test_a_rejection_needs_a_reason(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    response = browser.post(f"review/{id}/reject", token=browser.token("review"), user="ada", reason="  ")
    assert response.status_code == 422 and "reason" in response.text
    response = browser.post(f"review/{id}/reject", token=browser.token("review"), user="ada", reason="He does not.")
    assert "Rejected" in response.text
    assert "He does not." in browser.get(f"review/{id}?user=ada").text


def test_a_second_decision_is_refused(house: House):
    id, browser = fill(house), house.browser(Role.REVIEW)
    browser.post(f"review/{id}/approve", token=browser.token("review"), user="ada")
    response = browser.post(f"review/{id}/approve", token=browser.token("review"), user="ada")
    assert response.status_code == 409


def test_an_item_that_is_not_there_is_not_found(house: House):
    assert house.browser().get("review/0?user=ada").status_code == 404


def test_what_has_ended_since_is_not_offered_for_replacing(house: House):
    porto = house.keep("I live in Porto.")
    id = house.propose("The user lives in Madrid.")
    browser = house.browser()
    assert f'name="replaces" value="{porto}"' in browser.get(f"review/{id}?user=ada").text
    house.keep("I moved to Oslo.")
    page = browser.get(f"review/{id}?user=ada").text
    assert 'name="replaces"' not in page and "which has ended since" in page
    sent = browser.post(f"review/{id}/approve", token=browser.token("review"), user="ada", replaces=porto)
    assert sent.status_code == 200 and "Approved and stored." in sent.text


# ── the inspector ───────────────────────────────────────────────────────────────────────────────


def test_an_answer_is_shown_claim_by_claim(house: House):
    fill(house)
    browser = house.browser()
    page = browser.post("inspect", token=browser.token("inspect"), answer=ANSWER, user="ada").text
    assert re.search(r'<span class="claimed v-refuted" tabindex="0" aria-describedby="tip-0">You live in Lisbon', page)
    assert re.search(r'<span class="claimed v-supported"[^>]*>work at Globex', page)
    assert re.search(r'<span class="claimed v-insufficient"[^>]*>You own a boat', page)
    assert "You live in Porto and work at Globex." in page
    assert "says “Porto”, the claim says “Lisbon”" in page
    assert re.search(r"/console/memory/\w+\?user=ada\">I moved to Porto.</a>", page)


def test_flags_have_a_colour_and_the_legend_names_all_of_them(house: House):
    fill(house)
    browser = house.browser()
    page = browser.post("inspect", token=browser.token("inspect"), answer=ANSWER, user="ada").text
    assert re.search(r'<mark class="flag f-\w+" title="[^"]+">You live in Lisbon</mark>', page)
    style = (drawing.ASSETS / "console.css").read_text(encoding="utf-8")
    for kind in HallucinationType:
        assert f'<span class="flag f-{kind.value}">{kind.description}</span>' in page
        assert f".f-{kind.value} {{ --tone: var(--f-" in style


def test_an_answer_can_be_held_against_pasted_memories(house: House):
    browser = house.browser()
    memories = "The launch is on Friday.\nThe budget is 40,000 euros."
    page = browser.post(
        "inspect", token=browser.token("inspect"), answer="The launch is on Monday.", memories=memories
    ).text
    assert "1 refuted" in page and "The launch is on Friday." in page


def test_inspecting_puts_nothing_into_the_queue(house: House):
    fill(house)
    browser = house.browser(Role.READ)
    before = house.gw.count_pending()
    browser.post("inspect", token=browser.token("inspect"), answer=ANSWER + " You have three wives.", user="ada")
    assert house.gw.count_pending() == before


def test_what_was_said_before_is_held_against_the_answer(house: House):
    browser = house.browser()
    before = "Where is the meeting?\nassistant: The meeting is in Berlin."
    page = browser.post("inspect", token=browser.token("inspect"), answer="The meeting is in Paris.", before=before,
                        memories="The meeting has ten guests.").text  # fmt: skip
    assert re.search(r'<mark class="flag f-ContradictsPrior"[^>]*>The meeting is in Paris', page)
    assert house.gw.count_pending() == 0


def test_turns_are_read_by_their_speaker():
    turns = read_turns("Hello: there\n\n Assistant: Hi!\nuser:\nUSER: Where?", 100)
    assert [(turn.turn_id, turn.role, turn.text) for turn in turns] == [
        (1, "user", "Hello: there"), (2, "assistant", "Hi!"), (3, "user", "user:"), (4, "user", "Where?"),
    ]  # fmt: skip


def test_too_many_lines_are_refused(house: House):
    browser = house.browser()
    response = browser.post("inspect", token=browser.token("inspect"), answer=ANSWER, memories="I ski.\n" * 201)
    assert response.status_code == 422 and "limit is 200" in response.text


def test_an_answer_is_needed(house: House):
    browser = house.browser()
    response = browser.post("inspect", token=browser.token("inspect"), answer=" ")
    assert response.status_code == 422 and "answer" in response.text


def test_without_a_user_or_memories_nothing_is_inspected(house: House):
    browser = house.browser(Role.READ, owner=None)
    response = browser.post("inspect", token=browser.token("inspect"), answer=ANSWER)
    assert response.status_code == 422 and ANSWER in response.text


def test_a_name_that_was_taken_out_of_the_form_is_not_put_back(house: House):
    """Whoever looked at somebody's memories and then clears the field does not mean them any more."""
    fill(house)
    browser = house.browser(owner=None)
    browser.get("memory?user=ada")
    response = browser.post("inspect", token=browser.token("inspect"), answer=ANSWER, user="")
    assert response.status_code == 422
    assert "user: is missing; name whose memories are meant, or paste memories below" in response.text


def test_explanations_speak_of_memories_by_their_place_and_not_by_their_ids():
    assert explain("refuted: 0a1b says “Porto”, the claim says “Oslo”", ["0a1b"]) == (
        "the memory says “Porto”, the claim says “Oslo”"
    )
    several = ["m1", "m10"]
    assert explain("supported: m10 says the same: “m1x”; m1 agrees", several) == (
        "memory 2 says the same: “m1x”; memory 1 agrees"
    )


# ── memory ──────────────────────────────────────────────────────────────────────────────────────


def test_memories_are_listed_and_found(house: House):
    fill(house)
    browser = house.browser()
    assert "I moved to Porto." in browser.get("memory").text
    page = browser.get("memory?q=where do I work").text
    assert "Globex" in page
    page = browser.get("memory?status=superseded").text
    assert "Lisbon" in page and "Globex" not in page
    assert browser.get("memory?status=strange").status_code == 422


def test_a_long_list_goes_on_on_the_next_page(house: House):
    for number in range(30):
        house.keep(f"Room {number} of the archive holds maps of the year {1500 + 7 * number}.")
    browser = house.browser()
    first = browser.get("memory").text
    following = next(link for link in parse(first).all("a") if link.get("rel") == "next")
    assert "Room 29" not in first
    assert "Room 29" in browser.client.get(str(following["href"])).text


def test_a_memory_shows_where_it_came_from_and_what_it_replaced(house: House):
    fill(house)
    id = next(m.id for m in house.gw.ledger("ada").memories().items if "Porto" in m.text)
    text = " ".join("".join(parse(house.browser().get(f"memory/{id}?user=ada").text).text).split())
    assert "From a trusted source: user." in text
    assert "I live in Lisbon." in text and "location changed" in text
    assert "On record" in text
    assert "On record" not in house.browser(Role.READ).get(f"memory/{id}?user=ada").text


def test_a_forgotten_memory_is_told_as_such(house: House):
    fill(house)
    lisbon, porto = (m.id for m in house.gw.ledger("ada").memories().items[:2])
    house.gw.forget(lisbon, user="ada", reason="asked to")
    page = house.browser().get(f"memory/{porto}?user=ada").text
    assert "Forgotten" in page and "Lisbon" not in page.replace("Porto / Lisbon", "")


def test_conflicts_are_shown_with_their_trust(house: House):
    house.keep("My favourite colour is green.")
    id = house.propose("The user's favourite colour is blue.")
    house.gw.reviews("ada").approve(id)
    for page in ("memory", "timeline"):
        text = " ".join("".join(parse(house.browser().get(page).text).text).split())
        assert "favorite color" in text and "trust 0.90" in text


def test_the_timeline_tells_what_was_true_when(house: House):
    fill(house)
    page = house.browser().get("timeline").text
    assert "location: Lisbon from 2024-02-01 until 2025-05-02, Porto from 2025-05-02 until now" in page
    text = " ".join("".join(parse(page).text).split())
    assert re.search(r"Lisbon 2024-02-01 ?2025-05-02", text)


# ── the dashboard ───────────────────────────────────────────────────────────────────────────────


def test_the_dashboard_shows_both_gates(house: House):
    fill(house)
    house.gw.remember("I think I may move.", user="ada")
    house.gw.verify(ANSWER, user="ada")
    browser = house.browser()
    browser.post("inspect", token=browser.token("inspect"), answer=ANSWER, user="ada")
    page = browser.get("dashboard").text
    assert "Decisions of the write gate over time" in page and "1 to review, 1 refused" in page
    assert "Recommendation:" in page and "repeat the type rules" in page
    assert '6</span><span class="muted">claims checked' in page
    assert "irrelevant evidence" in page and "quiet" in page
    assert "Latency by operation" in page and "verify" in page
    assert "carry no calibration" in page


def test_the_reliability_of_the_model_is_drawn():
    with open_house(judge="mini") as house:
        page = house.browser().get("dashboard").text
    assert "Reliability of mini: ECE 0.0" in page and "<style>" not in page


def test_a_model_that_is_missing_leaves_the_rest_of_the_dashboard(tmp_path: Path):
    with open_house(judge="base", models_folder=str(tmp_path)) as house:
        response = house.browser().get("dashboard")
    assert response.status_code == 200 and "carry no calibration" in response.text


def test_tiers_are_for_those_who_may_read_the_audit_trail(house: House):
    fill(house)
    page = house.browser(Role.READ).get("dashboard").text
    assert "needs the role review or admin" in page and "Decisions of the write gate" not in page


def test_latencies_are_read_from_the_metrics():
    text = (
        'groundwire_operation_seconds{operation="verify",quantile="0.5"} 0.0125\n'
        'groundwire_operation_seconds{operation="verify",quantile="0.99"} 0.5\n'
        'groundwire_operation_seconds_count{operation="verify"} 7\n'
    )
    assert [tuple(one) for one in read_latencies(text)] == [("verify", 7, 12.5, 500.0)]


# ── hostile words ───────────────────────────────────────────────────────────────────────────────


def check_harmless(page: str, where: str) -> None:
    """Nothing on a page runs, loads or is styled but what the console brought itself."""
    parsed = parse(page)
    assert [script.get("src") for script in parsed.all("script")] == ["/console/assets/console.js"], where
    assert {image.get("src") for image in parsed.all("img")} == {"/console/assets/mark.svg"}, where
    assert not parsed.all("style") and not parsed.all("iframe") and not parsed.all("object"), where
    for _, attributes in parsed.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), where
        for name in ("href", "src", "action"):
            value = attributes.get(name)
            assert value is None or value.startswith(("/console/", "#")), (where, value)
    assert str(7919 * 7907) not in page, where


def test_hostile_words_are_shown_as_words(house: House):
    memory = house.keep(f"My motto is {HOSTILE}")
    id = house.propose(f"The user's motto is not {HOSTILE}")
    browser = house.browser()
    pages = {path: browser.get(path).text for path in ("review", f"review/{id}?user=ada", "memory", "timeline",
             f"memory/{memory}?user=ada", "dashboard", "memory?q=motto")}  # fmt: skip
    pages["inspect"] = browser.post("inspect", token=browser.token("inspect"), answer=f"You said {HOSTILE} {UNSEEN}.",
                                    before=HOSTILE, memories=HOSTILE, user="ada").text  # fmt: skip
    pages["edit"] = browser.post(f"review/{id}/edit", token=browser.token("review"), user="ada", content="").text
    pages["nowhere"] = browser.get("review/%3Cscript%3Ealert(1)%3C%2Fscript%3E?user=ada").text
    for where, page in pages.items():
        check_harmless(page, where)
    assert "&lt;script&gt;alert(&#34;gw&#34;)&lt;/script&gt;" in pages["memory"]
    assert "".join(parse(pages[f"memory/{memory}?user=ada"]).text).count(HOSTILE) >= 1


def test_hostile_names_are_shown_as_names(house: House):
    owner = "<b onmouseover=alert(1)>Eve & Co\"'</b>"
    house.keep("I live in Berlin.", user=owner)
    house.gw.remember("The user keeps bees.", user=owner, source="<i>robot</i>", credential="agent")
    browser = house.browser(*ALL, owner=None)
    for path in ("review", "memory", "timeline", "dashboard", "inspect"):
        page = browser.client.get(f"/console/{path}", params={"user": owner}).text
        check_harmless(page, path)
        assert "<b onmouseover" not in page and "<i>robot" not in page


@pytest.mark.parametrize("text", ["x" * 5_000, LONG, "שלום עולם " * 400, "<" * 3_000])
def test_long_words_stay_whole_on_their_page_and_short_in_lists(house: House, text: str):
    id = house.propose(f"The user's motto is {text}.")
    browser = house.browser()
    assert text.strip() in "".join(parse(browser.get(f"review/{id}?user=ada").text).text)
    assert len("".join(parse(browser.get("review").text).text)) < 3_000


@pytest.mark.parametrize("path", ["", "review", "review/0", "nowhere", "sign-in", "memory?status=strange"])
def test_every_page_forbids_what_it_does_not_need(house: House, path: str):
    response = house.browser().get(path)
    policy = dict(part.strip().partition(" ")[::2] for part in response.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'" and policy["form-action"] == "'self'"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cache-control"] == "no-store"


def test_assets_are_in_the_package_and_name_no_other_host(house: House):
    browser = house.browser()
    for name, kind in (("console.css", "text/css"), ("console.js", "javascript"), ("mark.svg", "image/svg")):
        response = browser.get(f"assets/{name}")
        assert response.status_code == 200 and kind in response.headers["content-type"]
        assert response.headers["x-content-type-options"] == "nosniff"
    files = [*Path(drawing.ASSETS).iterdir(), *Path(drawing.TEMPLATES).iterdir()]
    for file in files:
        addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", file.read_text(encoding="utf-8"))
        assert set(addresses) <= {"http://www.w3.org"}, file


def test_requests_are_counted_by_page_and_name_nobody(house: House):
    browser = house.browser()
    browser.get("memory/secret?user=ada")
    browser.get("nowhere/secret")
    browser.get("assets/console.css")
    text = browser.client.get("/metrics").text
    assert 'route="/console/memory/{id}",status="404"' in text and 'route="/console/assets"' in text
    assert "secret" not in text and "ada" not in text


def test_assets_lead_nowhere_else(house: House):
    for path in ("assets/../app.py", "assets/%2e%2e/app.py", "assets/..%2fapp.py", "assets/"):
        assert house.browser().get(path).status_code == 404


# ── parts ───────────────────────────────────────────────────────────────────────────────────────


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=8))
def test_pieces_joined_are_the_text(text: str, pairs: list[tuple[int, int]]):
    spans = [Span(min(pair), max(pair)) for pair in pairs]
    pieces = cut(text, spans)
    assert "".join(piece.text for piece in pieces) == text
    firsts = [piece.number for piece in pieces if piece.is_first]
    assert len(firsts) == len(set(firsts))


def test_the_shorter_of_two_overlapping_spans_is_seen():
    pieces = cut("You have two cats.", [Span(0, 17), Span(9, 12)])
    assert [(piece.text, piece.number) for piece in pieces if piece.text] == [
        ("You have ", 0), ("two", 1), (" cats", 0), (".", None),
    ]  # fmt: skip


PAIRS = [
    ("ink", "ground"), ("ink", "card"), ("soft", "ground"), ("soft", "card"), ("soft", "sunk"), ("accent", "card"),
    ("accent", "ground"), ("on-accent", "accent"), ("good", "good-soft"), ("bad", "bad-soft"), ("bad", "card"),
    ("doubt", "doubt-soft"), ("past-ink", "past"), ("ink", "mark"), ("ink", "good-soft"), ("ink", "bad-soft"),
    ("ink", "doubt-soft"), ("on-accent", "doubt"),
]  # fmt: skip
FLAGS = [(f"f-{name}", "card") for name in
         ("fabricated", "entity", "attribute", "against", "prior", "unsupported", "time", "logic")]  # fmt: skip


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1, 2], ids=["light", "dark by preference", "dark by choice"])
@pytest.mark.parametrize("pair", PAIRS + FLAGS, ids=" on ".join)
def test_text_can_be_told_from_its_ground(theme: int, pair: tuple[str, str]):
    style = (drawing.ASSETS / "console.css").read_text(encoding="utf-8")
    block = style.split(":root")[1:][theme].partition("}")[0]
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", block))
    light, dark = sorted((luminance(colours[name]) for name in pair), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
