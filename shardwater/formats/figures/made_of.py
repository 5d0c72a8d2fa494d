"""What pictures say of the MSA that they are of."""

from shardwater.formats.titles import one_line
from shardwater.msa.msa import Msa


def query_of(msa: Msa) -> str:
    """The query's id, or what stands for one."""
    return one_line(msa.query.id) or "the query"


def database_of(msa: Msa) -> str:
    """The databases with their versions, and what parts them from more; nothing where they are not known."""
    if msa.provenance is None:
        return ""
    return "; ".join(f"{each.name}, version {each.version}" for each in msa.provenance.databases) + " · "
