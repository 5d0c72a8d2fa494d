"""A network between a service and its Redis that can be cut: connections broken, or silent until it is healed."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE = 1 << 16


class Network:
    """Passes bytes on between a port of this host and a unix socket."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._whole = threading.Event()
        self._whole.set()
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where Redis seems to be."""
        return f"redis://127.0.0.1:{self._listener.getsockname()[1]}"

    def silence(self) -> None:
        """Pass nothing on until it is healed, as when a cable is pulled."""
        self._whole.clear()

    def heal(self) -> None:
        """Pass on what has waited, and all that comes."""
        self._whole.set()

    def cut(self) -> None:
        """Break all connections off."""
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Be gone."""
        self.heal()
        # accept() in a thread does not notice a mere close().
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._open |= {client, server}
                try:
                    server.connect(self._path)
                except OSError:
                    self._hang_up(client, server)
                    continue
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(PIECE):
                self._whole.wait()
                sink.sendall(data)
        self._hang_up(source, sink)

    def _hang_up(self, *ends: socket.socket) -> None:
        for end in ends:
            self._open.discard(end)
            end.close()


@contextmanager
def network(path: str) -> Iterator[Network]:
    """A network that is gone at the end."""
    made = Network(path)
    try:
        yield made
    finally:
        made.close()
