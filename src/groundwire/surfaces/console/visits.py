"""One request of a person: what their browser sent, who they are, and what they are answered with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from groundwire.errors import GroundwireError, InvalidInput, NotPermitted
from groundwire.surfaces.console.drawing import draw_page
from groundwire.surfaces.console.sessions import Notice, Session, Sessions
from groundwire.surfaces.fields import check_name
from groundwire.surfaces.rest.callers import Caller
from groundwire.surfaces.rest.problems import describe
from groundwire.types.access import OwnerSummary, Role

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.types import Scope

Result = TypeVar("Result")
BASE = "/console"
COOKIE, THEME_COOKIE = "groundwire_session", "groundwire_theme"
THEMES = ("auto", "light", "dark")
_YEAR = 365 * 24 * 3_600
_MOST_FIELDS = 64
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
PLACES: tuple[tuple[str, str, tuple[Role, ...]], ...] = (
    ("review", "Review", (Role.REVIEW,)),
    ("inspect", "Inspector", (Role.READ,)),
    ("memory", "Memory", (Role.READ,)),
    ("timeline", "Timeline", (Role.READ,)),
    ("dashboard", "Dashboard", (Role.READ,)),
)
"""Where one may go, and the roles of which one is needed."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody's request. `caller` is None for those who have not signed in."""

    request: Request
    sessions: Sessions
    name: str
    session: Session | None = None
    caller: Caller | None = None
    form: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def asker(self) -> Caller:
        """The caller of a page that nobody reaches without signing in."""
        if self.caller is None:
            raise NotPermitted("sign in first")
        return self.caller

    @property
    def gw(self) -> Groundwire:
        return self.asker.service.gw

    def time(self, operation: str, action: Callable[[], Result]) -> Result:
        """Call the facade, and count how long that took, as REST does."""
        return self.asker.service.time(operation, action)

    def asked(self, name: str) -> str:
        """A field of the form, or else of the address; empty where it is in neither."""
        return self.form.get(name) or self.request.query_params.get(name) or ""

    def has_any(self, *roles: Role) -> bool:
        return self.caller is not None and self.caller.credential.has_any(roles)

    # ── whose memories ──────────────────────────────────────────────────────────────────────────

    def choose_owner(self) -> str | None:
        """Whom the address names, the key covers, or somebody looked at last; None if that says nothing."""
        named = self.asked("user").strip()
        if named:
            self.sessions.choose_owner(self.name, check_name(named, "user"))
            return named
        return self.asker.credential.owner or (self.session.owner if self.session is not None else None)

    def choose_scope(self) -> Scope | None:
        owner = self.choose_owner()
        return None if owner is None else self.asker.scope(owner)

    def need_scope(self) -> Scope:
        scope = self.choose_scope()
        if scope is None:
            raise InvalidInput("user", "is missing; say whose memories are meant")
        return scope

    def list_owners(self) -> list[OwnerSummary]:
        """Whom this key may choose from, with how much is kept and how much waits; only overseers are told."""
        credential = self.asker.credential
        if credential.owner is None and not self.has_any(Role.REVIEW, Role.ADMIN):
            return []
        found = self.gw.keys().list_owners(credential.tenant)
        return [one for one in found if credential.owner in (None, one.owner)]

    # ── answers ─────────────────────────────────────────────────────────────────────────────────

    def show(self, template: str, *, code: int = 200, **values: object) -> Response:
        here = template.partition(".")[0]
        theme = self.request.cookies.get(THEME_COOKIE, THEMES[0])
        words: dict[str, object] = {
            "base": BASE,
            "here": here,
            "places": [(place, label) for place, label, roles in PLACES if self.has_any(*roles)],
            "credential": None if self.caller is None else self.caller.credential,
            "token": self.sessions.token_for(self.name),
            "theme": theme if theme in THEMES else THEMES[0],
            "back": self.request.url.path if self.request.method == "GET" else f"{BASE}/",
            "notice": self.sessions.take_notice(self.name),
            "may_choose_owner": self.caller is not None and self.caller.credential.owner is None,
        }
        response = HTMLResponse(draw_page(template, {**words, **values}), code, HEADERS)
        return self._remember(response)

    def go(self, path: str, notice: Notice | None = None, **query: str) -> Response:
        if notice is not None:
            self.sessions.tell(self.name, notice)
        target = f"{BASE}/{path}" + (f"?{urlencode(query)}" if query else "")
        return self._remember(RedirectResponse(target, 303, HEADERS))

    def refuse(self, error: GroundwireError) -> Response:
        problem = describe(error)
        response = self.show("problem.html", code=problem.status, problem=problem, title="Not possible")
        response.headers.update({name: value for name, value in problem.headers.items() if name == "Retry-After"})
        return response

    def _remember(self, response: Response) -> Response:
        """The browser keeps the name it came with or was given; scripts never see it, nor do other sites."""
        if self.request.cookies.get(COOKIE) != self.name:
            is_secure = self.request.url.scheme == "https"
            response.set_cookie(COOKIE, self.name, path=BASE, httponly=True, samesite="strict", secure=is_secure)
        return response

    def set_theme(self, response: Response, theme: str) -> Response:
        is_secure = self.request.url.scheme == "https"
        response.set_cookie(
            THEME_COOKIE, theme, max_age=_YEAR, path=BASE, httponly=True, samesite="strict", secure=is_secure
        )
        return response


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a plain form; the first of several with one name. Anything else is refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise InvalidInput("form", "is not application/x-www-form-urlencoded")
    try:
        pairs = parse_qsl(
            (await request.body()).decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise InvalidInput("form", "cannot be read") from None
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value.replace("\r\n", "\n"))
    return fields
