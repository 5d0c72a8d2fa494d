"""The service's settings, read from the environment once; a bad value stops the start and names itself."""

import ctypes
import os
import re
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar
from urllib.parse import parse_qs, urlsplit

from shardwater.engines.schedules import SCHEDULES, ScheduleName
from shardwater.errors import AlignError
from shardwater.genomes.bounds import ComparisonBounds
from shardwater.pairs.lists import PairBounds
from worker.jobs.limits import Limits
from worker.jobs.quotas import CELLS_AN_HOUR, SCORE_BYTES_AN_HOUR, SEARCHES_AN_HOUR, Intake
from worker.telemetry.logs import LOG_FORMATS
from worker.uploads.limits import UploadLimits

if TYPE_CHECKING:
    from redis import Redis
    from redis.asyncio import Redis as AsyncRedis

    from worker.jobs.results.signing import Signer
    from worker.jobs.submission import Retention

CHOICES = {
    "SHARDWATER_LOG_LEVEL": ("debug", "info", "warning", "error"),
    "SHARDWATER_LOG_FORMAT": LOG_FORMATS,
    "SHARDWATER_AUTH": ("off", "keys", "proxy"),
    "SHARDWATER_SCHEDULE": SCHEDULES,
}

WORK = ".work"
"""The folder for what is written besides Redis, beside the embedded server's in the data folder."""
ANSWER_S = 5.0
"""How long Redis may take to answer."""
UNBOUNDED = ("SHARDWATER_MAX_STREAMS", "SHARDWATER_MAX_STREAMS_PER_OWNER")
"""Bounds of which 0 says that there is none."""

_USUAL, _USUAL_UPLOADS, _USUAL_PAIRS, _USUAL_COMPARISONS = Limits(), UploadLimits(), PairBounds(), ComparisonBounds()
_PR_SET_PDEATHSIG = 1
_KEY = re.compile(r"[!-~]{1,4096}")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:.]+\](:\d{1,5})?")
_HOST_NAME = re.compile(
    r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?", re.IGNORECASE | re.ASCII
)
_ROOT_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*", re.ASCII)
_DATABASE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_R = TypeVar("_R", "Redis", "AsyncRedis")


class SettingsError(AlignError):
    """An environment variable whose value will not do."""


