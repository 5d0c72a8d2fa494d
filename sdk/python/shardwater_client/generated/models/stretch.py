from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Stretch")


@_attrs_define
class Stretch:
    """Letters of a record, counted from 1, the last one with them."""

    from_: int
    record: str
    """ Its name; or `#2`, where several have one: the second of its genome, if none is called so. """
    to: int

    def to_dict(self) -> dict[str, Any]:
        from_ = self.from_

        record = self.record

        to = self.to

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "from": from_,
                "record": record,
                "to": to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        from_ = d.pop("from")

        record = d.pop("record")

        to = d.pop("to")

        stretch = cls(
            from_=from_,
            record=record,
            to=to,
        )

        return stretch
