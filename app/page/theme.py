"""The colours that somebody has chosen with the button in the page's head; else the system's."""

from fastapi import Request

_COOKIE = "shardwater_theme"


def theme_of(request: Request) -> str:
    """The attribute of a page's `<html>` that asks for them, with a blank before it; empty for the system's."""
    theme = request.cookies.get(_COOKIE)
    return f' data-theme="{theme}"' if theme in ("light", "dark") else ""
