"""Pages in words, which need no key and no script: help for who uses the page at `/help`, the interface at `/docs`.

The interface's is what openapi.json says to programs, for people.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.problem_kinds import KINDS
from app.responses.parameters import by_kind
from app.responses.result_formats import offered
from app.schemas import Parameter
from shardwater.software import software

router = APIRouter(include_in_schema=False)

_STYLE = """
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem }
pre, table { overflow-x: auto; display: block }
pre { padding: .75rem 1rem; border: 1px solid; border-radius: 4px }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0 }
tr:target { outline: 2px solid Highlight }
"""
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


_CODE = re.compile("`([^`]*)`")
_LETTERS = {"protein": "proteins", "dna": "DNA"}


@router.head("/help")
@router.get("/help")
def get_help() -> HTMLResponse:
    """How the page is used, and what it shows."""
    tables = {f"{kind}_parameters": _table(kind, parameters) for kind, parameters in by_kind().items()}
    return _page("help.html", **tables)


@router.head("/docs")
@router.get("/docs")
def get_manual(request: Request) -> HTMLResponse:
    """The interface in words."""
    return _page(
        "manual.html",
        version=escape(software().version),
        # The name by which it was asked for is the client's; examples have one of their own.
        address="http://SERVER",
        formats=", ".join(f"<code>{escape(name)}</code>" for name in offered()),
        operations=_operations(request.app.openapi()),
        problems=_problems(),
    )


def _page(name: str, **parts: str) -> HTMLResponse:
    text = Template(_template(name)).substitute(style=_STYLE, **parts)
    return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY, "Cache-Control": "public, max-age=3600"})


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
