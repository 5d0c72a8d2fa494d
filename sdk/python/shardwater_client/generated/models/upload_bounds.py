from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="UploadBounds")


@_attrs_define
class UploadBounds:
    """What may be uploaded and kept; an upload is kept as long as a search."""

    max_kept_upload_bytes: int
    """ Of all uploads, unpacked. """
    max_owner_upload_bytes: int
    """ Of all uploads of one owner, unpacked. """
    max_owner_uploads: int
    """ That one owner has. """
    max_upload_bytes: int
    """ Of one upload, as it comes and unpacked. """
    max_upload_letters: int
    """ Of one sequence. """
    max_upload_records: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        max_kept_upload_bytes = self.max_kept_upload_bytes

        max_owner_upload_bytes = self.max_owner_upload_bytes

        max_owner_uploads = self.max_owner_uploads

        max_upload_bytes = self.max_upload_bytes

        max_upload_letters = self.max_upload_letters

        max_upload_records = self.max_upload_records

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "max_kept_upload_bytes": max_kept_upload_bytes,
                "max_owner_upload_bytes": max_owner_upload_bytes,
                "max_owner_uploads": max_owner_uploads,
                "max_upload_bytes": max_upload_bytes,
                "max_upload_letters": max_upload_letters,
                "max_upload_records": max_upload_records,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        max_kept_upload_bytes = d.pop("max_kept_upload_bytes")

        max_owner_upload_bytes = d.pop("max_owner_upload_bytes")

        max_owner_uploads = d.pop("max_owner_uploads")

        max_upload_bytes = d.pop("max_upload_bytes")

        max_upload_letters = d.pop("max_upload_letters")

        max_upload_records = d.pop("max_upload_records")

        upload_bounds = cls(
            max_kept_upload_bytes=max_kept_upload_bytes,
            max_owner_upload_bytes=max_owner_upload_bytes,
            max_owner_uploads=max_owner_uploads,
            max_upload_bytes=max_upload_bytes,
            max_upload_letters=max_upload_letters,
            max_upload_records=max_upload_records,
        )

        upload_bounds.additional_properties = d
        return upload_bounds

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
