"""What an MSA comes from: the databases that were searched, each with its version and checksum, and the certificate."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from shardwater.search.clusters import MembersReport
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Certificate, CertifiedShard, SearchResult
from shardwater.software import Software


@dataclass(frozen=True, slots=True)
class Provenance:
    """The program, and the databases that rows come from, all of which was searched.

    members: of databases with clusters, of which representatives alone were searched, what became of members.
    """

    software: Software
    databases: tuple[SearchedDatabase, ...]
    certificate: Certificate
    members: MembersReport | None = None

    @classmethod
    def of(cls, result: SearchResult, members: MembersReport | None = None) -> Self:
        """Where the hits of a result come from."""
        return cls(result.software, tuple(result.databases), result.certificate, members)

    def brief(self) -> str:
        """One line of JSON in ASCII, without the certificate's shards."""
        told = self.as_json()
        del told["certificate"]["shards"]
        return json.dumps(told, separators=(",", ":"))

    def as_json(self) -> dict[str, Any]:
        """All of it, as a value of JSON."""
        members = {} if self.members is None else {"members": {"searched": False, **asdict(self.members)}}
        return {
            "software": asdict(self.software),
            "databases": [asdict(each) for each in self.databases],
            "certificate": asdict(self.certificate),
            **members,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What as_json or brief has written; raises ValueError."""
        try:
            certificate = dict(value["certificate"])
            members = value.get("members")
            shards = tuple(CertifiedShard(**each) for each in certificate.pop("shards", ()))
            return cls(
                Software(**value["software"]),
                tuple(SearchedDatabase(**each) for each in value["databases"]),
                Certificate(**certificate, shards=shards),
                members and MembersReport(*(members[name] for name in ("aligned", "rows", "left_out"))),
            )
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError("it does not say which databases were searched") from error
