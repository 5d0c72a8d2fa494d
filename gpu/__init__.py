"""Where an engine is chosen, once: nobody asks after that whether a GPU computes."""

from shardwater.engine import Engine


def open_engine(threads: int | None = None) -> Engine:
    """The engine of this machine, on so many threads (all cores when None)."""
    from shardwater.cpu import CpuEngine  # noqa: PLC0415  pyopal is loaded by workers alone

    return CpuEngine(threads)
