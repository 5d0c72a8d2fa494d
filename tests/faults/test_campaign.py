"""What is accepted is answered, and rightly, whatever is done to the service; `benchmarks/faults.py` has all of it."""

import gzip
import re
from pathlib import Path
from random import Random

import pytest

from shardwater.sequences.fasta import read_fasta
from tests.faults.campaign import Fault, Harm, calm_run, run_campaign, until_ready
from tests.faults.harms import DAMAGED, change_bytes
from tests.faults.killing import DATA_LOST, kill, kill_one_worker, lose_data, stop
from tests.faults.places import ROOT, plain
from tests.faults.searches import make_searches
from tests.faults.service import EVERYTHING, SERVERS, Service

SEED = 1
HARMED = 1


def in_turn(*harms: Harm) -> Harm:
    """One of them each time."""
    left = list(harms)

    def harm(service: Service, random: Random) -> int:
        return left.pop(0)(service, random)

    return harm


def corrupt(service: Service, random: Random) -> int:
    """For some seconds: what searches wait for that long is not given up."""
    return change_bytes(service, random, longest_s=3)


CASES = {
    "processes": (None, (kill_one_worker, kill(*EVERYTHING), stop(*SERVERS))),
    "data": (re.compile(f"{DATA_LOST.pattern}|{DAMAGED.pattern}"), (lose_data, corrupt)),
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_lost_or_wrong(tmp_path: Path, case: str) -> None:
    reason, harms = CASES[case]
    records = read_fasta(gzip.decompress((ROOT / "demo" / "proteins.fasta.gz").read_bytes()))[:150]
    searches = make_searches(records, SEED, len(harms) * HARMED)
    fault = Fault(case, in_turn(*harms), reason)
    with plain(tmp_path / "data", records) as service:
        until_ready(service)
        calm = calm_run(service, searches)
        outcome = run_campaign(fault, service, searches, calm, Random(SEED), HARMED)
    assert len(outcome.told) == len(searches) + len(harms)
    assert outcome.faults == []
    assert outcome.deleted.total() > 0
    assert outcome.struck >= len(harms)
