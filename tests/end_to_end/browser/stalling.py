"""A line to a server that can go dead: its connections stay open, and nothing comes through any more."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

BLOCK = 65536


class Line(ThreadingTCPServer):
    """Forwards each connection to a server, while it is not stalled."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        address = urlsplit(url)
        self.target = (str(address.hostname), int(address.port or 80))
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.flowing = threading.Event()
        self.flowing.set()

    def stall(self) -> None:
        """Hold back all that is sent from now on."""
        self.flowing.clear()

    def resume(self) -> None:
        """Let it through, the held-back first."""
        self.flowing.set()


class _Connection(BaseRequestHandler):
    server: Line

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as there:
            back = threading.Thread(target=self._pump, args=(there, self.request), daemon=True)
            back.start()
            self._pump(self.request, there)
            back.join()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        # Either end may be gone first.
        with suppress(OSError):
            while block := source.recv(BLOCK):
                self.server.flowing.wait()
                sink.sendall(block)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def stalling(url: str) -> Iterator[Line]:
    """A line to the server at an address."""
    with Line(url) as line:
        threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield line
        line.resume()
        line.shutdown()
