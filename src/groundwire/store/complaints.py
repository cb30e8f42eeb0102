"""What a PostgreSQL server or its driver says, told apart for whoever has to do something about it.

By the codes of the standard wherever there is one. A server that refuses a connection gives none: there its words are
read, and shown where they are in no language that is known here. Neither ever holds a password.
"""

from __future__ import annotations

import re

from sqlalchemy.exc import DBAPIError, TimeoutError

from groundwire.errors import (
    GroundwireError,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)

_PASSWORD = re.compile(r"password authentication failed|authentication failed for user")
_NO_PASSWORD = re.compile(r"no password supplied")
_NO_DATABASE = re.compile(r'database "(?:[^"]|"")*" does not exist')
_NO_ROLE = re.compile(r'role "(?:[^"]|"")*" does not exist|is not permitted to log in|no pg_hba\.conf entry')
_CROWDED = re.compile(r"too many clients|too many connections|connection slots are reserved")
_NOT_READY = re.compile(r"system is (?:starting up|shutting down|in recovery mode|not yet accepting)")
_WHERE = re.compile(r"(?s)^.*?connection to server (?:on socket|at) .*? failed: ")
_TRY_AGAIN = "try again; nothing was half written"
_CONFLICT = frozenset({"40001", "40P01", "57014"})
_LOST = frozenset({"25P03", "25P04", "57P01", "57P02", "57P03", "57P05"})
_CREDENTIALS = "correct the address, the variable PGPASSWORD or the file ~/.pgpass"


def explain(error: DBAPIError | TimeoutError, name: str, seconds: float) -> GroundwireError:
    """By the first cause: undoing what failed can fail in turn, with an error that explains nothing."""
    if isinstance(error, TimeoutError):
        return StoreBusy(f"all connections to {name} were in use for {seconds:g} seconds", "try again")
    cause = _first_cause(error)
    code: str | None = getattr(cause, "sqlstate", None)
    if code is None:
        return _explain_driver(error, cause, name)
    if code == "55P03":
        return StoreBusy(f"{name} was in use by others for {seconds:g} seconds", _TRY_AGAIN)
    if code in _CONFLICT:
        return StoreBusy(f"{name} broke this off in favour of others ({_summarise(cause)})", _TRY_AGAIN)
    if code in _LOST or code.startswith("08"):
        return _lost(name)
    return _explain_code(code, _summarise(cause), name)


def _first_cause(error: DBAPIError) -> BaseException:
    causes: list[BaseException] = []
    current: BaseException | None = error
    while current is not None:
        if hasattr(current, "sqlstate"):
            causes.append(current)
        current = current.__context__
    return causes[-1] if causes else error


def _summarise(cause: BaseException) -> str:
    """The first line alone: what follows quotes rows."""
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]


def _explain_code(code: str, said: str, name: str) -> GroundwireError:
    match code:
        case "53100" | "53200":
            return StoreFull(f"there is no room left for {name}", "free some space on the server; " + _TRY_AGAIN)
        case "25006":
            return refuse_writing(name)
        case "42501":
            return StoreReadOnly(
                f"the role may not do this in {name} ({said})", "GRANT it what it needs, or use another"
            )
        case "XX001" | "XX002" | "42P01" | "42703":
            return StoreCorrupt(f"{name} is damaged ({said})", "restore a copy, or export what can still be read")
        case "53300":
            return _crowded(name)
        case _:
            return StoreUnavailable(f"{name} failed ({said})", "run: groundwire doctor")


def _explain_driver(error: DBAPIError, cause: BaseException, name: str) -> GroundwireError:
    said = _summarise(cause)
    if "NUL (0x00)" in said:
        return InvalidInput("text", "holds a NUL character")
    if error.connection_invalidated or error.statement is not None:
        return _lost(name) if error.connection_invalidated else StoreUnavailable(f"{name} failed ({said})", _TRY_AGAIN)
    return _explain_refusal(_WHERE.sub("", said), name)


def _explain_refusal(said: str, name: str) -> StoreUnavailable:
    said = said.removeprefix("FATAL:").strip()
    if _PASSWORD.search(said):
        return StoreUnavailable(f"{name} refused the name or the password", _CREDENTIALS)
    if _NO_PASSWORD.search(said):
        return StoreUnavailable(f"{name} wants a password, and none was given", _CREDENTIALS)
    if _NO_DATABASE.search(said):
        return StoreUnavailable(f"the database of {name} does not exist", "create it, or correct its name")
    if _NO_ROLE.search(said):
        return StoreUnavailable(f"{name} refused the connection ({said})", "check the user and the server's rules")
    if _CROWDED.search(said):
        return _crowded(name)
    if _NOT_READY.search(said):
        return StoreBusy(f"{name} is not ready ({said})", "try again in a moment")
    return StoreUnavailable(
        f"{name} cannot be reached ({said})", "check that the server runs and that host and port are right"
    )


def refuse_writing(name: str) -> StoreReadOnly:
    return StoreReadOnly(f"{name} is read-only", "name the primary server, and a role that may write")


def _lost(name: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"the connection to {name} was lost", "try again; whatever was not acknowledged may be missing"
    )


def _crowded(name: str) -> StoreBusy:
    return StoreBusy(f"{name} takes no more connections", "close some, or raise its max_connections")
