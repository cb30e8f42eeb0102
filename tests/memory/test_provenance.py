"""Citations that are looked up: commits, decision records, issues, and what is remembered about them."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import InvalidSettings
from groundwire.memory.addresses import AnyAddress
from groundwire.memory.commits import CommitChecker
from groundwire.memory.fetching import Fetcher
from groundwire.memory.provenance import CitationCache, CitationChecker, CitationVerifier
from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.memory.records import RecordChecker
from groundwire.memory.trackers import IssueChecker, Tracker, TrackerKind
from groundwire.types import Citation, CitationType, Span
from web_server import Reply, WebServer, serve

VERIFIED, NOT_FOUND, UNREACHABLE = CitationStatus.VERIFIED, CitationStatus.NOT_FOUND, CitationStatus.UNREACHABLE


def git(folder: Path, *arguments: str, text: str | None = None) -> str:
    who = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "tag.gpgsign=false",
    ]
    command = ["git", *who, "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, input=text).stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("a")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Use PostgreSQL for orders\n\nIt was the only candidate with partial indexes.")
    git(folder, "tag", "-a", "v1", "-m", "one")
    return folder


def commit(name: str) -> Citation:
    return Citation(CitationType.COMMIT, Span(0, len(name)), name)


def look_up(repository: Path, name: str) -> CitationCheck:
    return CommitChecker(repository).check(commit(name), "u1")


# ── commits ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ING-019")
def test_a_commit_or_an_annotated_tag_of_one_is_verified(repository: Path) -> None:
    head, tag = git(repository, "rev-parse", "HEAD"), git(repository, "rev-parse", "v1")
    assert tag != head
    for name in (head, head[:7], head[:12].upper(), tag):
        assert look_up(repository, name).valid, name


@pytest.mark.requirement("ING-019")
def test_trees_blobs_and_inventions_are_not_found(repository: Path) -> None:
    for name in (git(repository, "rev-parse", "HEAD^{tree}"), git(repository, "rev-parse", "HEAD:a.txt"), "a1b2c3d4e5"):
        assert look_up(repository, name).status is NOT_FOUND, name


@pytest.mark.requirement("ING-019")
def test_an_ambiguous_short_hash_is_unreachable(tmp_path: Path) -> None:
    """Blobs are cheap: enough of them share their first seven digits sooner or later, so the pair is made by hand."""
    git(tmp_path, "init", "-q")
    seen: dict[str, int] = {}
    import hashlib

    number = 0
    while True:
        content = f"{number}"
        short = hashlib.sha1(f"blob {len(content)}\0{content}".encode()).hexdigest()[:7]
        if short in seen:
            break
        seen[short] = number
        number += 1
    for content in (str(seen[short]), str(number)):
        git(tmp_path, "hash-object", "-w", "--stdin", text=content)
    check = look_up(tmp_path, short)
    assert (check.status, check.reason) == (UNREACHABLE, "the short hash is ambiguous")


@pytest.mark.requirement("SEC-007")
@pytest.mark.parametrize(
    "name", ["HEAD", "--version", "v1", "a1b2c3d; touch x", "a1b2c3d\nHEAD", "", "main", "../../x"]
)
def test_only_hexadecimal_names_reach_git(repository: Path, name: str) -> None:
    checker = CommitChecker(repository, git="/nonexistent/git")
    assert checker.check(commit(name), "u1").status is NOT_FOUND


@pytest.mark.requirement("SEC-007")
def test_git_gets_a_list_of_arguments_a_fixed_folder_a_time_limit_and_no_network(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[object, dict[str, object]]] = []
    real = subprocess.run

    def watch(command: object, **options: object) -> object:
        seen.append((command, options))
        return real(command, **options)  # pyright: ignore

    monkeypatch.setattr(subprocess, "run", watch)
    assert look_up(repository, "a1b2c3d4e5f6").status is NOT_FOUND
    assert seen
    for command, options in seen:
        assert isinstance(command, list)
        assert command[command.index("-C") + 1] == str(repository)
        assert "protocol.allow=never" in command
        assert options["timeout"] == 5.0
        assert "shell" not in options
        assert options["env"]["GIT_NO_LAZY_FETCH"] == "1"  # pyright: ignore


def test_a_branch_with_the_name_of_a_hash_does_not_verify_it(repository: Path) -> None:
    git(repository, "branch", "abcdef1234")
    assert look_up(repository, "abcdef1234").status is UNREACHABLE


def test_without_git_or_repository_nothing_is_known(tmp_path: Path, repository: Path) -> None:
    assert CommitChecker(repository, git="/nonexistent/git").check(commit("a1b2c3d"), "u1").status is UNREACHABLE
    assert look_up(tmp_path, "a1b2c3d").status is UNREACHABLE
    assert look_up(tmp_path / "missing", "a1b2c3d").status is UNREACHABLE


def test_a_slow_git_is_unreachable(tmp_path: Path, repository: Path) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    check = CommitChecker(repository, git=str(slow), timeout_s=0.1).check(commit("a1b2c3d"), "u1")
    assert (check.status, check.reason) == (UNREACHABLE, "git took too long")


def test_what_a_shallow_clone_left_out_cannot_be_denied(repository: Path, tmp_path: Path) -> None:
    git(repository, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "clone")
    older = git(repository, "rev-parse", "HEAD~1")
    assert look_up(tmp_path / "clone", older).status is UNREACHABLE
    assert look_up(tmp_path / "clone", git(repository, "rev-parse", "HEAD")).valid


def test_the_message_of_a_commit_is_what_it_says(repository: Path) -> None:
    name = git(repository, "rev-list", "--max-parents=0", "HEAD")
    check = CommitChecker(repository).check(commit(name), "u1", with_content=True)
    assert check.content is not None
    assert check.content.startswith("Use PostgreSQL for orders")


# ── decision records ────────────────────────────────────────────────────────────────────────────


def record(number: str) -> Citation:
    return Citation(CitationType.ADR, Span(0, 7), f"ADR-{number}")


def make_records(root: Path, *names: str, folder: str = "docs/adrs") -> Path:
    home = root / folder
    home.mkdir(parents=True, exist_ok=True)
    for name in names:
        (home / name).write_text(f"# {name}\n")
    return root


@pytest.mark.requirement("ING-020")
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("ADR-003-use-postgresql.md", "003"),
        ("ADR-0012-event-bus.md", "012"),
        ("ADR-12-event-bus.md", "012"),
        ("ADR-003.md", "003"),
        ("adr-7-x.md", "007"),
        ("0021-limits.md", "021"),
    ],
)
def test_a_record_is_found_by_its_number(tmp_path: Path, name: str, number: str) -> None:
    checker = RecordChecker(make_records(tmp_path, name))
    assert checker.check(record(number), "u1").valid
    assert checker.check(record("120"), "u1").status is NOT_FOUND


@pytest.mark.requirement("ING-020")
def test_folder_and_pattern_of_the_records_can_be_chosen(tmp_path: Path) -> None:
    make_records(tmp_path, "decision-5.txt", folder="notes")
    checker = RecordChecker(tmp_path, ("notes",), r"decision-(?P<number>\d+)\.txt")
    assert checker.check(record("005"), "u1").valid
    assert not RecordChecker(tmp_path).check(record("005"), "u1").valid


@pytest.mark.parametrize("name", ["ADR-0030-x.md", "notes-003.md", "ADR-003-x.exe", "2003-01-02-note.md", "ADR-x.md"])
def test_other_files_are_no_such_record(tmp_path: Path, name: str) -> None:
    checker = RecordChecker(make_records(tmp_path, name))
    assert [checker.check(record(number), "u1").status for number in ("003", "2003")] == [NOT_FOUND, NOT_FOUND]


@pytest.mark.requirement("SEC-008")
def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "ADR-009-secret.md").write_text("secret")
    root = make_records(tmp_path / "root", "ADR-001-a.md")
    (root / "docs/adrs/ADR-009-link.md").symlink_to(outside / "ADR-009-secret.md")
    (root / "docs/adr").symlink_to(outside)
    assert RecordChecker(root).check(record("009"), "u1").status is NOT_FOUND
    assert RecordChecker(root, ("../outside",)).check(record("009"), "u1").status is NOT_FOUND
    assert RecordChecker(root).check(record("001"), "u1").valid


def test_a_missing_repository_proves_nothing(tmp_path: Path) -> None:
    assert RecordChecker(tmp_path / "missing").check(record("003"), "u1").status is UNREACHABLE


# ── issues ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def server() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def issue(number: str) -> Citation:
    return Citation(CitationType.ISSUE, Span(0, 3), number)


def make_issue_checker(server: WebServer, kind: TrackerKind, token: str | None = None) -> IssueChecker:
    tracker = Tracker(kind, "team/shop", server.base, token)
    return IssueChecker(tracker, Fetcher(AnyAddress(), time.monotonic), time.monotonic)


@pytest.mark.requirement("ING-021")
@pytest.mark.parametrize(
    ("kind", "home", "field"),
    [(TrackerKind.GITHUB, "/repos/team/shop", "number"), (TrackerKind.GITLAB, "/projects/team%2Fshop", "iid")],
)
def test_an_issue_is_asked_of_the_configured_tracker(
    server: WebServer, kind: TrackerKind, home: str, field: str
) -> None:
    found = json.dumps({field: 17, "title": "Crash", "body": "It crashes.", "description": "It crashes."}).encode()
    server.replies |= {home: Reply(), f"{home}/issues/17": Reply(200, found)}
    checker = make_issue_checker(server, kind)
    check = checker.check(issue("17"), "u1", with_content=True)
    assert (check.status, check.content) == (VERIFIED, "Crash\n\nIt crashes.")
    assert checker.check(issue("18"), "u1").status is NOT_FOUND


def test_a_project_that_the_tracker_does_not_show_proves_nothing(server: WebServer) -> None:
    assert make_issue_checker(server, TrackerKind.GITHUB).check(issue("17"), "u1").status is UNREACHABLE


@pytest.mark.parametrize("reply", [Reply(200, b"nonsense"), Reply(200, b'{"number": 3}'), Reply(500), Reply(301)])
def test_an_odd_answer_of_the_tracker_verifies_nothing(server: WebServer, reply: Reply) -> None:
    server.replies["/repos/team/shop/issues/17"] = reply
    assert make_issue_checker(server, TrackerKind.GITHUB).check(issue("17"), "u1").status is UNREACHABLE


def test_the_token_goes_to_the_tracker(server: WebServer) -> None:
    make_issue_checker(server, TrackerKind.GITHUB, "t0ken").check(issue("17"), "u1")
    assert server.asked[0][2]["Authorization"] == "Bearer t0ken"


def test_a_project_needs_an_owner() -> None:
    with pytest.raises(InvalidSettings, match="owner/name"):
        Tracker(TrackerKind.GITHUB, "shop")


# ── the verifier ────────────────────────────────────────────────────────────────────────────────


class Scripted:
    """Answers as told, and counts how often it was asked."""

    scope = "test"

    def __init__(self, status: CitationStatus) -> None:
        self.status = status
        self.asked: list[str] = []

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        self.asked.append(citation.id)
        return CitationCheck(citation, self.status, "as told", "content" if with_content else None)


class Broken:
    scope = ""

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        raise KeyError(citation.id)


def verify(text: str, checker: CitationChecker, kind: CitationType = CitationType.ADR) -> tuple[CitationCheck, ...]:
    return CitationVerifier({kind: checker}, time.monotonic).verify(text, "u1")


@pytest.mark.requirement("ING-017", "ING-021")
def test_without_a_checker_a_citation_is_unreachable_and_never_valid() -> None:
    text = "See ADR-003, commit a1b2c3d, https://a.org/x and issue #12."
    checks = CitationVerifier({}, time.monotonic).verify(text, "u1")
    assert [(check.status, check.valid) for check in checks] == [(UNREACHABLE, False)] * 4
    assert [check.reason for check in checks] == [
        "no repository is configured",
        "no repository is configured",
        "URL checks are switched off",
        "no issue tracker is configured",
    ]


@pytest.mark.requirement("ING-017")
@pytest.mark.parametrize("status", list(CitationStatus))
def test_only_what_was_verified_is_valid(status: CitationStatus) -> None:
    (check,) = verify("Per ADR-003 we use it", Scripted(status))
    assert (check.status, check.valid, check.reason) == (status, status is VERIFIED, "as told")


@pytest.mark.requirement("ING-022")
@pytest.mark.parametrize(("status", "kept_s"), [(VERIFIED, 24 * 3600), (NOT_FOUND, 600), (UNREACHABLE, 0)])
def test_results_are_kept_as_long_as_they_may_be_relied_on(status: CitationStatus, kept_s: int) -> None:
    now = 100.0

    def clock() -> float:
        return now

    checker = Scripted(status)
    verifier = CitationVerifier({CitationType.ADR: checker}, clock, cache=CitationCache(clock))
    verifier.verify("ADR-003", "u1")
    now += max(kept_s - 1, 0)
    verifier.verify("ADR-003", "u2")
    assert len(checker.asked) == (1 if kept_s else 2)
    now += 1
    verifier.verify("ADR-003", "u1")
    assert len(checker.asked) == (2 if kept_s else 3)


def test_what_is_kept_without_content_is_asked_again_for_it() -> None:
    checker = Scripted(VERIFIED)
    verifier = CitationVerifier({CitationType.ADR: checker}, time.monotonic)
    verifier.verify("ADR-003", "u1")
    assert verifier.verify("ADR-003", "u1", with_content=True)[0].content == "content"
    assert len(checker.asked) == 2


@pytest.mark.requirement("ING-022")
def test_checks_run_side_by_side_within_one_budget() -> None:
    import threading

    together = threading.Barrier(3, timeout=5)

    class Meeting:
        scope = ""

        def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
            together.wait()
            return CitationCheck(citation, VERIFIED, "met")

    checks = verify("ADR-001, ADR-002 and ADR-003", Meeting())
    assert [check.reason for check in checks] == ["met"] * 3


@pytest.mark.requirement("ING-022")
def test_what_is_not_back_in_time_is_unreachable() -> None:
    import threading

    release = threading.Event()

    class Stuck:
        scope = ""

        def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
            release.wait(10)
            return CitationCheck(citation, VERIFIED, "too late")

    verifier = CitationVerifier({CitationType.ADR: Stuck()}, time.monotonic, budget_s=0.05)
    try:
        (check,) = verifier.verify("ADR-003", "u1")
        assert (check.status, check.reason) == (UNREACHABLE, "it took too long")
    finally:
        release.set()


def test_a_checker_that_breaks_verifies_nothing() -> None:
    (check,) = verify("ADR-003", Broken())
    assert (check.status, check.reason) == (UNREACHABLE, "the check failed (KeyError)")


def test_the_same_thing_cited_twice_is_looked_up_once() -> None:
    checker = Scripted(VERIFIED)
    assert len(verify("ADR-003 and ADR-3 and adr 03", checker)) == 1
    assert checker.asked == ["ADR-003"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The page is filled with deadbeef", 0),
        ("Fixed in commit deadbeef", 1),
        ("My order 4f9a21c7 is late", 0),
        ("It broke with 4f9a21c7", 1),
    ],
)
def test_a_word_or_an_order_number_that_is_no_commit_is_no_false_citation(text: str, count: int) -> None:
    assert len(verify(text, Scripted(NOT_FOUND), CitationType.COMMIT)) == count
    assert len(verify(text, Scripted(VERIFIED), CitationType.COMMIT)) == 1, "what exists is a citation all the same"
