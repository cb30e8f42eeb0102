"""Who gets in, with what, and what a form has to carry."""

from __future__ import annotations

from typing import Any

import pytest
from console_samples import ALL, SECRET, Browser, House, open_house, parse

from groundwire.surfaces.console.sessions import IDLE_SECONDS
from groundwire.types.access import Role

PAGES = ("review", "inspect", "memory", "timeline", "dashboard")
POSTS = ("sign-in", "sign-out", "theme", "inspect", "review/x/approve", "review/x/edit", "review/x/reject")


def set_cookies(response: Any) -> list[str]:
    return response.headers.get_list("set-cookie")


# ── signing in ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["", *PAGES, "review/x", "memory/x"])
def test_nothing_is_shown_before_signing_in(house: House, path: str):
    response = Browser(house.app).get(path, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, "/console/sign-in")


def test_the_bare_address_leads_to_the_console(house: House):
    response = Browser(house.app).client.get("/")
    assert response.url.path == "/console/sign-in"


@pytest.mark.parametrize("key", ["", "nonsense", "gwk_" + "0" * 16 + "_" + "0" * 64])
def test_a_wrong_key_is_refused_in_the_same_words(house: House, key: str):
    response = Browser(house.app).post("sign-in", key=key)
    assert response.status_code == 401
    assert "unknown, incomplete or revoked" in response.text


def test_the_key_is_in_no_cookie_and_on_no_page(house: House):
    key, browser = house.key(), Browser(house.app)
    response = browser.post("sign-in", key=key.token)
    secret = key.token.rpartition("_")[2]
    assert response.url.path == "/console/review"
    assert secret not in response.text
    assert all(secret not in value and key.credential.id not in value for value in browser.client.cookies.values())


def test_the_cookie_is_for_this_console_alone(house: House):
    browser, key = Browser(house.app), house.key()
    token = browser.token()
    response = browser.client.post("/console/sign-in", data={"token": token, "key": key.token}, follow_redirects=False)
    (cookie,) = set_cookies(response)
    assert {"HttpOnly", "SameSite=strict", "Path=/console"} <= set(cookie.split("; "))


def test_over_https_the_cookie_is_secure(house: House):
    browser = Browser(house.app)
    response = browser.client.get("https://testserver/console/sign-in")
    assert all("Secure" in cookie.split("; ") for cookie in set_cookies(response)) and set_cookies(response)


def test_signing_in_gives_the_session_a_new_name(house: House):
    browser, key = Browser(house.app), house.key()
    browser.token()
    before = browser.client.cookies["groundwire_session"]
    browser.post("sign-in", key=key.token)
    assert browser.client.cookies["groundwire_session"] != before


def test_signing_out_ends_the_session_on_the_server(house: House):
    browser = house.browser()
    kept = browser.client.cookies["groundwire_session"]
    browser.post("sign-out", token=browser.token("review"))
    thief = Browser(house.app)
    thief.client.cookies.set("groundwire_session", kept, path="/console")
    assert thief.get("review").url.path == "/console/sign-in"


def test_revoking_the_key_ends_the_session(house: House):
    key = house.key()
    browser = Browser(house.app).sign_in(key)
    house.gw.keys().revoke(key.credential.id)
    page = browser.get("memory")
    assert page.url.path == "/console/sign-in"
    assert "Your session has ended" in page.text
    assert "Your session has ended" not in browser.post("sign-in", key=key.token).text  # then it is about the key
    assert "revoked" in browser.post("sign-in", key=key.token).text


def test_who_never_signed_in_or_signed_out_is_told_of_no_session(house: House):
    browser = Browser(house.app)
    for _ in range(2):
        assert "session has ended" not in browser.get("review").text
    browser.sign_in(house.key())
    browser.post("sign-out", token=browser.token("review"))
    assert "session has ended" not in browser.get("review").text


def test_a_session_ends_after_hours_without_use(house: House):
    browser = house.browser()
    house.time[0] += IDLE_SECONDS - 1
    assert browser.get("memory").url.path == "/console/memory"
    house.time[0] += IDLE_SECONDS + 1
    page = browser.get("memory")
    assert page.url.path == "/console/sign-in"
    assert "Your session has ended" in page.text


def test_a_key_that_asks_too_often_has_to_wait():
    with open_house(None, serve_rate=1.0, serve_burst=3) as house:
        browser = house.browser()
        statuses = [browser.get("memory").status_code for _ in range(4)]
        assert statuses[-1] == 429
        assert "too many requests" in browser.get("memory").text


# ── forms ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", ["none", "wrong", "another's"])
def test_a_form_without_the_token_of_its_session_is_refused(house: House, path: str, kind: str):
    browser = house.browser()
    token = {"none": "", "wrong": "0" * 64, "another's": house.browser().token("review")}[kind]
    response = browser.post(path, token=token, user="ada", answer="I live in Berlin.", reason="no")
    assert response.status_code == 403
    assert "not from a page of yours" in response.text


