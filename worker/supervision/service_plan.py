"""Which processes make a service on this machine, and the socket that outlives its front end."""

import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from gpu import device_count
from shardwater.database.catalog import Catalog
from shardwater.database.manifest import Manifest
from shardwater.errors import AlignError
from worker.cli.console import say, warn
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE, DeviceTarget, Target, queue_name, search_target
from worker.settings import Settings, SettingsError
from worker.supervision.fork_server import ForkServer
from worker.supervision.liveness import answers_http
from worker.supervision.redis_loading import await_loaded
from worker.supervision.supervisor import Command, Supervisor
from worker.supervision.systemd import ServiceManager
from worker.supervision.valkey import EmbeddedValkey
from worker.supervision.valkey_lock import tenure

PRELOADED_MODULES = (
    *("app.__main__", "worker.cli.__main__", "worker.runner.process"),
    *("shardwater.engines.cpu", "shardwater.genomes.cpu", "shardwater.pairs.cpu", "shardwater.statistics.prefixes"),
)
"""The fork server imports these before it forks."""
GPU_WORKER_THREADS = 2
"""Cores for a worker whose GPU computes: they keep it busy and write its results."""


class AddressError(AlignError):
    """An address that we cannot listen on."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a service runs: its settings, the Redis it uses, the socket it listens on, how many GPUs it has."""

    settings: Settings
    listener: socket.socket
    devices: int = 0

    @property
    def url(self) -> str:
        """The address to point a browser at."""
        host, port = self.listener.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def health(self) -> str:
        """The address where the front end says that it lives."""
        return f"{self.url}/healthz"

    @property
    def environment(self) -> dict[str, str]:
        """What the processes are told; a password in the URL stays out of argv."""
        data = str(self.settings.data.resolve())
        return {
            "SHARDWATER_REDIS_URL": self.settings.redis_url,
            "SHARDWATER_DATA": data,
            "SHARDWATER_HOST": self.settings.host,
            "SHARDWATER_SUPERVISOR": str(os.getpid()),
            "SHARDWATER_SCHEDULE": self.settings.schedule,
        }


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise AddressError(f"cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}") from None


def _app_command(site: Site) -> Command:
    """The front end; while it is replaced, the socket keeps new connections waiting."""
    number = site.listener.fileno()
    argv = ("-m", "app", "--fd", str(number))
    return Command("front end", argv, site.environment, health=site.health, files=(number,))


