"""The service: REST under `/v1` over one `Groundwire`. Routes parse, call and render; nothing is decided here.

For whoever builds on it (the console, the proxy, an MCP endpoint):

* An extension is a function `install(app: FastAPI, service: Service) -> None` given to
  `create_app(gw, extensions=[install])`. It may `app.mount(...)` or `app.include_router(...)`. Extensions are installed
  after the routes of `/v1`; request ids, logging, metrics and the size limit already surround them. `groundwire
  serve` installs the console always, and the proxy where it has an upstream.
* Everything under a prefix in `doorkeeper.GUARDED` (`/v1`, `/openai`) needs `Authorization: Bearer TOKEN` (or
  `X-API-Key`): by the time a route there runs, `request.state.credential` is a `Credential` that was recognised and is
  within its rate. Other paths are not guarded: a console signs people in by itself, see below.
* `service = request.app.state.service` (a mounted application gets it from its `install`) has `service.gw` (the
  facade), `service.settings`, `service.metrics`, and `await service.run(action)`: the one thread hop for every call of
  the facade, with the time limit. Never call `service.gw` on the event loop.
* A browser session: `credential = await service.recognise(token)` when somebody signs in with a key (raises
  `NotRecognised`); keep `credential.id` in the session and not the token, and call `await service.look_up(id)` for
  every later request, so that revoking the key ends the session. `service.admit(credential)` counts the request
  against the key's rate and raises `RateLimited`.
* Who may do what: `Caller(service, credential)` has `caller.require(Role.REVIEW, …)` (any of them; `NotPermitted`),
  `caller.scope(user)` → `Scope` (the key's own owner where `user` is None; `NotPermitted` for anybody the key does not
  cover), `caller.name` (the actor of a decision), `credential.id` (what `credential=` of the facade is to be), and
  `caller.reviews(scope)` → the review queue with this caller as reviewer.
* In a FastAPI route: `caller: Annotated[Caller, Depends(allow(Role.READ))]`, from `callers`.
* Errors of the tree become problems (RFC 9457) through `problems.install(app)`; a console may render
  `problems.describe(error)` in its own way.
"""
