"""MSAs in the folder of their chain's job: one for each list of databases that was searched."""

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from shardwater.msa.kept import DamagedMsa, read_kept, write_kept
from shardwater.msa.msa import Msa
from shardwater.search.clusters import MembersReport
from shardwater.search.rounds import RoundReport
from shardwater.search.warnings import QueryWarning
from worker.jobs.files import MSAS, WHAT, JobFiles
from worker.jobs.folders import make_folder, storing, sync, write_file
from worker.jobs.ids import called
from worker.jobs.room import notes_in
from worker.jobs.states import DamagedJob


@dataclass(frozen=True, slots=True)
class MsaRound:
    """A round, from 1: how many rows it found well enough for a profile, how many of them the one before had and how
    many it had not, and how many of that one's it has no more. Which these are would be megabytes for many chains.
    """

    number: int
    included: int
    kept: int
    new: int
    lost: int

    @classmethod
    def of(cls, told: RoundReport) -> Self:
        """The counts of a round."""
        return cls(told.number, told.included, told.kept, len(told.new), len(told.lost))


@dataclass(frozen=True, slots=True)
class Stage:
    """What one list of databases has given: rows that were found, those that the filter has left, the rounds, what
    became of members of clusters, where a database has any, and what is odd about the chain or its statistics.
    """

    found: int
    kept: int
    rounds: tuple[MsaRound, ...]
    members: MembersReport | None = None
    warnings: tuple[QueryWarning, ...] = ()


_STAGE = TypeAdapter(Stage)
_TOLD = "stage.json"


class MsaFiles:
    """Those of one chain."""

    def __init__(self, files: JobFiles, job: str) -> None:
        self._files, self._folder, self._job = files, files.folder(job) / MSAS, job

    def keep(self, number: int, msa: Msa, stage: Stage) -> None:
        """Keep the MSA of a list of databases, from 0, whole or not at all. Raises StorageFull."""
        kept = self._path(number)
        # Whoever comes second has the same.
        if kept.exists():
            return
        self._files.check_room(account=notes_in(self._folder.parent).account)
        coming = self._folder / f".{secrets.token_hex(8)}"
        with storing(self._folder, WHAT):
            make_folder(coming)
            try:
                write_kept(msa, coming)
                write_file(coming / _TOLD, _STAGE.dump_json(stage))
                coming.rename(kept)
                sync(self._folder)
            except OSError:
                shutil.rmtree(coming, ignore_errors=True)
                if not kept.exists():
                    raise
                return
        self._files.wrote(kept)

    def msa(self, number: int) -> Msa:
        """What was kept, of which letters are read as they are asked for. Raises DamagedJob."""
        try:
            return read_kept(self._path(number))
        except (OSError, DamagedMsa):
            raise self._damaged(number) from None

    def stage(self, number: int) -> Stage:
        """What is told of it; raises DamagedJob."""
        try:
            return _STAGE.validate_json((self._path(number) / _TOLD).read_bytes())
        except (OSError, ValueError):
            raise self._damaged(number) from None

    def _damaged(self, number: int) -> DamagedJob:
        return DamagedJob(f"MSA {number + 1} of {called(self._job)} is damaged: ask for it again, and it is made anew")

    def _path(self, number: int) -> Path:
        return self._folder / str(number)