def _worker_commands(site: Site, manifests: Sequence[Manifest]) -> list[Command]:
    """Workers for every shard: on the machine's GPUs in turn, else with an even share of its cores."""
    places = [(manifest, shard) for manifest in manifests for shard in range(manifest.shards)]
    if not places:
        return _workers_of_all(site)
    each = range(1, 1 + site.settings.workers_per_shard)
    share = max(1, (os.cpu_count() or 1) // (len(places) * len(each)))
    threads = site.settings.threads or (min(share, GPU_WORKER_THREADS) if site.devices else share)
    environment = site.environment | {"SHARDWATER_THREADS": str(threads)}
    return [
        _worker_command(
            manifest, shard, worker, environment, ("--device", str(place % site.devices)) if site.devices else ()
        )
        for worker in each
        for place, (manifest, shard) in enumerate(places)
    ]


def _workers_of_all(site: Site) -> list[Command]:
    """Workers without a database, where there is none to search: one for each GPU, or one for all cores."""
    devices: list[tuple[str, ...]] = [("--device", str(number)) for number in range(site.devices)] or [()]
    threads = site.settings.threads or (GPU_WORKER_THREADS if site.devices else os.cpu_count() or 1)
    environment = site.environment | {"SHARDWATER_THREADS": str(threads)}
    return [
        Command(f"worker {number} without a database", ("-m", "worker.cli", "work", *device), environment, DEVICE)
        for number, device in enumerate(devices)
    ]


def _worker_command(
    manifest: Manifest, shard: int, worker: int, environment: dict[str, str], device: tuple[str, ...]
) -> Command:
    """One of the workers of a shard, from 1."""
    # The version is named, so that a restart does not load a newer one under this queue's jobs.
    place = ("--database", manifest.name, "--version", manifest.version, "--shard", str(shard))
    queue = queue_name(manifest.name, manifest.version, shard, manifest.shards)
    cut = ("--shards", str(manifest.shards))
    name = f"worker of {queue}" if worker == 1 else f"worker {worker} of {queue}"
    return Command(name, ("-m", "worker.cli", "work", *place, *cut, *device), environment, queue)


def run_service(settings: Settings, *, with_workers: bool) -> None:
    """Serve until told to stop: what `shardwater serve` does. Raises AlignError."""
    data = settings.existing_data
    known = known_databases(settings)
    _check_stand_ins(settings, known)
    names = ", ".join(manifest.name for manifest in known)
    if not names:
        advice = f"until one is built: shardwater makedb FASTA --name NAME --out {data}"
        warn(f"no database in {data}: pairs are aligned and genomes compared, nothing is searched {advice}")
    # A key that cannot be used stops the service before anything starts.
    settings.signer()
    manager = ServiceManager.from_env()
    with ExitStack() as ending:
        # Fork before there are threads and open files.
        processes = ForkServer(PRELOADED_MODULES)
        ending.callback(processes.end)
        taken = None if settings.redis_url else ending.enter_context(tenure(settings.data))
        listener = ending.enter_context(listen(settings.host, settings.port))
        site = Site(settings, listener, device_count() if with_workers else 0)
        say(f"Loading {names or 'no database'} at {site.url} ...")
        embedded = None
        if taken is not None:
            taken.tell(site.url)
            embedded = EmbeddedValkey(settings.data)
            ending.callback(embedded.stop)
            site = replace(site, settings=replace(settings, redis_url=embedded.start()))
        store = JobStore(site.settings.connect(), settings.retention)
        await_loaded(store.redis)
        plan = ServicePlan(site, store, with_workers=with_workers)
        Supervisor(plan, processes, store, settings.grace_s, embedded, manager).run()


def _check_stand_ins(settings: Settings, known: Sequence[Manifest]) -> None:
    """Raise SettingsError where what stands for one of ColabFold's databases is not there, or of nucleotides."""
    proteins = [manifest.name for manifest in known if manifest.alphabet == "protein"]
    for variable, name in settings.stand_ins.items():
        if name not in proteins:
            there = ", ".join(proteins) or "none"
            raise SettingsError(f"{variable} is {name!r}: there is no database of proteins of this name, but {there}")


@dataclass(slots=True)
class ServicePlan:
    """What a service on this machine runs: its front end, and a worker for every shard that searches need.

    Those are the shards of the current version of each database of proteins, of versions that accepted searches still
    wait for, and, until a new version's workers have all loaded, of the version before it. Tells once when all is
    ready.
    """

    site: Site
    store: JobStore
    with_workers: bool = True
    told: bool = False
    served: dict[str, Manifest] = field(default_factory=dict)

    def __call__(self) -> list[Command]:
        """The commands to run now."""
        if self.with_workers:
            current = self._current()
            wanted = current | self._waited_for()
            targets: list[Target] = [search_target(manifest) for manifest in current.values()] or [DeviceTarget(1)]
            ready = all(all(self.store.alive(target)) for target in targets)
            self.served = wanted if ready else self.served | wanted
            self._tell(ready)
        workers = _worker_commands(self.site, list(self.served.values())) if self.with_workers else []
        return [_app_command(self.site), *workers]

    def _current(self) -> dict[str, Manifest]:
        manifests = known_databases(self.site.settings)
        return {_cut(manifest): manifest for manifest in manifests if manifest.alphabet == "protein"}

    def _waited_for(self) -> dict[str, Manifest]:
        """The versions that searches were accepted for, where they are still there as they were cut then."""
        catalog = Catalog(self.site.settings.data)
        found = {}
        for target in self.store.live_targets():
            if target.used.version in catalog.versions(target.used.name):
                manifest = replace(catalog.open(target.used.name, target.used.version).manifest, shards=target.shards)
                found[_cut(manifest)] = manifest
        return found

    def _tell(self, ready: bool) -> None:
        if ready and not self.told and answers_http(self.site.health):
            self.told = True
            say(f"Ready: {self.site.url} (Ctrl-C stops it)")


def _cut(manifest: Manifest) -> str:
    return f"{manifest.name}@{manifest.version}/{manifest.shards}"


def known_databases(settings: Settings) -> list[Manifest]:
    """The current version of every database in the data folder."""
    catalog = Catalog(settings.data)
    return [catalog.current(name).manifest for name in catalog.names()]
