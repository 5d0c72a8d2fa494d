"""Every route that the app has, so that one which comes later is not forgotten."""

from functools import cache

from fastapi.routing import APIRoute

from app.main import create_app
from worker.settings import Settings


@cache
def routes() -> list[tuple[str, str]]:
    """Method and path of each; HEAD goes with GET."""
    found = [route for route in create_app(Settings()).routes if isinstance(route, APIRoute)]
    return sorted({(method, route.path) for route in found for method in route.methods - {"HEAD"}})


OPEN = {
    ("GET", "/"),
    ("GET", "/align"),
    *(("POST", path) for path in ("/", "/align", "/compare", "/msas")),
    ("GET", "/assets/{name}"),
    ("GET", "/compare"),
    ("GET", "/docs"),
    ("GET", "/help"),
    ("GET", "/healthz"),
    ("GET", "/history"),
    ("GET", "/msas"),
    ("GET", "/readyz"),
    ("GET", "/session"),
    ("POST", "/session"),
    ("DELETE", "/session"),
}
"""What the service does for everybody; the sessions' routes see to themselves (tests/security/test_session.py)."""
