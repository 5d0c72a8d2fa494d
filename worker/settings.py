"""The service's settings, read from the environment once; a bad value stops the start and names itself."""

import ctypes
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from redis import Redis

from shardwater.errors import AlignError
from worker.acceptance import Retention
from worker.logs import LOG_FORMATS
from worker.requests import Limits

LOG_LEVELS = ("debug", "info", "warning", "error")

_USUAL = Limits()
_PR_SET_PDEATHSIG = 1


class SettingsError(AlignError):
    """An environment variable whose value will not do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What SHARDWATER_... variables say; the names are those of the fields, in capitals (docs/operations.md)."""

    redis_url: str = ""
    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8000
    root_path: str = ""
    retention_s: int = 7 * 24 * 3600
    max_stored_bytes: int = 0
    job_timeout_s: int = 3600
    grace_s: int = 60
    max_queued_cells: int = 0
    threads: int = 0
    supervisor: int = 0
    log_level: str = "warning"
    log_format: str = "text"
    organization: str = "not named"
    organization_url: str = "about:blank"
    links: str = ""
    max_body_bytes: int = _USUAL.max_body_bytes
    max_queries: int = _USUAL.max_queries
    max_query_length: int = _USUAL.max_query_length
    max_query_residues: int = _USUAL.max_query_residues
    max_hits: int = _USUAL.max_hits

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings of an environment; raises SettingsError."""
        values: dict[str, object] = {}
        for field in fields(cls):
            name = f"SHARDWATER_{field.name.upper()}"
            if name in environment:
                values[field.name] = _parse(name, environment[name], field.default)
        return cls(**values)  # type: ignore[arg-type]

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
        return Limits(**{field.name: getattr(self, field.name) for field in fields(Limits)})

    @property
    def retention(self) -> Retention:
        """How long searches and jobs are kept."""
        return Retention(self.retention_s, self.job_timeout_s)

    def connect(self) -> Redis:
        """A pool of connections to Redis or Valkey."""
        if not self.redis_url:
            raise SettingsError("no Redis is named: set SHARDWATER_REDIS_URL")
        return Redis.from_url(self.redis_url)


def _parse(name: str, value: str, default: object) -> object:
    """A variable's value, of its default's type; a number is at least 1 unless its default is less, or it is a port."""
    if name == "SHARDWATER_LOG_LEVEL" and value.lower() not in LOG_LEVELS:
        raise SettingsError(f"{name} is {value!r}: one of {', '.join(LOG_LEVELS)} is needed")
    if name == "SHARDWATER_LOG_FORMAT" and value not in LOG_FORMATS:
        raise SettingsError(f"{name} is {value!r}: one of {', '.join(LOG_FORMATS)} is needed")
    if not isinstance(default, int):
        return Path(value) if isinstance(default, Path) else value
    least, most = (0, 65535) if name == "SHARDWATER_PORT" else (min(1, default), sys.maxsize)
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise SettingsError(f"{name} is {value!r}: a whole number from {least} to {most} is needed")
    return int(value)
