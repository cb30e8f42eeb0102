"""The commands about models: which there are, whether they are whole, and how one is added."""

from __future__ import annotations

import click

from groundwire.surfaces.calls import Setup, write_output
from groundwire.surfaces.responses import write_json


@click.group("models", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def models(ctx: click.Context, as_json: bool) -> None:
    """List the models, those that judge and the one that finds, and check their files.

    Every file is compared with the SHA-256 in the model's manifest.

    \b
    Out:  {"folder", "models": [{"name", "version", "folder", "bytes",
          "fingerprint", "problem"}]}
    Exit status 1 when a model is damaged.

    \b
    Examples:
      groundwire models
      groundwire models install base weights/base
    """
    if ctx.invoked_subcommand is not None:
        return
    from groundwire.app import describe_models

    setup = ctx.find_object(Setup) or Setup()
    found = describe_models(setup.settings)
    if as_json:
        write_output(write_json(found) + "\n")
    else:
        for model in found["models"]:
            state = model["problem"] or f"whole, {model['bytes'] / 1e6:.1f} MB, {model['fingerprint']}"
            write_output(f"{model['name']}.v{model['version']:<4} {state}\n  {model['folder']}\n")
        write_output(f"models are installed under {found['folder']}\n")
    if any(model["problem"] for model in found["models"]):
        ctx.exit(1)


@models.command("install")
@click.argument("name")
@click.argument("source", required=False)
@click.pass_context
def install(ctx: click.Context, name: str, source: str | None) -> None:
    """Install the model NAME from SOURCE: a folder, a .zip, a .tar.gz or an https address.

    Left out, SOURCE is weights/NAME in the folder you are in, which is where a
    checkout of the project keeps it. Nothing is installed unless every file is
    what the manifest says. The network is used only for an https address.

    \b
    Examples:
      groundwire models install base
      groundwire models install base ~/Downloads/groundwire-base.tar.gz
    """
    from groundwire.app import install_model

    setup = ctx.find_object(Setup) or Setup()
    installed = install_model(name, source or f"weights/{name}", setup.settings)
    write_output(f"installed {installed}\n")
