"""The console mounted: which address leads where, who may go there, and what every request has to pass first."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from groundwire.errors import GroundwireError, NotFound, NotPermitted, NotRecognised
from groundwire.surfaces.console import dashboard, inspector, memories, reviews
from groundwire.surfaces.console.drawing import ASSETS
from groundwire.surfaces.console.sessions import Notice, Sessions
from groundwire.surfaces.console.visits import BASE, COOKIE, PLACES, THEMES, Visit, read_form
from groundwire.surfaces.rest.callers import Caller
from groundwire.surfaces.rest.service import Service
from groundwire.types.access import Role

if TYPE_CHECKING:
    from fastapi import FastAPI

Show = Callable[[Visit], Response]
Endpoint = Callable[[Request], Awaitable[Response]]
_ADDRESS = re.compile(r"(?:/[\w%.~-]+)+/?")
_STALE = "this form is not from a page of yours, or from before a restart; go back, load the page again and repeat it"
_ROUTES: tuple[tuple[str, str, Show, tuple[Role, ...]], ...] = (
    ("GET", "/review", reviews.show_queue, (Role.REVIEW,)),
    ("GET", "/review/{id}", reviews.show_item, (Role.REVIEW,)),
    ("POST", "/review/{id}/approve", reviews.approve, (Role.REVIEW,)),
    ("POST", "/review/{id}/edit", reviews.edit, (Role.REVIEW,)),
    ("POST", "/review/{id}/reject", reviews.reject, (Role.REVIEW,)),
    ("GET", "/inspect", inspector.show_form, (Role.READ,)),
    ("POST", "/inspect", inspector.inspect, (Role.READ,)),
    ("GET", "/memory", memories.show_list, (Role.READ,)),
    ("GET", "/memory/{id}", memories.show_memory, (Role.READ,)),
    ("GET", "/timeline", memories.show_timeline, (Role.READ,)),
    ("GET", "/dashboard", dashboard.show_dashboard, (Role.READ,)),
)


def install(app: FastAPI, service: Service) -> None:
    """Mount the console, and lead whoever opens the bare address to it."""
    app.mount(BASE, name_routes(make_console(service)))

    async def lead(request: Request) -> Response:
        return RedirectResponse(f"{BASE}/", 307)

    app.add_route("/", lead, include_in_schema=False)


def name_routes(console: ASGIApp) -> ASGIApp:
    """Tell the journal and the metrics of a mounted page by its whole address."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await console(scope, receive, send)
        finally:
            path = getattr(scope.get("route"), "path", "")
            scope["route"] = SimpleNamespace(path=f"{BASE}{path}")

    return serve


def make_console(service: Service) -> Starlette:
    console = _Console(service, Sessions(service.clock))
    routes = [
        Route("/", console.serve(_start), methods=["GET"]),
        Route("/sign-in", console.serve_openly(_show_sign_in), methods=["GET"]),
        Route("/sign-in", console.sign_in, methods=["POST"]),
        Route("/sign-out", console.serve_openly(_sign_out), methods=["POST"]),
        Route("/theme", console.serve_openly(_set_theme), methods=["POST"]),
        *(Route(path, console.serve(show, *roles), methods=[method]) for method, path, show, roles in _ROUTES),
        Mount("/assets", _Assets(directory=ASSETS)),
    ]

    async def miss(request: Request, error: Exception) -> Response:
        visit = await console.receive(request)
        status = error.status_code if isinstance(error, HTTPException) else 404
        response = visit.refuse(NotFound("page", request.url.path[:200]))
        response.status_code = status
        return response

    return Starlette(routes=routes, exception_handlers={404: miss, 405: miss})


class _Assets(StaticFiles):
    """Style, script and mark; they are what their names say and are asked for again when they change."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update({"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache"})
        return response


class _Console:
    def __init__(self, service: Service, sessions: Sessions) -> None:
        self._service = service
        self._sessions = sessions

    async def receive(self, request: Request) -> Visit:
        """Who asks: the key behind the session is looked up every time, so that revoking it ends the session."""
        name = request.cookies.get(COOKIE, "")
        session = self._sessions.find(name)
        if session is None:
            return Visit(request, self._sessions, name if 40 <= len(name) <= 64 else self._sessions.make_name())
        try:
            credential = await self._service.look_up(session.credential_id)
        except NotRecognised:
            self._sessions.close(name)
            return Visit(request, self._sessions, name)
        request.state.credential = credential
        return Visit(request, self._sessions, name, session, Caller(self._service, credential))

    def serve(self, show: Show, *roles: Role) -> Endpoint:
        """For those who have signed in with a key that has any of these roles, within its rate."""

        async def endpoint(request: Request) -> Response:
            visit = await self.receive(request)
            if visit.caller is None:
                return visit.go("sign-in")
            try:
                self._service.admit(visit.caller.credential)
                if roles:
                    visit.caller.require(*roles)
                checked = await self._check_form(visit)
                return await self._service.run(lambda: show(checked))
            except GroundwireError as error:
                return visit.refuse(error)

        return endpoint

    def serve_openly(self, show: Show) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            visit = await self.receive(request)
            try:
                return show(await self._check_form(visit))
            except GroundwireError as error:
                return visit.refuse(error)

        return endpoint

    async def _check_form(self, visit: Visit) -> Visit:
        if visit.request.method != "POST":
            return visit
        form = await read_form(visit.request)
        if not self._sessions.is_token_of(visit.request.cookies.get(COOKIE, ""), form.get("token", "")):
            raise NotPermitted(_STALE)
        return Visit(visit.request, visit.sessions, visit.name, visit.session, visit.caller, form)

    async def sign_in(self, request: Request) -> Response:
        visit = await self.receive(request)
        try:
            visit = await self._check_form(visit)
            recognised = await self._service.recognise(visit.form.get("key", "").strip())
            credential = await self._service.look_up(recognised.id)  # a second ago may be too long ago
            self._service.admit(credential)
        except NotRecognised as error:
            return visit.show("sign_in.html", code=401, error=str(error))
        except GroundwireError as error:
            return visit.refuse(error)
        self._sessions.close(visit.name)
        name = self._sessions.open(credential.id)
        return Visit(request, self._sessions, name).go("", Notice(f"Signed in as {credential.name}."))


def _start(visit: Visit) -> Response:
    """To the first page that the key may see."""
    for place, _, roles in PLACES:
        if visit.has_any(*roles):
            return visit.go(place)
    return visit.show("nothing.html")


def _show_sign_in(visit: Visit) -> Response:
    if visit.caller is not None:
        return visit.go("")
    return visit.show("sign_in.html", error="", has_ended=visit.sessions.was_opened(visit.name))


def _sign_out(visit: Visit) -> Response:
    visit.sessions.close(visit.name)
    return Visit(visit.request, visit.sessions, visit.sessions.make_name()).go("sign-in")


def _set_theme(visit: Visit) -> Response:
    """Back to where it was chosen; an address that is none of ours is not followed."""
    theme, back = visit.form.get("theme", ""), visit.form.get("back", "")
    place = (
        back.removeprefix(f"{BASE}/") if back.startswith(f"{BASE}/") and "//" not in back and "\\" not in back else ""
    )
    return visit.set_theme(visit.go(place), theme if theme in THEMES else THEMES[0])
