"""The console in a real browser: what a person sees, clicks and types. No requirement is shown here alone.

With GROUNDWIRE_SCREENSHOTS=FOLDER every page is pictured there; the pictures in docs/images were made that way.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from groundwire import Groundwire, Settings
from groundwire.memory.candidates import Turn
from groundwire.surfaces.demo import set_up
from groundwire.surfaces.rest.app import create_app
from groundwire.types.access import Role

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOW = "apt-get install -y chromium && pip install 'groundwire[browser]'"
pytestmark = pytest.mark.slow


def open_playwright() -> Any:
    """What drives the browser; without it or without a browser, the line that installs them."""
    if CHROMIUM is None:
        pytest.skip(f"no chromium: {HOW}")
    return pytest.importorskip("playwright.sync_api", reason=f"no playwright: {HOW}")


PICTURES = os.environ.get("GROUNDWIRE_SCREENSHOTS")
LARGEST, COLOURS = 150_000, 96
SCRIPT = "My motto is <script>document.title='owned'</script><img src=x onerror=alert(1)>."
LONG = "The user's favourite line is " + "lorem ipsum dolor sit amet " * 180 + "W" * 200
ENDLESS = "Maximiliane-" + "Wolfeschlegelsteinhausen" * 10
ANSWER = (
    "You live in Lisbon and work at Globex as a data engineer. You have three cats and a sailing boat. "
    "In February 2031 you were in Rome."
)


@dataclass
class Site:
    """A running service, its keys, and a browser to look at it with."""

    address: str
    gw: Groundwire
    keys: dict[str, str]
    items: dict[str, str]
    browser: Any
    user: str
    troubles: list[str] = field(default_factory=list)

    @contextmanager
    def visit(self, key: str | None = "reviewer", **options: Any) -> Iterator[Any]:
        """A page of a new browser; whatever goes wrong in it, or leaves this machine, is trouble."""
        options = {"viewport": {"width": 1200, "height": 800}, "color_scheme": "light", **options}
        context = self.browser.new_context(**options)
        page = context.new_page()
        page.on("console", lambda message: self.note(message.type == "error", message.text))
        page.on("pageerror", lambda error: self.note(True, str(error)))
        page.on("dialog", lambda dialog: self.note(True, f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.note(not request.url.startswith(self.address), request.url))
        try:
            page.goto(self.address)
            if key is not None:
                page.get_by_label("API key").fill(self.keys[key])
                page.get_by_role("button", name="Sign in").click()
                page.wait_for_url(lambda address: not address.endswith("sign-in"))
            yield page
        finally:
            context.close()
        assert self.troubles == []

    def note(self, is_trouble: bool, text: str) -> None:
        if is_trouble and not re.search(r"status of 40[13]", text):  # a refused form is no defect of the page
            self.troubles.append(text)

    def open(self, page: Any, path: str) -> None:
        page.goto(f"{self.address}/console/{path}")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    gw = Groundwire(None, settings=Settings(serve_rate=0.0))
    demo = set_up(gw)
    keyring = gw.keys()
    made = {
        "reviewer": demo.keys[0],
        "proposer": keyring.create("agent", roles=[Role.PROPOSE, Role.READ, Role.REVIEW], tenant=demo.tenant),
        "reader": keyring.create("reader", roles=[Role.READ], tenant=demo.tenant, owner=demo.user),
    }
    gw.verify(
        "You have two cats.", user=demo.user, tenant=demo.tenant, flags=True
    )  # the model is loaded before anybody waits
    items = propose(gw, demo.user, demo.tenant, made["proposer"].credential.id)
    with serve(gw) as address, open_playwright().sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        keys = {name: issued.token for name, issued in made.items()}
        yield Site(address, gw, keys, items, browser, demo.user)
        browser.close()


def propose(gw: Groundwire, user: str, tenant: str, credential: str) -> dict[str, str]:
    """What an agent heard, and what nobody should have to read."""
    said = [
        Turn("assistant", "How was your weekend?"),
        Turn("user", "Great! We adopted a greyhound called Luna, she sleeps all day."),
    ]
    allowed = frozenset({"ai_synthesis"})
    gw.remember_conversation(said, user=user, tenant=tenant, credential=credential, allowed_sources=allowed)
    gw.remember(LONG, user=user, tenant=tenant, source="ai_synthesis", credential=credential)
    gw.remember(SCRIPT, user=user, tenant=tenant)
    gw.remember("I live in" + "\n" * 200 + "Rome.", user=ENDLESS, tenant=tenant)
    gw.remember("I drink tea.", user=ENDLESS, tenant=tenant, source="ai_synthesis", credential=credential)
    waiting = gw.reviews(user, tenant).pending()
    words = {"heard": "Luna", "long": "lorem", "city": "Madrid", "team": "PostgreSQL"}
    return {name: next(one.queue_id for one in waiting if word in one.content) for name, word in words.items()}


@contextmanager
def serve(gw: Groundwire) -> Iterator[str]:
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(create_app(gw), log_config=None, lifespan="on", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def picture(tmp_path: Path) -> Callable[..., Path]:
    """Photographs a page, small enough to be kept."""
    from PIL import Image

    def take(page: Any, name: str, *, whole: bool = True) -> Path:
        taken = Image.open(BytesIO(page.screenshot(full_page=whole))).convert("RGB")
        place = Path(PICTURES) if PICTURES else tmp_path
        path = place / f"console-{name}.png"
        # Half of the colours are those that cover most; the other half are spread over what is rare but bright.
        counted: Any = taken.getcolors(1 << 24) or ()
        common = sorted(counted, reverse=True)[:COLOURS]
        spread = taken.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
        palette = Image.new("P", (1, 1))
        palette.putpalette([*(channel for _, colour in common for channel in colour), *spread][:768])
        taken.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)
        assert path.stat().st_size < LARGEST
        return path

    return take


def overflow(page: Any) -> int:
    """How many pixels a page is wider than its window, once its styles are there."""
    page.wait_for_load_state()
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# ── signing in ──────────────────────────────────────────────────────────────────────────────────


def test_signing_in_and_out(site: Site, picture: Callable[..., Path]):
    with site.visit(None, viewport={"width": 1200, "height": 640}) as page:
        picture(page, "sign-in")
        page.get_by_label("API key").fill("gwk_wrong")
        page.keyboard.press("Enter")
        assert "unknown, incomplete or revoked" in page.get_by_role("alert").inner_text()
        page.get_by_label("API key").fill(site.keys["reader"])
        page.keyboard.press("Enter")
        page.wait_for_url("**/console/inspect")
        assert page.get_by_role("link", name="Review").count() == 0
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/console/sign-in")
        site.open(page, "memory")
        assert page.url.endswith("/console/sign-in")


# ── reviewing ───────────────────────────────────────────────────────────────────────────────────


def test_the_proposing_key_is_refused_and_another_approves_by_keyboard(site: Site, picture: Callable[..., Path]):
    item = f"review/{site.items['heard']}?user={site.user}"
    with site.visit("proposer") as page:
        site.open(page, item)
        assert page.get_by_role("heading", name="You cannot decide on this").is_visible()
        assert page.get_by_role("button", name="Approve").count() == 0
        picture(page, "refusal")
    with site.visit("reviewer") as page:
        site.open(page, "review")
        picture(page, "review")
        page.keyboard.press("j")
        first = page.evaluate("document.activeElement.getAttribute('href')")
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert page.evaluate("document.activeElement.getAttribute('href')") == first
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{first.partition('?')[0]}*")
        picture(page, "item")
        site.open(page, item)
        assert "greyhound called Luna" in page.locator("blockquote mark").inner_text()
        picture(page, "heard")
        page.keyboard.press("a")
        page.wait_for_url("**/console/review")
        assert "Approved and stored." in page.get_by_role("status").inner_text()
    kept = [memory.text for memory in site.gw.ledger(site.user, "demo").memories(limit=100).items]
    assert any("greyhound called Luna" in text for text in kept)


def test_editing_and_rejecting_by_keyboard(site: Site):
    with site.visit() as page:
        site.open(page, f"review/{site.items['team']}?user={site.user}")
        page.keyboard.press("r")
        assert page.evaluate("document.activeElement.id") == "reason"
        page.keyboard.type("a team is not the user")
        page.keyboard.press("Escape")
        page.keyboard.press("e")
        assert page.evaluate("document.activeElement.id") == "content"
        page.keyboard.press("Control+A")
        page.keyboard.type("The team of the user at Globex deploys PostgreSQL 16.")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/console/review")
        site.open(page, f"review/{site.items['city']}?user={site.user}")
        page.keyboard.press("r")
        page.keyboard.type("She lives in Porto.")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/console/review")
        assert "Rejected" in page.get_by_role("status").inner_text()
    kept = [memory.text for memory in site.gw.ledger(site.user, "demo").memories(limit=100).items]
    assert "The team of the user at Globex deploys PostgreSQL 16." in kept


def test_reviewing_works_without_scripts(site: Site):
    done = site.gw.remember("The user plays the oboe.", user=site.user, tenant="demo", source="ai_synthesis")
    with site.visit(java_script_enabled=False) as page:
        site.open(page, f"review/{done.review_id}?user={site.user}")
        page.get_by_label("Reason to reject").fill("It was the clarinet.")
        page.get_by_role("button", name="Reject").click()
        assert "Rejected" in page.get_by_role("status").inner_text()


# ── looking ─────────────────────────────────────────────────────────────────────────────────────


def test_the_inspector_shows_evidence_on_focus_and_on_hover(site: Site, picture: Callable[..., Path]):
    with site.visit() as page:
        site.open(page, "inspect")
        page.get_by_label("Answer").fill(ANSWER)
        page.get_by_label("Against the memories of").fill(site.user)
        page.get_by_role("button", name="Inspect").click()
        refuted = page.locator(".answer .claimed.v-refuted").first
        tip = refuted.locator(".tip")
        page.mouse.move(0, 0)  # the pointer is still where the button was, which may be over the claim
        assert not tip.is_visible()
        refuted.hover()
        assert tip.is_visible() and "I moved to Porto." in tip.inner_text()
        page.mouse.move(0, 0)
        refuted.focus()
        assert tip.is_visible()
        assert "You live in Porto" in page.locator("section[aria-labelledby=corrected]").inner_text()
        assert page.locator("section[aria-labelledby=flags] mark.flag").count() >= 3
        picture(page, "inspector")


def test_a_memory_and_the_timeline(site: Site, picture: Callable[..., Path]):
    with site.visit() as page:
        site.open(page, f"memory?user={site.user}")
        picture(page, "memory")
        page.get_by_role("link", name="I moved to Porto.").click()
        assert "I live in Lisbon." in page.locator("section[aria-labelledby=history]").inner_text()
        picture(page, "provenance")
        page.get_by_role("link", name="Timeline").click()
        drawing = page.get_by_role("img", name="What was true when")
        assert drawing.is_visible()
        assert "Lisbon from 2024-02-12 until 2025-05-02" in drawing.locator("desc").text_content()
        picture(page, "timeline")


def test_the_dashboard(site: Site, picture: Callable[..., Path]):
    for words in (ANSWER, "You work at Globex. You are allergic to peanuts.", "You have two cats."):
        site.gw.verify(words, user=site.user, tenant="demo")
    with site.visit() as page:
        for query in ("cats", "where do I live", "allergies"):
            site.open(page, f"memory?user={site.user}&q={query}")
        site.open(page, "timeline")
        site.open(page, f"dashboard?user={site.user}")
        for name in ("Decisions of the write gate over time", "Candidates by outcome", "Reliability of mini"):
            assert page.get_by_role("img", name=name).is_visible()
        picture(page, "dashboard")


# ── colours, narrow screens, hostile words ──────────────────────────────────────────────────────

GROUND = "getComputedStyle(document.body).backgroundColor"


def choose(page: Any, theme: str) -> None:
    page.get_by_role("button", name=f"Change to {theme}").click()
    open_playwright().expect(page.locator("html")).to_have_attribute("data-theme", theme)


def test_dark_by_preference_and_by_choice(site: Site, picture: Callable[..., Path]):
    with site.visit(color_scheme="dark") as page:
        dark = page.evaluate(GROUND)
        site.open(page, f"timeline?user={site.user}")
        picture(page, "dark")
    with site.visit(color_scheme="light") as page:
        light = page.evaluate(GROUND)
        assert light != dark
        choose(page, "dark")
        assert page.evaluate(GROUND) == dark
        page.reload()
        assert page.evaluate(GROUND) == dark
    with site.visit(color_scheme="dark") as page:
        choose(page, "dark")
        choose(page, "light")
        assert page.evaluate(GROUND) == light


@pytest.mark.parametrize("page_name", ["review", "item", "inspect", "memory", "timeline", "dashboard", "long"])
def test_nothing_is_wider_than_a_narrow_screen(site: Site, page_name: str, picture: Callable[..., Path]):
    path = {"item": f"review/{site.items['heard']}", "long": f"review/{site.items['long']}"}.get(page_name, page_name)
    with site.visit(viewport={"width": 390, "height": 844}) as page:
        site.open(page, f"{path}?user={site.user}")
        if page_name == "inspect":
            page.get_by_label("Answer").fill(f"{ANSWER} {'W' * 300}")
            page.get_by_role("button", name="Inspect").click()
            page.get_by_role("heading", name="What it claims").wait_for()
        assert overflow(page) <= 0
        if page_name in ("review", "dashboard"):
            picture(page, f"narrow-{page_name}")


@pytest.mark.parametrize("page_name", ["review", "item", "memory", "timeline", "dashboard"])
def test_names_and_texts_without_an_end_keep_to_a_narrow_screen(site: Site, page_name: str):
    item = site.gw.reviews(ENDLESS, "demo").pending()[0].queue_id
    with site.visit(viewport={"width": 390, "height": 844}) as page:
        site.open(page, f"{f'review/{item}' if page_name == 'item' else page_name}?user={ENDLESS}")
        assert overflow(page) <= 0
        if page_name == "memory":
            tallest = page.locator(".memory .said").evaluate_all("all => Math.max(...all.map(one => one.offsetHeight))")
            assert tallest < 150  # two hundred empty lines are no reason to scroll past


def test_a_script_in_a_memory_is_words(site: Site, picture: Callable[..., Path]):
    with site.visit() as page:
        site.open(page, f"memory?user={site.user}")
        page.get_by_role("link", name="My motto is").click()
        assert page.locator(".claim").inner_text() == SCRIPT
        assert page.title() == "Memory · Groundwire"
        picture(page, "hostile")


def test_five_thousand_characters_do_not_break_the_page(site: Site, picture: Callable[..., Path]):
    assert len(LONG) >= 5_000
    with site.visit() as page:
        site.open(page, f"review?user={site.user}")
        assert overflow(page) <= 0
        site.open(page, f"review/{site.items['long']}?user={site.user}")
        claim = page.locator(".claim")
        assert claim.inner_text() == LONG
        assert overflow(page) <= 0 and claim.bounding_box()["height"] < 500
        picture(page, "long", whole=False)


def test_every_field_has_a_label_and_every_page_its_landmarks(site: Site):
    with site.visit() as page:
        for path in ("review", f"review/{site.items['long']}", "inspect", "memory", "timeline", "dashboard"):
            site.open(page, f"{path}?user={site.user}")
            unnamed = page.evaluate(
                "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]"
                ".filter(e => !e.labels.length).map(e => e.outerHTML)"
            )
            assert unnamed == [], path
            assert page.get_by_role("main").count() == 1 and page.get_by_role("banner").count() == 1
            assert page.locator("h1").count() == 1
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.className") == "skip"
