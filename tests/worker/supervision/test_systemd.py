import os
import socket
from pathlib import Path

import pytest

from worker.supervision.systemd import READY, ServiceManager


def test_manager_hears_of_us_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What we start does not find it, and so cannot tell it anything."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        manager = ServiceManager.from_env()
        assert "NOTIFY_SOCKET" not in os.environ
        manager.tell(READY)
        assert heard.recv(100) == READY.encode()
