"""What an MSA comes from: the databases that were searched, each with its version and checksum, and the certificate."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Certificate, CertifiedShard, SearchResult
from shardwater.software import Software


@dataclass(frozen=True, slots=True)
class Provenance:
    """The program, and the databases that rows come from, all of which was searched."""

    software: Software
    databases: tuple[SearchedDatabase, ...]
    certificate: Certificate

    @classmethod
    def of(cls, result: SearchResult) -> Self:
        """Where the hits of a result come from."""
        return cls(result.software, tuple(result.databases), result.certificate)

    def brief(self) -> str:
        """One line of JSON in ASCII, without the certificate's shards."""
        members = self.as_json()
        del members["certificate"]["shards"]
        return json.dumps(members, separators=(",", ":"))

    def as_json(self) -> dict[str, Any]:
        """All of it, as a value of JSON."""
        return {
            "software": asdict(self.software),
            "databases": [asdict(each) for each in self.databases],
            "certificate": asdict(self.certificate),
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What as_json or brief has written; raises ValueError."""
        try:
            certificate = dict(value["certificate"])
            shards = tuple(CertifiedShard(**each) for each in certificate.pop("shards", ()))
            return cls(
                Software(**value["software"]),
                tuple(SearchedDatabase(**each) for each in value["databases"]),
                Certificate(**certificate, shards=shards),
            )
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError("it does not say which databases were searched") from error
