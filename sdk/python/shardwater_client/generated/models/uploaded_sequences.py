from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="UploadedSequences")


@_attrs_define
class UploadedSequences:
    """Sequences that were uploaded."""

    upload: str
    """ Its id, from /v1/uploads. """

    def to_dict(self) -> dict[str, Any]:
        upload = self.upload

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "upload": upload,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        upload = d.pop("upload")

        uploaded_sequences = cls(
            upload=upload,
        )

        return uploaded_sequences
