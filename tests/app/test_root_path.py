"""A service below a sub-path, whether or not the proxy takes it off."""

import asyncio

import httpx
import pytest

from app.main import create_app
from worker.settings import Settings


def get(path: str, root_path: str) -> int:
    async def ask() -> int:
        transport = httpx.ASGITransport(create_app(Settings(root_path=root_path)))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            return (await http.get(path)).status_code

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("path", "root_path", "status"),
    [
        ("/v1/parameters", "", 200),
        ("/v1/parameters", "/lab", 200),
        ("/lab/v1/parameters", "/lab", 200),
        ("/lab/v1/parameters", "", 404),
        ("/other/v1/parameters", "/lab", 404),
    ],
)
def test_paths_with_and_without_the_sub_path(path: str, root_path: str, status: int) -> None:
    assert get(path, root_path) == status
