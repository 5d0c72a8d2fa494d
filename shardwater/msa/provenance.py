"""What an MSA comes from: the databases that were searched, each with its version and checksum, and certificates."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from shardwater.search.merge import Certificate, CertifiedShard, DatabaseUsed
from shardwater.software import Software


@dataclass(frozen=True, slots=True)
class Source:
    """A database that was searched, and that all of it was."""

    database: DatabaseUsed
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Provenance:
    """The program and the databases that rows come from."""

    software: Software
    sources: tuple[Source, ...]

    def brief(self) -> str:
        """One line of JSON in ASCII, without the certificates' shards."""
        members = self.as_json()
        for source in members["databases"]:
            del source["certificate"]["shards"]
        return json.dumps(members, separators=(",", ":"))

    def as_json(self) -> dict[str, Any]:
        """All of it, as a value of JSON."""
        databases = [asdict(each.database) | {"certificate": asdict(each.certificate)} for each in self.sources]
        return {"software": asdict(self.software), "databases": databases}

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """What as_json or brief has written; raises ValueError."""
        try:
            software = Software(**value["software"])
            sources = tuple(_source(**each) for each in value["databases"])
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError("it does not say which databases were searched") from error
        return cls(software, sources)


def _source(name: str, version: str, checksum: str, certificate: dict[str, Any]) -> Source:
    shards = tuple(CertifiedShard(**each) for each in certificate.pop("shards", ()))
    return Source(DatabaseUsed(name, version, checksum), Certificate(**certificate, shards=shards))
