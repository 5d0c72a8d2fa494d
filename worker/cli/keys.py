"""`shardwater key`: API keys made, listed, rotated and revoked, in the queue's Redis.

A key's text goes to standard output once, alone, and nowhere else; commands name a key by its id.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from worker.access.callers import SCOPES
from worker.cli.console import Exit, input_errors, print_table, say, stop

if TYPE_CHECKING:
    from worker.access.api_keys import ApiKeys, Issued

keys = typer.Typer(help="Make, list, rotate and revoke API keys.", no_args_is_help=True)

NEVER = "never"
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}
_LIFE = re.compile(r"([1-9]\d{0,4})([dhm])", re.ASCII)
_OVERLAP = re.compile(r"(\d{1,5})([dhm])", re.ASCII)

Data = Annotated[Path | None, typer.Option(help="Folder of the databases, whose own queue has the keys.")]
Redis = Annotated[str | None, typer.Option("--redis", help="Redis or Valkey to use. Default: SHARDWATER_REDIS_URL.")]
KeyId = Annotated[str, typer.Argument(help="The key's id, as `list` shows it.")]


@contextmanager
def _stored(data: Path | None, redis: str | None) -> "Iterator[ApiKeys]":
    """The keys of a service: in its Redis, or in the embedded queue of its data folder, whether or not that runs."""
    from worker.access.api_keys import ApiKeys
    from worker.settings import Settings
    from worker.supervision.redis_loading import await_loaded
    from worker.supervision.valkey_lock import own_queue

    with input_errors(), _server_errors():
        settings = Settings.from_env().with_flags(data, redis)
        with settings.connect() if settings.redis_url else own_queue(settings.existing_data) as connection:
            await_loaded(connection)
            yield ApiKeys(connection)


@contextmanager
def _server_errors() -> Iterator[None]:
    from redis.exceptions import RedisError

    try:
        yield
    except RedisError as error:
        stop(f"the queue does not answer: {error}", Exit.SERVER)


@keys.command()
def create(
    name: Annotated[str, typer.Option(help="Whose it is; keys with the same name share their searches.")],
    scope: Annotated[list[str] | None, typer.Option(help=f"{', '.join(SCOPES)}; may be given again.")] = None,
    expires: Annotated[str, typer.Option(help="When it ends: 90d, 12h, 30m, or never.")] = "90d",
    data: Data = None,
    redis: Redis = None,
) -> None:
    """Make a key, and show it this once."""
    from worker.access.api_keys import OWNER

    if not OWNER.fullmatch(name):
        raise typer.BadParameter("1 to 128 letters of ASCII without blanks are needed", param_hint="--name")
    wanted = [known for known in SCOPES if known in (scope or ["search"])]
    if unknown := set(scope or ()) - set(SCOPES):
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(SCOPES)}", param_hint="--scope")
    life = None if expires == NEVER else _duration(expires, _LIFE, "--expires")
    with _stored(data, redis) as stored:
        _show(stored.create(name, wanted, life))


@keys.command("list")
def list_keys(data: Data = None, redis: Redis = None) -> None:
    """Show the keys there are, without their secrets."""
    with _stored(data, redis) as stored:
        rows = [
            (key.prefix, key.owner, " ".join(key.scopes), _shown(key.created), _shown(key.expires))
            for key in stored.all()
        ]
    print_table(("id", "name", "scopes", "created", "expires"), rows)


@keys.command()
def rotate(
    key: KeyId,
    overlap: Annotated[str, typer.Option(help="How long the old key goes on: 1d, 12h, 30m, 0m.")] = "1d",
    data: Data = None,
    redis: Redis = None,
) -> None:
    """Make a new key in an old one's place, which ends after an overlap."""
    lasting = _duration(overlap, _OVERLAP, "--overlap")
    with _stored(data, redis) as stored:
        issued = stored.rotate(key, lasting)
        say(f"The old key ends in {overlap}, or earlier if it was to.")
        _show(issued)


@keys.command()
def revoke(key: KeyId, data: Data = None, redis: Redis = None) -> None:
    """End a key at once. Its owner's searches stay."""
    with _stored(data, redis) as stored:
        gone = stored.revoke(key)
    say(f"{gone.prefix} of {gone.owner}: revoked")


def _show(issued: "Issued") -> None:
    key = issued.key
    say(f"{key.prefix} of {key.owner}: {' '.join(key.scopes)}, expires {_shown(key.expires)}. Shown this once:")
    typer.echo(issued.text)


def _shown(moment: datetime | None) -> str:
    return NEVER if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def _duration(text: str, form: re.Pattern[str], option: str) -> timedelta:
    found = form.fullmatch(text)
    if found is None:
        raise typer.BadParameter("a number of days, hours or minutes is needed, as 90d, 12h, 30m", param_hint=option)
    return timedelta(**{_UNITS[found[2]]: int(found[1])})
