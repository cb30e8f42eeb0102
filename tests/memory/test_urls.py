"""URL checks: what is asked, how far a redirect is followed, and which addresses are never connected to."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import Unreachable
from groundwire.memory.addresses import AnyAddress, PublicAddresses
from groundwire.memory.fetching import Fetcher, parse_target
from groundwire.memory.rates import RateLimit
from groundwire.memory.receipts import CitationStatus
from groundwire.memory.urls import UrlChecker, UrlOptions, read_page
from groundwire.types import Citation, CitationType, Span
from web_server import Reply, WebServer, serve

VERIFIED, NOT_FOUND, UNREACHABLE = CitationStatus.VERIFIED, CitationStatus.NOT_FOUND, CitationStatus.UNREACHABLE


class OnlyPort:
    """Lets one server of the test through and refuses everything else, as the real policy would."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[tuple[str, int]] = []

    def refuse(self, address: str, port: int) -> str | None:
        self.asked.append((address, port))
        return None if port == self.port else PublicAddresses().refuse(address, port)


@pytest.fixture
def server() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def cite(url: str) -> Citation:
    return Citation(CitationType.URL, Span(0, len(url)), url)


def make_checker(server: WebServer, **options: object) -> UrlChecker:
    fetcher = Fetcher(OnlyPort(server.port), time.monotonic)
    return UrlChecker(fetcher, time.monotonic, UrlOptions(**options))  # pyright: ignore[reportArgumentType]


@pytest.mark.requirement("ING-018")
@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, VERIFIED), (404, NOT_FOUND), (410, NOT_FOUND), (403, UNREACHABLE), (500, UNREACHABLE), (204, UNREACHABLE)],
)
def test_the_status_of_a_head_request_decides_and_is_named(
    server: WebServer, status: int, expected: CitationStatus
) -> None:
    server.replies["/page"] = Reply(status, b"")
    check = make_checker(server).check(cite(f"{server.base}/page"), "u1")
    assert (check.status, check.reason) == (expected, f"HTTP {status}")
    assert server.methods() == ["HEAD"]


@pytest.mark.requirement("ING-018")
@pytest.mark.parametrize("unknown", [405, 501])
def test_a_server_that_does_not_know_head_is_asked_for_a_piece(server: WebServer, unknown: int) -> None:
    server.replies |= {"HEAD /page": Reply(unknown, b""), "GET /page": Reply(206, b"part")}
    assert make_checker(server).check(cite(f"{server.base}/page"), "u1").status is VERIFIED
    assert server.methods() == ["HEAD", "GET"]
    assert server.asked[1][2]["Range"].startswith("bytes=0-")


@pytest.mark.requirement("SEC-005")
def test_redirects_are_followed_three_times_at_most(server: WebServer) -> None:
    for number in range(5):
        server.replies[f"/a{number}"] = Reply(302, b"", {"Location": f"/a{number + 1}"})
    server.replies["/a5"] = Reply()
    checker = make_checker(server)
    assert checker.check(cite(f"{server.base}/a2"), "u1").status is VERIFIED
    refused = checker.check(cite(f"{server.base}/a1"), "u1")
    assert (refused.status, refused.reason) == (UNREACHABLE, "it is redirected more than 3 times")


@pytest.mark.requirement("SEC-004", "SEC-005")
@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:1/x",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/x",
        "file:///etc/passwd",
        "ftp://example.org/x",
        "http://user:secret@127.0.0.1/x",
        "http://2130706433/",
    ],
)
def test_every_hop_is_checked_like_the_first(server: WebServer, location: str) -> None:
    server.replies["/a"] = Reply(301, b"", {"Location": location})
    assert make_checker(server).check(cite(f"{server.base}/a"), "u1").status is UNREACHABLE
    assert len(server.asked) == 1


@pytest.mark.requirement("SEC-005")
@pytest.mark.parametrize("location", ["/", "/login?next=/a", "/users/sign_in", "/sso/start"])
def test_a_redirect_to_the_front_page_or_a_login_verifies_nothing(server: WebServer, location: str) -> None:
    server.replies |= {"/docs/a": Reply(302, b"", {"Location": location}), location: Reply()}
    check = make_checker(server).check(cite(f"{server.base}/docs/a"), "u1")
    assert check.status is UNREACHABLE
    assert "front page or a login" in check.reason


def test_the_front_page_itself_may_be_cited(server: WebServer) -> None:
    server.replies |= {"/": Reply(301, b"", {"Location": "/start"}), "/start": Reply()}
    assert make_checker(server).check(cite(server.base), "u1").status is VERIFIED


@pytest.mark.requirement("SEC-005")
def test_a_redirect_from_https_to_http_is_refused_and_credentials_never_leave() -> None:
    class Redirecting(Fetcher):
        def fetch(self, method, target, deadline, headers=None):  # pyright: ignore
            from groundwire.memory.fetching import Answer

            return Answer(302, "http://example.org/b", "", b"")

    checker = UrlChecker(Redirecting(AnyAddress(), time.monotonic), time.monotonic)
    assert checker.check(cite("https://example.org/a"), "u1").reason == "HTTP 302: it leads from https to http"
    with pytest.raises(Unreachable, match="credentials"):
        parse_target("https://user:secret@example.org/a")


@pytest.mark.requirement("SEC-004")
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "fec0::1", "fe80::1%eth0", "localhost", "",
    ],
)  # fmt: skip
def test_no_address_behind_or_beside_the_public_network_is_allowed(address: str) -> None:
    assert PublicAddresses().refuse(address, 443) is not None