def test_a_forged_form_changes_nothing(house: House):
    id = house.propose("The office uses PostgreSQL 15.")
    house.browser().post(f"review/{id}/approve", token="", user="ada")
    assert [item.queue_id for item in house.gw.reviews("ada").pending()] == [id]


def test_only_plain_forms_are_read(house: House):
    browser = house.browser()
    response = browser.client.post("/console/inspect", json={"token": browser.token("review"), "answer": "x"})
    assert response.status_code == 422


@pytest.mark.parametrize("body", [b"\xff=1", b"a=%ff", b"a=1&" * 100])
def test_a_form_that_cannot_be_read_is_refused(house: House, body: bytes):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = house.browser().client.post("/console/inspect", content=body, headers=headers)
    assert response.status_code in (403, 422)


def test_every_form_that_changes_something_carries_the_token(house: House):
    house.keep("I live in Berlin.")
    id = house.propose("The office uses PostgreSQL 15.")
    browser = house.browser()
    for path in (*PAGES, f"review/{id}?user=ada"):
        page = browser.get(path).text
        forms = [form for form in page.split("<form")[1:] if 'method="post"' in form.partition(">")[0]]
        assert forms, path
        assert all('name="token"' in form.partition("</form>")[0] for form in forms), path


@pytest.mark.parametrize(
    "back", ["//evil.example/", "https://evil.example", "/console/..//evil.example", "/console/\\evil", "/v1/users"]
)
def test_choosing_colours_leads_to_no_other_place(house: House, back: str):
    browser = house.browser()
    response = browser.client.post(
        "/console/theme", data={"token": browser.token("review"), "theme": "dark", "back": back}, follow_redirects=False
    )
    assert response.headers["location"] == "/console/"


def test_chosen_colours_are_kept(house: House):
    browser = house.browser()
    response = browser.post("theme", token=browser.token("memory"), theme="dark", back="/console/memory")
    assert response.url.path == "/console/memory"
    assert '<html lang="en" data-theme="dark">' in response.text


# ── roles and scopes ────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("SEC-017")
@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_for_the_role_that_it_needs(house: House, role: Role, page: str):
    browser = house.browser(role)
    is_allowed = role is (Role.REVIEW if page == "review" else Role.READ)
    assert browser.get(page).status_code == (200 if is_allowed else 403)
    links = {link.get("href") for link in parse(browser.get("").text).all("a")}
    assert (f"/console/{page}" in links) == is_allowed


@pytest.mark.requirement("SEC-017")
def test_a_key_that_may_only_read_decides_nothing(house: House):
    id = house.propose("The office uses PostgreSQL 15.")
    browser = house.browser(Role.READ)
    for decision in ("approve", "edit", "reject"):
        response = browser.post(f"review/{id}/{decision}", token=browser.token("memory"), user="ada", reason="no")
        assert response.status_code == 403
    assert len(house.gw.reviews("ada").pending()) == 1


@pytest.mark.requirement("SEC-003")
def test_a_key_sees_nobody_but_whom_it_covers(house: House):
    for owner, tenant in (("bob", "default"), ("ada", "other")):
        house.keep(f"I live in {SECRET}.", user=owner, tenant=tenant)
        house.gw.remember(f"The {SECRET} office is open.", user=owner, tenant=tenant, source="ai_synthesis")
    house.keep("I live in Berlin.")
    browser = house.browser(*ALL, owner="ada")
    for page in PAGES:
        assert SECRET not in browser.get(page).text
        assert browser.get(f"{page}?user=ada").status_code == 200
        if page not in ("review",):
            response = browser.get(f"{page}?user=bob")
            assert response.status_code == 403 or "bob" not in response.text.replace("user=bob", "")
            assert SECRET not in response.text
    for owner, tenant in (("bob", "default"), ("ada", "other")):
        id = house.gw.ledger(owner, tenant).memories().items[0].id
        for user in ("ada", "bob"):
            response = browser.get(f"memory/{id}?user={user}")
            assert response.status_code in (403, 404) and SECRET not in response.text


@pytest.mark.requirement("SEC-003")
def test_a_key_for_everybody_of_a_tenant_stays_in_it(house: House):
    house.keep(f"I live in {SECRET}.", user="zoe", tenant="other")
    house.keep("I live in Berlin.", user="bob")
    browser = house.browser(*ALL, owner=None)
    assert "bob" in browser.get("memory").text
    assert "zoe" not in browser.get("memory").text
    assert SECRET not in browser.get("memory?user=zoe").text


def test_a_key_without_pages_is_told_so(house: House):
    assert "Nothing to see with this key" in house.browser(Role.PROPOSE).get("").text
