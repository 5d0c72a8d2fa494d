"""Serve the app on a socket that the supervisor holds open: `python -m app --fd N`, or on an address of its own."""

import argparse
import socket
import sys

import uvicorn

from app.main import create_app
from app.overload import open_all_files
from worker.settings import Settings, SettingsError

DRAIN_S = 5


class _Server(uvicorn.Server):
    """Does not wait for those who follow a search: they would stay until it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End their streams, then what uvicorn does."""
        self.config.app.state.service.events.end()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def main() -> None:
    """Serve until a SIGTERM; requests under way have DRAIN_S seconds to end."""
    parser = argparse.ArgumentParser(description="Serve Shardwater's front end.")
    parser.add_argument("--fd", type=int, help="a listening socket to use, instead of SHARDWATER_HOST and _PORT")
    arguments = parser.parse_args()
    open_all_files()
    try:
        settings = Settings.from_env()
        application = create_app(settings)
    except SettingsError as error:
        sys.exit(f"shardwater: {error}")
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=DRAIN_S,
    )
    _Server(config).run(sockets=[socket.socket(fileno=arguments.fd)] if arguments.fd is not None else None)


if __name__ == "__main__":
    main()
