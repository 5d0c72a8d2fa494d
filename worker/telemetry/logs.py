"""The log: lines of text, or one JSON object a line, with the request and the search that a line is about.

Ids come from the context of whoever writes the line, so that no caller has to pass them on. No line has a sequence, a
title or a header in it: whoever logs says ids, counts and times.
"""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from worker.telemetry.safe_traceback import OutlineFormatter

LOG_FORMATS = ("text", "json")
TEXT = "%(asctime)s %(name)s %(levelname)s %(message)s"

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The request that is answered, or that the search at work came with."""
search_id: ContextVar[str | None] = ContextVar("search_id", default=None)
"""The search that is at work, or that was just accepted."""

log = logging.getLogger("shardwater")


class JsonFormatter(OutlineFormatter):
    """A record as one object; `extra={"fields": {...}}` adds members to it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in (("request_id", request_id.get()), ("search", search_id.get())):
            if value is not None:
                line[name] = value
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str, form: str) -> None:
    """Write the log to standard error; everything of this process goes through it, libraries' lines too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else OutlineFormatter(TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # RQ warns of each call that a worker died in. Nothing is lost with a call: its parts are queued again, which is
    # logged (worker/queue/recovery.py), and another call is made.
    logging.getLogger("rq.registry").setLevel(logging.ERROR)
    if form == "json":
        logging.captureWarnings(True)
        sys.excepthook = _log_the_end


def announce(message: str) -> bool:
    """Say something as a line of the log, whatever its level, if the log is JSON; whether it is."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, JsonFormatter):
            handler.handle(log.makeRecord(log.name, logging.INFO, "", 0, message, (), None))
            return True
    return False


def _log_the_end(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    log.critical("the process ends", exc_info=(kind, error, traceback))
