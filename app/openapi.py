"""Print the interface's description: `python -P -m app.openapi > openapi/openapi.json`."""

import json
import sys
from typing import Any

from app.main import create_app
from worker.settings import Settings


def openapi_text() -> str:
    """The OpenAPI document as it is committed."""
    return json.dumps(_by_name(create_app(Settings()).openapi()), indent=2) + "\n"


def _by_name(node: Any, name: str = "") -> Any:
    """A value of JSON with its members sorted, but for media types: generators of clients take the first."""
    if isinstance(node, list):
        return [_by_name(each) for each in node]
    if not isinstance(node, dict):
        return node
    members = node.items() if name == "content" else sorted(node.items())
    return {key: _by_name(value, key) for key, value in members}


if __name__ == "__main__":
    sys.stdout.write(openapi_text())
