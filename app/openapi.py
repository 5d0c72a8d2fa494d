"""Print the interface's description: `python -m app.openapi > openapi/openapi.json`."""

import json
import sys

from app.main import create_app
from worker.settings import Settings


def openapi_text() -> str:
    """The OpenAPI document as it is committed."""
    return json.dumps(create_app(Settings()).openapi(), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(openapi_text())
