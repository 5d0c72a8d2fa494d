"""What the columns of an MSA have, as it goes out."""

from app.msa_schemas import MsaColumns
from app.responses.ended_msas import EndedMsas
from app.responses.msa_results import Wanted
from app.service import Service
from shardwater.msa.conservation import conservation


async def columns_of(service: Service, job: str, wanted: Wanted) -> MsaColumns:
    """The columns of one chain's MSA, counted by a thread that writes results: of long ones that takes seconds.

    Raises what JobStore.packed_result does, DamagedJob, NotHereError and InvalidParameterError.
    """
    return await service.writers.run(service.msas.caller.account, lambda: _counted(service, job, wanted))


def _counted(service: Service, job: str, wanted: Wanted) -> MsaColumns:
    ended = EndedMsas.of(service, job)
    chain = wanted.one(ended) or 1
    msa = next(wanted.msas(ended, chain))
    counted = conservation(msa)
    return MsaColumns(
        chain=chain,
        id=msa.query.id,
        rows=len(msa) + 1,
        residues=msa.query.residues.decode("ascii"),
        depth=counted.depth.tolist(),
        identical=counted.identical.tolist(),
        entropy=counted.entropy.tolist(),
    )
