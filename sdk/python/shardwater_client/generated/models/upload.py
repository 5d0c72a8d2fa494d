from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.upload_kind import UploadKind, check_upload_kind

T = TypeVar("T", bound="Upload")


@_attrs_define
class Upload:
    """Sequences that were uploaded, for work whose input is larger than a request."""

    bytes_: int
    """ Of its text, unpacked. """
    created_at: datetime.datetime
    expires_at: datetime.datetime
    """ When it is removed, unless work needs it longer. """
    id: str
    kind: UploadKind
    letters: int
    """ Of all records. """
    records: int
    sha256: str
    """ Of its text, unpacked, as `sha256sum` prints it. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bytes_ = self.bytes_

        created_at = self.created_at.isoformat()

        expires_at = self.expires_at.isoformat()

        id = self.id

        kind: str = self.kind

        letters = self.letters

        records = self.records

        sha256 = self.sha256

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bytes": bytes_,
                "created_at": created_at,
                "expires_at": expires_at,
                "id": id,
                "kind": kind,
                "letters": letters,
                "records": records,
                "sha256": sha256,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        bytes_ = d.pop("bytes")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        id = d.pop("id")

        kind = check_upload_kind(d.pop("kind"))

        letters = d.pop("letters")

        records = d.pop("records")

        sha256 = d.pop("sha256")

        upload = cls(
            bytes_=bytes_,
            created_at=created_at,
            expires_at=expires_at,
            id=id,
            kind=kind,
            letters=letters,
            records=records,
            sha256=sha256,
        )

        upload.additional_properties = d
        return upload

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