@pytest.mark.requirement("SEC-004", "SEC-006")
def test_public_addresses_are_allowed_on_the_two_ports_of_the_web() -> None:
    policy = PublicAddresses()
    public = ("93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101")
    assert [policy.refuse(address, port) for address in public for port in (80, 443)] == [None] * 10
    assert policy.refuse("1.1.1.1", 8080) == "port 8080 is not allowed"
    assert policy.refuse("1.1.1.1", 22) is not None


@given(st.ip_addresses(v=4))
def test_a_mapped_address_is_judged_like_the_plain_one(address: object) -> None:
    policy = PublicAddresses()
    assert (policy.refuse(str(address), 80) is None) == (policy.refuse(f"::ffff:{address}", 80) is None)


@pytest.mark.requirement("SEC-004")
def test_a_name_is_resolved_once_and_the_connection_goes_to_the_checked_address(server: WebServer) -> None:
    server.replies["/page"] = Reply()
    asked: list[str] = []

    def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    fetcher = Fetcher(OnlyPort(server.port), time.monotonic, resolve=resolve)
    answer = fetcher.fetch("HEAD", parse_target(f"http://docs.test:{server.port}/page"), time.monotonic() + 5)
    assert answer.status == 200
    assert asked == ["docs.test"]
    assert server.asked[0][2]["Host"] == f"docs.test:{server.port}"


@pytest.mark.requirement("SEC-004")
def test_one_private_address_among_several_refuses_the_name(server: WebServer) -> None:
    policy = PublicAddresses(ports=frozenset({server.port}))
    fetcher = Fetcher(policy, time.monotonic, resolve=lambda host, port: ["1.1.1.1", "127.0.0.1"])
    with pytest.raises(Unreachable, match="not public"):
        fetcher.fetch("HEAD", parse_target(f"http://docs.test:{server.port}/"), time.monotonic() + 5)
    assert server.asked == []


@pytest.mark.parametrize("url", ["http://", "https://[::1", "http://a b/", "http://a:99999/", "javascript:alert(1)"])
def test_what_is_no_web_address_is_unreachable(url: str, server: WebServer) -> None:
    assert make_checker(server).check(cite(url), "u1").status is UNREACHABLE


def test_a_server_that_sends_one_byte_at_a_time_runs_out_of_time() -> None:
    """Each byte comes in time for the socket; only the whole takes too long."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        with connection:
            while not stop.wait(0.02):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    try:
        fetcher = Fetcher(AnyAddress(), time.monotonic)
        started = time.monotonic()
        with pytest.raises(Unreachable):
            target = parse_target(f"http://127.0.0.1:{listener.getsockname()[1]}/")
            fetcher.fetch("GET", target, started + 0.3)
        assert time.monotonic() - started < 3
    finally:
        stop.set()
        thread.join()
        listener.close()


def test_a_dead_server_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    checker = UrlChecker(Fetcher(AnyAddress(), time.monotonic), time.monotonic)
    assert checker.check(cite(f"http://127.0.0.1:{port}/"), "u1").reason == "no connection could be made"


@pytest.mark.requirement("SEC-006")
def test_no_more_than_the_limit_is_read_or_unpacked(server: WebServer) -> None:
    server.replies |= {
        "/large": Reply(200, b"x" * 5_000_000),
        "/bomb": Reply(200, gzip.compress(b"\0" * 50_000_000), {"Content-Encoding": "gzip"}),
    }
    fetcher = Fetcher(AnyAddress(), time.monotonic)
    for path in ("/large", "/bomb"):
        answer = fetcher.fetch("GET", parse_target(server.base + path), time.monotonic() + 5)
        assert len(answer.body) == 1_000_000


@pytest.mark.requirement("SEC-006")
def test_a_host_and_a_user_may_be_checked_so_often_a_minute(server: WebServer) -> None:
    server.replies["/page"] = Reply()
    checker = make_checker(server, per_host_a_minute=2)
    found = [checker.check(cite(f"{server.base}/page"), f"u{number}").status for number in range(3)]
    assert found == [VERIFIED, VERIFIED, UNREACHABLE]
    checker = make_checker(server, per_user_a_minute=1)
    assert [checker.check(cite(f"{server.base}/page"), user).valid for user in ("u1", "u1", "u2")] == [
        True,
        False,
        True,
    ]


def test_a_minute_later_there_is_room_again() -> None:
    now = 0.0
    rates = RateLimit(1, lambda: now)
    assert [rates.take("a"), rates.take("a"), rates.take("b")] == [True, False, True]
    now = 60.0
    assert rates.take("a")


@pytest.mark.requirement("SEC-006")
def test_with_a_list_of_hosts_no_other_is_asked(server: WebServer) -> None:
    server.replies["/page"] = Reply()
    checker = make_checker(server, hosts=frozenset({"example.org"}))
    assert "not on the list" in checker.check(cite(f"{server.base}/page"), "u1").reason
    assert server.asked == []
    assert make_checker(server, hosts=frozenset({"127.0.0.1"})).check(cite(f"{server.base}/page"), "u1").valid


def test_a_page_is_read_as_a_person_sees_it(server: WebServer) -> None:
    page = "<!doctype html><title>Limits</title><script>x()</script><p>At most <b>100</b> a minute &amp; host.</p>"
    server.replies["/page"] = Reply(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})
    check = make_checker(server).check(cite(f"{server.base}/page"), "u1", with_content=True)
    assert check.content == "Limits\nAt most 100 a minute & host."
    assert read_page(b"plain\n\n text", "text/plain") == "plain\ntext"
    assert read_page("grüße".encode("latin-1"), "text/plain; charset=latin-1") == "grüße"
    assert read_page(b"x", "text/plain; charset=nonsense") == "x"
