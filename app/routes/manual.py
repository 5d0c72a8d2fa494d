"""Pages in words under the page's head, without key or script: help at `/help`, the interface at `/docs`.

The interface's is what openapi.json says to programs, for people.
"""

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.page.assets import assets
from app.page.theme import theme_of
from app.problem_kinds import KINDS
from app.responses.parameters import by_kind
from app.responses.result_formats import offered
from app.routers import new_router
from app.schemas import Parameter
from shardwater.software import software

router = new_router(include_in_schema=False)

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_WORK = {"./": "Search", "align": "Align", "compare": "Compare", "msas": "MSA"}
_OTHERS = {"history": "History", "help": "Help", "docs": "API"}
"""Where these pages lead, as page/src/nav.tsx has it; relative, so that it is right below a proxy's path."""

_CODE = re.compile("`([^`]*)`")
_LETTERS = {"protein": "proteins", "dna": "DNA"}


@router.head("/help")
@router.get("/help")
def get_help(request: Request) -> HTMLResponse:
    """How the page is used, and what it shows."""
    tables = {f"{kind}_parameters": _table(kind, parameters) for kind, parameters in by_kind().items()}
    return _page(request, "help", "Shardwater: help", _filled("help.html", tables))


@router.head("/docs")
@router.get("/docs")
def get_manual(request: Request) -> HTMLResponse:
    """The interface in words."""
    parts = {
        "version": escape(software().version),
        # The name by which it was asked for is the client's; examples have one of their own.
        "address": "http://SERVER",
        "formats": ", ".join(f"<code>{escape(name)}</code>" for name in offered()),
        "operations": _operations(request.app.openapi()),
        "problems": _problems(),
    }
    return _page(request, "docs", "Shardwater: the HTTP interface", _filled("manual.html", parts))


def _page(request: Request, here: str, title: str, body: str) -> HTMLResponse:
    """These words under the page's head, in its colours."""
    parts = {
        "theme": theme_of(request),
        "title": title,
        "icon": assets()["icon.svg"].version,
        "css": assets()["page.css"].version,
        "work": _links(_WORK, here),
        "others": _links(_OTHERS, here),
        "body": body,
    }
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "private, max-age=3600", "Vary": "Cookie"}
    return HTMLResponse(_filled("words.html", parts), headers=headers)


def _links(places: dict[str, str], here: str) -> str:
    """The entries of a list of places; that of this page is marked."""
    current = {here: ' aria-current="page"'}
    return "\n".join(f'<li><a href="{path}"{current.get(path, "")}>{label}</a></li>' for path, label in places.items())


def _filled(name: str, parts: dict[str, str]) -> str:
    return Template(_template(name)).substitute(parts)


@cache
def _template(name: str) -> str:
    return (files("app") / name).read_text(encoding="utf-8")


def _table(kind: str, parameters: Sequence[Parameter]) -> str:
    """A kind's parameters; what is for programs alone stands smaller, below what is for everybody."""
    rows = []
    for each in parameters:
        about, *more = (_CODE.sub(r"<code>\1</code>", escape(part)) for part in each.description.split("\n\n"))
        told = about + "".join(f"<br><small>{part}</small>" for part in more)
        rows.append(_row(f"<code>{each.name}</code>", _default(each), told, place=f"{kind}-{each.name}"))
    head = "<thead><tr><th>Parameter</th><th>Default</th><th>What it does</th></tr></thead>"
    return "\n".join(['<table tabindex="0">', head, "<tbody>", *rows, "</tbody>", "</table>"])


def _default(parameter: Parameter) -> str:
    if parameter.usual is None:
        return _shown(parameter.default)
    by_letters = {_LETTERS[name]: _shown(value) for name, value in parameter.usual.items() if value is not None}
    if len(by_letters) == len(_LETTERS) and len(set(by_letters.values())) == 1:
        return next(iter(by_letters.values()))
    return ", ".join(f"{value} ({letters})" for letters, value in by_letters.items())


def _shown(default: Any) -> str:
    if default is None or default in ("", [], ()):
        return ""
    return escape(f"{default:,}" if isinstance(default, int) and not isinstance(default, bool) else _text(default))


def _text(default: Any) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default).removesuffix(".0")


def _operations(description: dict[str, Any]) -> str:
    return "\n".join(
        _row(f"<code>{method.upper()} {escape(path)}</code>", escape(operation.get("description", "")))
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    )


def _problems() -> str:
    return "\n".join(_row(f"<code>{kind.name}</code>", str(kind.status), escape(kind.title)) for kind in KINDS.values())


def _row(*cells: str, place: str = "") -> str:
    begin = f'<tr id="{place}">' if place else "<tr>"
    return f"{begin}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
