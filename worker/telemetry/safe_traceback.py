"""Errors in logs without their messages, which may quote a query, and without the folders of this machine."""

import logging
from collections.abc import Iterator
from types import TracebackType


def outline(error: BaseException) -> str:
    """An error in one line: its type and the modules and lines that it came through, then what it came of."""
    return ", of ".join(_one(each) for each in _chain(error))


def _one(error: BaseException) -> str:
    places = " > ".join(_places(error.__traceback__))
    return f"{type(error).__qualname__} at {places}" if places else type(error).__qualname__


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)


def _places(traceback: TracebackType | None) -> Iterator[str]:
    while traceback is not None:
        yield f"{traceback.tb_frame.f_globals.get('__name__', '?')}:{traceback.tb_lineno}"
        traceback = traceback.tb_next


class OutlineFormatter(logging.Formatter):
    """Writes an outline where others write a traceback."""

    def formatException(self, ei: object) -> str:  # noqa: N802  logging's name
        """The outline of an exception, as sys.exc_info gives it."""
        error = ei[1] if isinstance(ei, tuple) else None
        return outline(error) if isinstance(error, BaseException) else ""
