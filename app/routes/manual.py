"""The interface in words, at `/docs`: what openapi.json says to programs, for people. It needs no key and no script."""

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.problem_kinds import KINDS
from app.responses.result_formats import offered
from shardwater.software import software

router = APIRouter(include_in_schema=False)

_STYLE = """
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem }
pre, table { overflow-x: auto; display: block }
pre { padding: .75rem 1rem; border: 1px solid; border-radius: 4px }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0 }
"""
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@router.head("/docs")
@router.get("/docs")
def get_manual(request: Request) -> HTMLResponse:
    """The interface in words."""
    text = Template(_template()).substitute(
        style=_STYLE,
        version=escape(software().version),
        # The name by which it was asked for is the client's; examples have one of their own.
        address="http://SERVER",
        formats=", ".join(f"<code>{escape(name)}</code>" for name in offered()),
        operations=_operations(request.app.openapi()),
        problems=_problems(),
    )
    return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY, "Cache-Control": "public, max-age=3600"})


@cache
def _template() -> str:
    return (files("app") / "manual.html").read_text(encoding="utf-8")


def _operations(description: dict[str, Any]) -> str:
    return "\n".join(
        _row(f"<code>{method.upper()} {escape(path)}</code>", escape(operation.get("description", "")))
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    )


def _problems() -> str:
    return "\n".join(_row(f"<code>{kind.name}</code>", str(kind.status), escape(kind.title)) for kind in KINDS.values())


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
