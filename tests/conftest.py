"""Fixtures for all tests: the shared data folder, databases built in passing, and the engines."""

import gc
import os
import signal
from collections.abc import Callable, Generator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from gpu import device_count
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.engine import Engine
from shardwater.genomes.engine import GenomeEngine
from tests.support.databases import Build

TESTS = Path(__file__).parent
OF_ENGINES = (
    *("conftest.py", "gpu", "test_choice_contract.py", "test_engine_contract.py", "test_extent_contract.py"),
    *(
        "test_genome_contract.py",
        "test_golden_scores.py",
        "test_progress_contract.py",
        "test_pssm_contract.py",
        "test_survey_contract.py",
        "test_taken_contract.py",
    ),
)
THOROUGH = (
    *("faults/", "fuzz/test_large_bodies.py", "fuzz/test_openapi.py", "fuzz/test_overload.py"),
    *("end_to_end/test_backup.py", "end_to_end/test_merge_processes.py", "end_to_end/test_replicas.py"),
    *("end_to_end/test_rolling.py", "end_to_end/test_time.py", "end_to_end/test_tracing.py"),
    *("end_to_end/test_turns.py", "end_to_end/test_update.py", "end_to_end/test_wheel.py"),
    *("security/test_downloads.py", "security/test_marked.py"),
)
"""Files and folders of thorough tests. `make test-rest` and `make test-all` run them. Single tests have a marker."""
IN_THE_BROWSER = TESTS / "end_to_end" / "browser"
FLOWS = IN_THE_BROWSER / "test_flows.py"
"""Of the tests in the browser, those that `make test` runs."""
OF_ONE_SERVER = ("tests/end_to_end/dialects/", "tests/fuzz/", "tests/security/")
"""Each process that ran a file of these would start their servers anew."""
SHARED = Path(__file__).parents[2] / "shared" / "data"
DEVICES = device_count()
ENGINES = ["cpu", pytest.param("gpu", marks=pytest.mark.gpu)] if DEVICES else ["cpu"]
"""The engines that this machine has."""
ALL_NEED_A_DEVICE = "\npytestmark = pytest.mark.gpu\n"
"""A line of files whose tests all need a device."""


def pytest_configure() -> None:
    """Ctrl-C reaches what tests start also where a shell runs the tests in its background, deaf to it.

    No example of a property has to be quick: how long it takes depends on what else runs.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # The machines of `-m gpu` do without it.
    if find_spec("hypothesis"):
        from hypothesis import settings

        settings.register_profile("any time", deadline=None)
        settings.load_profile("any time")


def is_thorough(path: Path) -> bool:
    """Whether the tests of a file are thorough: `make test` leaves them out."""
    if path.is_relative_to(IN_THE_BROWSER):
        return path.name.startswith("test_") and path != FLOWS
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).as_posix().startswith(THOROUGH)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark those of whole files, and put those in the browser last.

    While Playwright runs, its thread has an event loop, which other tests want to start.
    """
    items.sort(key=lambda item: item.path.is_relative_to(IN_THE_BROWSER))
    for item in items:
        if is_thorough(item.path):
            item.add_marker(pytest.mark.thorough)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What cannot run here is not read.

    `-m gpu` is for machines that may have numpy and cupy alone: they cannot import the other files. Where there is no
    device, files whose tests all need one are left out.
    """
    if not collection_path.is_relative_to(TESTS):
        return None
    if config.option.markexpr == "not thorough" and is_thorough(collection_path):
        return True
    place = collection_path.relative_to(TESTS).parts
    if config.option.markexpr == "gpu":
        return None if not place or place[0] in OF_ENGINES else True
    if not DEVICES and place[:1] == ("gpu",) and collection_path.is_file():
        return True if ALL_NEED_A_DEVICE in collection_path.read_text(encoding="utf-8") else None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thirteen thousand tests stay until the end: the collector need not look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the processes of a run begin, each of which reads all tests."""
    from tests.support.compiling import compile_sources

    compile_sources(config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two for each processor: tests wait for processes and browsers a good part of the time.

    More would wait for processors, and each has servers of its own to start.
    """
    return 2 * len(os.sched_getaffinity(0))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Files are done whole (`--dist loadfile`), and so are folders whose files share a server that only they use."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return next((folder for folder in OF_ONE_SERVER if file.startswith(folder)), file)

    return ByServer(config, log)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real sequences beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared data: {SHARED} is not there")
    return SHARED


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """build(records or FASTA text, shards=1, name="test"): a database in tmp_path/data, its current version."""

    def make(source: str | Sequence[tuple[str, str]], shards: int = 1, name: str = "test") -> Database:
        text = source if isinstance(source, str) else "".join(f">{header}\n{letters}\n" for header, letters in source)
        fasta = tmp_path / f"{name}.fasta"
        fasta.write_text(text, encoding="utf-8")
        build_database([fasta], tmp_path / "data", name=name, shards=shards)
        return Catalog(tmp_path / "data").current(name)

    return make


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine of this machine; test_engine_contract.py holds for all of them."""
    if request.param == "gpu":
        from gpu.engine import GpuEngine

        return GpuEngine()
    from shardwater.engines.cpu import CpuEngine

    return CpuEngine(threads=2)


@pytest.fixture(params=ENGINES)
def genome_engine(request: pytest.FixtureRequest) -> Callable[..., GenomeEngine]:
    """genome_engine(words_at_once=...): each engine of genomes; test_genome_contract.py holds for all of them."""
    if request.param == "gpu":
        from gpu.genomes.engine import GpuGenomes

        return GpuGenomes
    from shardwater.genomes.cpu import CpuGenomes

    return CpuGenomes
