"""Python's and pytest's work on sources, done once by all processors before a run in several processes begins.

Each of those reads all test files: on a clean checkout each would rewrite their assertions anew, which takes as long as
all that it does besides until it has its first test.
"""

import os
import sys
from collections.abc import Sequence
from compileall import compile_file
from multiprocessing import get_context
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)

ROOT = Path(__file__).parents[2]
SOURCES = ("app", "gpu", "sdk/python", "shardwater", "tests", "worker")


def compile_sources(config: pytest.Config) -> None:
    """Leave what Python and pytest make of each source beside it, where they may and it is not there."""
    if sys.dont_write_bytecode:
        return
    files = [file for folder in SOURCES for file in sorted((ROOT / folder).rglob("*.py"))]
    count, fork = len(os.sched_getaffinity(0)), get_context("fork")
    parts = [fork.Process(target=_compile, args=(config, files[first::count])) for first in range(count)]
    for part in parts:
        part.start()
    for part in parts:
        part.join()


def _compile(config: pytest.Config, files: Sequence[Path]) -> None:
    for file in files:
        if file.name.startswith("test_") or file.name == "conftest.py":
            _rewrite(config, file)
        else:
            compile_file(file, quiet=2)


def _rewrite(config: pytest.Config, file: Path) -> None:
    rewritten = get_cache_dir(file) / (file.stem + PYC_TAIL)
    if _read_pyc(file, rewritten) is None:
        rewritten.parent.mkdir(exist_ok=True)
        digest, code = _rewrite_test(file, config)
        _write_pyc(config.stash[assertstate_key], code, digest, rewritten)
