from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.database_alphabet import DatabaseAlphabet, check_database_alphabet
from ..models.database_state import DatabaseState, check_database_state
from ..models.database_taxonomy import DatabaseTaxonomy, check_database_taxonomy
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.database_info_replaced import DatabaseInfoReplaced


T = TypeVar("T", bound="DatabaseInfo")


@_attrs_define
class DatabaseInfo:
    """A database of this server."""

    alphabet: DatabaseAlphabet
    checksum: str
    created_at: datetime.datetime
    longest: int
    name: str
    replaced: DatabaseInfoReplaced
    """ Residues that score as X, by letter. """
    residues: int
    sequences: int
    shards: int
    state: DatabaseState
    title: str
    version: str
    member_residues: int | Unset = 0
    """ Residues of these. """
    members: int | Unset = 0
    """ Sequences that others represent, as members of their clusters: kept, not searched. """
    taxa: int | Unset = 0
    """ Different taxids that its sequences have. """
    taxonomy: DatabaseTaxonomy | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        alphabet: str = self.alphabet

        checksum = self.checksum

        created_at = self.created_at.isoformat()

        longest = self.longest

        name = self.name

        replaced = self.replaced.to_dict()

        residues = self.residues

        sequences = self.sequences

        shards = self.shards

        state: str = self.state

        title = self.title

        version = self.version

        member_residues = self.member_residues

        members = self.members

        taxa = self.taxa

        taxonomy: str | Unset = UNSET
        if not isinstance(self.taxonomy, Unset):
            taxonomy = self.taxonomy

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "alphabet": alphabet,
                "checksum": checksum,
                "created_at": created_at,
                "longest": longest,
                "name": name,
                "replaced": replaced,
                "residues": residues,
                "sequences": sequences,
                "shards": shards,
                "state": state,
                "title": title,
                "version": version,
            }
        )
        if member_residues is not UNSET:
            field_dict["member_residues"] = member_residues
        if members is not UNSET:
            field_dict["members"] = members
        if taxa is not UNSET:
            field_dict["taxa"] = taxa
        if taxonomy is not UNSET:
            field_dict["taxonomy"] = taxonomy

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.database_info_replaced import DatabaseInfoReplaced  # noqa: PLC0415

        d = dict(src_dict)
        alphabet = check_database_alphabet(d.pop("alphabet"))

        checksum = d.pop("checksum")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        longest = d.pop("longest")

        name = d.pop("name")

        replaced = DatabaseInfoReplaced.from_dict(d.pop("replaced"))

        residues = d.pop("residues")

        sequences = d.pop("sequences")

        shards = d.pop("shards")

        state = check_database_state(d.pop("state"))

        title = d.pop("title")

        version = d.pop("version")

        member_residues = d.pop("member_residues", UNSET)

        members = d.pop("members", UNSET)

        taxa = d.pop("taxa", UNSET)

        _taxonomy = d.pop("taxonomy", UNSET)
        taxonomy: DatabaseTaxonomy | Unset
        if isinstance(_taxonomy, Unset):
            taxonomy = UNSET
        else:
            taxonomy = check_database_taxonomy(_taxonomy)

        database_info = cls(
            alphabet=alphabet,
            checksum=checksum,
            created_at=created_at,
            longest=longest,
            name=name,
            replaced=replaced,
            residues=residues,
            sequences=sequences,
            shards=shards,
            state=state,
            title=title,
            version=version,
            member_residues=member_residues,
            members=members,
            taxa=taxa,
            taxonomy=taxonomy,
        )

        database_info.additional_properties = d
        return database_info

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