MOST_WORKERS_PER_SHARD = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """What SHARDWATER_... variables say; the names are those of the fields, in capitals (docs/operations.md)."""

    redis_url: str = field(default="", repr=False)
    redis_password_file: str = ""
    signing_key_file: str = ""
    api_key: str = field(default="", repr=False)
    data: Path = Path("data")
    work: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    root_path: str = ""
    retention_s: int = 7 * 24 * 3600
    max_stored_bytes: int = 0
    job_timeout_s: int = 3600
    grace_s: int = 60
    max_queued_cells: int = 0
    threads: int = 0
    workers_per_shard: int = 1
    schedule: ScheduleName = SCHEDULES[0]
    supervisor: int = 0
    auth: str = "off"
    trusted_proxies: str = ""
    allowed_hosts: str = ""
    cors_origins: str = ""
    searches_per_hour: int = 0
    cells_per_hour: int = 0
    score_bytes_per_hour: int = 0
    uploads_per_hour: int = 0
    max_streams: int = 2000
    max_streams_per_owner: int = 200
    log_level: str = "warning"
    log_format: str = "text"
    organization: str = "not named"
    organization_url: str = "about:blank"
    links: str = ""
    colabfold_uniref: str = ""
    colabfold_env: str = ""
    max_body_bytes: int = _USUAL.max_body_bytes
    max_queries: int = _USUAL.max_queries
    max_query_length: int = _USUAL.max_query_length
    max_query_residues: int = _USUAL.max_query_residues
    max_hits: int = _USUAL.max_hits
    max_score_bytes: int = _USUAL.max_score_bytes
    max_profile_residues: int = _USUAL.max_profile_residues
    max_upload_bytes: int = _USUAL_UPLOADS.max_upload_bytes
    max_upload_records: int = _USUAL_UPLOADS.max_upload_records
    max_upload_letters: int = _USUAL_UPLOADS.max_upload_letters
    max_owner_uploads: int = _USUAL_UPLOADS.max_owner_uploads
    max_owner_upload_bytes: int = _USUAL_UPLOADS.max_owner_upload_bytes
    max_kept_upload_bytes: int = _USUAL_UPLOADS.max_kept_upload_bytes
    max_pairs: int = _USUAL_PAIRS.max_pairs
    max_pair_cells: int = _USUAL_PAIRS.max_pair_cells
    max_alignment_cells: int = _USUAL_PAIRS.max_alignment_cells
    max_comparison_letters: int = _USUAL_COMPARISONS.max_comparison_letters
    max_comparison_records: int = _USUAL_COMPARISONS.max_comparison_records
    max_kept_job_bytes: int = 100_000_000_000

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings of an environment; raises SettingsError."""
        values: dict[str, object] = {}
        for each in fields(cls):
            name = f"SHARDWATER_{each.name.upper()}"
            if name in environment:
                values[each.name] = _parse(name, environment[name], each.default)
        settings = cls(**values)  # type: ignore[arg-type]
        settings._check()
        return settings

    def _check(self) -> None:
        if self.api_key and not _KEY.fullmatch(self.api_key):
            # It is not repeated.
            raise SettingsError("SHARDWATER_API_KEY has characters that are in no key: blanks, line ends or others")
        """Raise SettingsError for what no reader of a single value can see."""
        proxies, _, _ = self.proxies, self.origins, self.hosts
        if self.auth == "proxy" and not proxies:
            raise SettingsError("SHARDWATER_AUTH is 'proxy': SHARDWATER_TRUSTED_PROXIES must name it")
        if not 1 <= self.workers_per_shard <= MOST_WORKERS_PER_SHARD:
            raise SettingsError(
                f"SHARDWATER_WORKERS_PER_SHARD is {self.workers_per_shard}: 1 to {MOST_WORKERS_PER_SHARD} are allowed"
            )
        if not _ROOT_PATH.fullmatch(self.root_path):
            raise SettingsError(f"SHARDWATER_ROOT_PATH is {self.root_path!r}: a path as /lab/search is needed")
        for name, value in self.stand_ins.items():
            if not _DATABASE.fullmatch(value):
                raise SettingsError(f"{name} is {value!r}: the name of a database is needed")
        if self.redis_url:
            self.connect().close()

    def with_flags(self, data: Path | None, redis: str | None) -> Self:
        """These with what a command line says in their place; raises SettingsError for a secret in it."""
        if redis and (urlsplit(redis).password or "password" in parse_qs(urlsplit(redis).query)):
            raise SettingsError(
                "--redis must not name a password, which the list of processes would show: set SHARDWATER_REDIS_URL, "
                "or SHARDWATER_REDIS_PASSWORD_FILE beside --redis"
            )
        return replace(self, data=data or self.data, redis_url=redis or self.redis_url)

    @property
    def existing_data(self) -> Path:
        """The data folder of a command that makes none; raises SettingsError where there is no folder."""
        if not self.data.is_dir():
            raise SettingsError(f"{self.data}: no such folder; name the data folder by --data or SHARDWATER_DATA")
        return self.data

    @property
    def orphaned(self) -> bool:
        """Whether the supervisor that started this process is gone; never so for a process that had none."""
        return self.supervisor != 0 and os.getppid() != self.supervisor

    def continue_when_orphaned(self) -> None:
        """Have Linux wake this process, should it be stopped, when its supervisor dies: who sleeps cannot end."""
        if self.supervisor != 0 and sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)

    @property
    def limits(self) -> Limits:
        """What one search may ask for."""
        return Limits(**{each.name: getattr(self, each.name) for each in fields(Limits)})

    @property
    def pair_bounds(self) -> PairBounds:
        """What one job of pairs may be."""
        return PairBounds(self.max_pairs, self.max_pair_cells, self.max_alignment_cells)

    @property
    def comparison_bounds(self) -> ComparisonBounds:
        """What one comparison may be."""
        return ComparisonBounds(self.max_comparison_letters, self.max_comparison_records)

    @property
    def upload_limits(self) -> UploadLimits:
        """What may be uploaded and kept."""
        return UploadLimits(**{each.name: getattr(self, each.name) for each in fields(UploadLimits)})

    @property
    def uploads(self) -> Path:
        """The folder of uploads, which front ends and workers share."""
        return self._work / "uploads"

    @property
    def jobs(self) -> Path:
        """The folder of what jobs keep besides Redis, which front ends and workers share."""
        return self._work / "jobs"

    @property
    def _work(self) -> Path:
        return Path(self.work) if self.work else self.data / WORK

    @property
    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks whose word is taken for who asks; raises SettingsError."""
        try:
            return tuple(ip_network(each) for each in self.trusted_proxies.replace(",", " ").split())
        except ValueError as error:
            raise SettingsError(f"SHARDWATER_TRUSTED_PROXIES: {error}") from None

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins whose scripts may read what this service answers; raises SettingsError."""
        found = tuple(self.cors_origins.replace(",", " ").split())
        for origin in found:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise SettingsError(f"SHARDWATER_CORS_ORIGINS: {origin!r} is no origin, as https://portal.example")
        return found

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which a service without keys is reached, besides localhost; raises SettingsError."""
        found = tuple(self.allowed_hosts.replace(",", " ").split())
        for name in found:
            if not _HOST_NAME.fullmatch(name):
                raise SettingsError(f"SHARDWATER_ALLOWED_HOSTS: {name!r} is no name of a host, as search.lab")
        return found

    @property
    def stand_ins(self) -> dict[str, str]:
        """The databases that stand for ColabFold's, by the variables that name them."""
        named = {"SHARDWATER_COLABFOLD_UNIREF": self.colabfold_uniref, "SHARDWATER_COLABFOLD_ENV": self.colabfold_env}
        return {name: value for name, value in named.items() if value}

    @property
    def intake(self) -> Intake:
        """How much work is taken on; only such quotas as are bounded."""
        limits = {
            SEARCHES_AN_HOUR: self.searches_per_hour,
            CELLS_AN_HOUR: self.cells_per_hour,
            SCORE_BYTES_AN_HOUR: self.score_bytes_per_hour,
        }
        quotas = {name: limit for name, limit in limits.items() if limit}
        return Intake(quotas, self.max_queued_cells, self.max_stored_bytes)

    @property
    def retention(self) -> "Retention":
        """How long searches and jobs are kept."""
        from worker.jobs.submission import Retention  # noqa: PLC0415  as connect

        return Retention(self.retention_s, self.job_timeout_s)

    def signer(self) -> "Signer | None":
        """Who signs results, where a key is named; raises SettingsError."""
        if not self.signing_key_file:
            return None
        try:
            from worker.jobs.results.signing import Signer, UnusableKey  # noqa: PLC0415  its library is an extra
        except ImportError:
            raise SettingsError(
                "SHARDWATER_SIGNING_KEY_FILE: to sign takes the library cryptography (make signing)"
            ) from None
        try:
            return Signer.read(Path(self.signing_key_file))
        except UnusableKey as error:
            raise SettingsError(f"SHARDWATER_SIGNING_KEY_FILE is {self.signing_key_file!r}: {error}") from None

    def connect(self, answer_s: float = ANSWER_S) -> "Redis":
        """A pool of connections to Redis or Valkey; an answer that takes longer is a TimeoutError."""
        from redis import Redis  # noqa: PLC0415  a third of a second, which commands without a queue do not have

        if not self.redis_url:
            raise SettingsError("no Redis is named: set SHARDWATER_REDIS_URL")
        return _connected(Redis, self.redis_url, self._password(), answer_s)

    def connect_async(self) -> "AsyncRedis":
        """The same for coroutines."""
        from redis.asyncio import Redis as AsyncRedis  # noqa: PLC0415  as connect

        return _connected(AsyncRedis, self.redis_url, self._password(), ANSWER_S)

    def _password(self) -> str | None:
        if not self.redis_password_file:
            return None
        try:
            return Path(self.redis_password_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise SettingsError(f"SHARDWATER_REDIS_PASSWORD_FILE is {self.redis_password_file!r}: {reason}") from None


def _connected(kind: type[_R], url: str, password: str | None, answer_s: float) -> _R:
    try:
        return kind.from_url(url, password=password, socket_timeout=answer_s)
    except ValueError:
        # Its own words may repeat the address, and with it the password.
        raise SettingsError(
            "SHARDWATER_REDIS_URL is no address of a Redis: redis://HOST:PORT/DB, rediss://... or unix:///path"
        ) from None


def _parse(name: str, value: str, default: object) -> object:
    """A variable's value, of its default's type; a number is at least 1 unless 0 is its default or means any number."""
    if name in CHOICES:
        if value.lower() not in CHOICES[name]:
            raise SettingsError(f"{name} is {value!r}: one of {', '.join(CHOICES[name])} is needed")
        return value.lower()
    if not isinstance(default, int):
        return Path(value) if isinstance(default, Path) else value
    least, most = (
        (0, 65535) if name == "SHARDWATER_PORT" else (0 if name in UNBOUNDED else min(1, default), sys.maxsize)
    )
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise SettingsError(f"{name} is {value!r}: a whole number from {least} to {most} is needed")
    return int(value)
