"""What systemd is told of a service of Type=notify: ready, alive, stopping. A datagram each, as sd_notify(3) has it."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """Who has started us, if it wants to be told; by default nobody."""

    address: str = ""

    @classmethod
    def from_env(cls) -> Self:
        """As the environment names it, from which it is taken: our children are not the service."""
        return cls(os.environ.pop("NOTIFY_SOCKET", ""))

    def tell(self, state: str) -> None:
        """Tell it, if it is there; it never keeps us waiting."""
        if not self.address:
            return
        # A name that begins with @ is none of a file.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling:
            telling.setblocking(False)
            telling.sendto(state.encode(), address)


NO_MANAGER = ServiceManager()
