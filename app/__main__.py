"""Serve the app on a socket that the supervisor holds open: `python -P -m app --fd N`, or on an address of its own."""

import argparse
import os
import socket
import sys

import uvicorn

from app.main import create_app
from app.middleware.backpressure import open_all_files
from app.middleware.http_protocol import BoundedProtocol
from shardwater.process_memory import give_memory_back
from worker.settings import Settings, SettingsError

DRAIN_S = 5


class _Server(uvicorn.Server):
    """Does not wait for those who follow a search or wait for its end: they would stay until it comes."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End their streams and answer them where their searches stand, then what uvicorn does."""
        service = self.config.app.state.service  # type: ignore[union-attr]
        service.events.end()
        service.endings.end()
        await super().shutdown(sockets)


def main() -> None:
    """Serve until a SIGTERM; requests under way have DRAIN_S seconds to end."""
    parser = argparse.ArgumentParser(description="Serve Shardwater's front end.")
    parser.add_argument("--fd", type=int, help="a listening socket to use, instead of SHARDWATER_HOST and _PORT")
    arguments = parser.parse_args()
    open_all_files()
    give_memory_back()
    try:
        settings = Settings.from_env()
        settings.continue_when_orphaned()
        application = create_app(settings)
    except SettingsError as error:
        sys.stderr.write(f"shardwater: {error}\n")
        # The supervisor does not try that again.
        sys.exit(os.EX_CONFIG)
    config = uvicorn.Config(
        application,
        http=BoundedProtocol,
        host=settings.host,
        port=settings.port,
        # Its lines go where ours do.
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # SHARDWATER_TRUSTED_PROXIES alone says whose word is taken for an address or a user (app/middleware/auth.py).
        proxy_headers=False,
        timeout_graceful_shutdown=DRAIN_S,
    )
    _Server(config).run(sockets=[socket.socket(fileno=arguments.fd)] if arguments.fd is not None else None)


if __name__ == "__main__":
    main()
