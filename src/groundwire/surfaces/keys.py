"""The commands under `keys`: who may ask the service, for whom, and what for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import click

from groundwire.surfaces.calls import Setup, write_output
from groundwire.surfaces.fields import check_name
from groundwire.surfaces.records import describe_time
from groundwire.surfaces.responses import JsonObject, write_json
from groundwire.surfaces.stores import DEFAULT_TENANT, find_id, store_option
from groundwire.types.access import Credential, Issued, Role

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.memory.keyring import Keyring

_ROLES = click.Choice([role.value for role in Role])
_HOW = "Give --store FILE, or set GROUNDWIRE_STORE, or store in the settings file."


def json_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


@click.group("keys")
def keys() -> None:
    """Make, list and revoke the keys of the service.

    A key belongs to a tenant and covers one user or everybody of it. Roles are
    separate: read, propose, review and admin include none of each other. The
    key that proposed a memory never approves it, whatever its roles.

    \b
    In:   create NAME, list, or revoke KEY_ID
    Out:  the new key once, or what is known of keys; with --json an object

    \b
    Examples:
      groundwire keys create agent --role propose --role read --user ada
      groundwire keys list --store memory.db
      groundwire keys revoke key_1f2e3d4c5b6a7988
    """


@keys.command("create")
@click.argument("name")
@store_option
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([role.value for role in Role]),
    required=True,
    help="Repeat for more.",
)
@click.option("--user", metavar="NAME", help="The only user that it covers.")
@click.option("--all-users", is_flag=True, help="It covers everybody of the tenant.")
@click.option("--tenant", default=DEFAULT_TENANT, show_default=True, metavar="NAME", help="The tenant it belongs to.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="SOURCE",
    help="A source that it may claim for a memory; repeat for more. As serve_sources says if left out; any for admin.",
)
@json_option
@click.pass_obj
def create(
    setup: Setup,
    name: str,
    roles: tuple[str, ...],
    user: str | None,
    all_users: bool,
    tenant: str,
    sources: tuple[str, ...],
    as_json: bool,
) -> None:
    """Make a key and print it, this once.

    \b
    Out:  the key on standard output, what it covers on standard error;
          with --json {"token", "key": {"id", "name", "tenant", ...}}

    \b
    Examples:
      groundwire keys create agent --role propose --role read --user ada
      groundwire keys create desk --role review --all-users --store memory.db
      groundwire keys create app --role propose --user ada --source user
    """
    if (user is None) != all_users:
        raise click.UsageError("Say whom it covers: --user NAME or --all-users, one of them.")
    chosen = [Role(role) for role in roles]
    allowed: Sequence[str] | None = sources or setup.settings.serve_sources
    if Role.ADMIN in chosen and not sources:
        allowed = None
    made = open_keyring(setup, may_be_new=True).create(
        check_name(name, "name"),
        roles=chosen,
        tenant=check_name(tenant, "tenant"),
        owner=None if user is None else check_name(user, "user"),
        sources=allowed,
    )
    if as_json:
        write_output(write_json({"token": made.token, "key": describe_key(made.credential)}) + "\n")
        return
    click.echo(_tell(made), err=True)
    click.echo(made.token)


@keys.command("list")
@store_option
@click.option("--tenant", metavar="NAME", help="Only those of this tenant.")
@json_option
@click.pass_obj
def list_(setup: Setup, tenant: str | None, as_json: bool) -> None:
    """List keys, the revoked ones as well; secrets are kept nowhere.

    \b
    Out:  {"keys": [{"id", "name", "tenant", "user", "roles", "sources",
          "created_at", "last_used", "revoked_at"}]}

    \b
    Examples:
      groundwire keys list --store memory.db
      groundwire keys list --tenant acme --json
    """
    found = open_keyring(setup).list(tenant)
    if as_json:
        write_output(write_json({"keys": [describe_key(credential) for credential in found]}) + "\n")
        return
    write_output("".join(f"{_summarise(credential)}\n" for credential in found) or "no keys\n")


@keys.command("revoke")
@click.argument("key_id")
@store_option
@json_option
@click.pass_obj
def revoke(setup: Setup, key_id: str, as_json: bool) -> None:
    """Revoke a key, at once and for good.

    KEY_ID is its id or the beginning of it.

    \b
    Examples:
      groundwire keys revoke key_1f2e3d4c5b6a7988 --store memory.db
    """
    keyring = open_keyring(setup)
    id = find_id(check_name(key_id, "key_id"), [credential.id for credential in keyring.list()], "keys")
    credential = keyring.revoke(id)
    write_output(f"{write_json(describe_key(credential)) if as_json else _summarise(credential)}\n")


def open_keyring(setup: Setup, *, may_be_new: bool = False) -> Keyring:
    from groundwire.surfaces.stores import is_there

    path = setup.store_path
    if not path:
        raise click.UsageError(f"No store is named. {_HOW}")
    if not may_be_new and not is_there(path):
        raise click.UsageError(f"There is no store '{path}'. 'groundwire keys create' makes one.")
    setup.uses_store = True
    return cast("Groundwire", setup.library).keys()


def describe_key(credential: Credential) -> JsonObject:
    return {
        "id": credential.id,
        "name": credential.name,
        "tenant": credential.tenant,
        "user": credential.owner,
        "roles": sorted(credential.roles),
        "sources": None if credential.sources is None else sorted(credential.sources),
        "created_at": describe_time(credential.created_at),
        "last_used": describe_time(credential.last_used),
        "revoked_at": describe_time(credential.revoked_at),
    }


def _tell(made: Issued) -> str:
    return f"{_summarise(made.credential)}\nThe key is shown this once:"


def _summarise(credential: Credential) -> str:
    whom = "everybody" if credential.owner is None else credential.owner
    sources = "any source" if credential.sources is None else f"sources {', '.join(sorted(credential.sources))}"
    used = "never used" if credential.last_used is None else f"used {credential.last_used:%Y-%m-%d}"
    state = f"REVOKED {credential.revoked_at:%Y-%m-%d}" if credential.revoked_at is not None else used
    roles = ", ".join(sorted(credential.roles))
    return f"{credential.id}  {credential.name}: {roles} of {whom} in {credential.tenant}; {sources}; {state}"
