"""What an MSA comes from: the databases that were searched, each with its version and checksum, and the certificate."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from shardwater.search.clusters import MembersReport
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Certificate, CertifiedShard, Report
from shardwater.software import Software

_PARAMETERS = {
    "iterations": "iterations",
    "evalue": "evalue",
    "inclusion_evalue": "inclusion_evalue",
    "max_sequences": "max_target_seqs",
    "matrix": "matrix",
    "gap_open": "gap_open",
    "gap_extend": "gap_extend",
    "statistics": "statistics",
    "composition": "composition",
}
"""What is told of a search's parameters, and what they are called there."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The program, and the databases that rows come from, all of which was searched.

    members: of databases with clusters, of which representatives alone were searched, what became of members.
    parameters: what was asked for, by the names of the API; None in MSAs of earlier versions.
    """

    software: Software
    databases: tuple[SearchedDatabase, ...]
    certificate: Certificate
    members: MembersReport | None = None
    parameters: dict[str, Any] | None = None

    @classmethod
    def of(cls, result: Report, members: MembersReport | None = None, *, diverse: bool) -> Self:
        """Where the hits of a result come from; diverse: whether the MSA is filtered."""
        asked = {name: getattr(result.parameters, attribute) for name, attribute in _PARAMETERS.items()}
        asked["filter"] = "diverse" if diverse else "none"
        return cls(result.software, tuple(result.databases), result.certificate, members, asked)

    def brief(self) -> str:
        """One line of JSON in ASCII, without the certificate's shards."""
        told = self.as_json()
        del told["certificate"]["shards"]
        return json.dumps(told, separators=(",", ":"))

    def as_json(self) -> dict[str, Any]:
        """All of it, as a value of JSON."""
        members = {} if self.members is None else {"members": {"searched": False, **asdict(self.members)}}
        parameters = {} if self.parameters is None else {"parameters": self.parameters}
        return {
            "software": asdict(self.software),
            "databases": [asdict(each) for each in self.databases],
            "certificate": asdict(self.certificate),
            **parameters,
            **members,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What as_json or brief has written; raises ValueError."""
        try:
            certificate = dict(value["certificate"])
            members, parameters = value.get("members"), value.get("parameters")
            shards = tuple(CertifiedShard(**each) for each in certificate.pop("shards", ()))
            return cls(
                Software(**value["software"]),
                tuple(SearchedDatabase(**each) for each in value["databases"]),
                Certificate(**certificate, shards=shards),
                members and MembersReport(*(members[name] for name in ("aligned", "rows", "left_out"))),
                None if parameters is None else {str(name): value for name, value in parameters.items()},
            )
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError("it does not say which databases were searched") from error
