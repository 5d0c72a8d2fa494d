from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.matrix_costs import MatrixCosts
    from ..models.organization import Organization
    from ..models.service_limits import ServiceLimits
    from ..models.service_type import ServiceType
    from ..models.signing_key import SigningKey


T = TypeVar("T", bound="ServiceInfo")


@_attrs_define
class ServiceInfo:
    """This service, its limits, and what it can do (GA4GH service-info with additions)."""

    columns: list[str]
    commit: str
    formats: list[str]
    id: str
    letters: str
    """ How letters are read and scored. """
    limits: ServiceLimits
    """ What one search may ask for, and how long its result is kept. """
    matrices: list[MatrixCosts]
    name: str
    organization: Organization
    """ Who runs it. """
    pair_formats: list[str]
    """ Those of jobs of pairs. """
    statistics: list[str]
    type_: ServiceType
    """ What kind of service this is (GA4GH service-info). """
    version: str
    comparison_formats: list[str] | Unset = UNSET
    """ Those of comparisons. """
    msa_formats: list[str] | Unset = UNSET
    """ Those of MSAs. """
    signing: None | SigningKey | Unset = UNSET
    """ Null where results are not signed. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.signing_key import SigningKey  # noqa: PLC0415

        columns = self.columns

        commit = self.commit

        formats = self.formats

        id = self.id

        letters = self.letters

        limits = self.limits.to_dict()

        matrices = []
        for matrices_item_data in self.matrices:
            matrices_item = matrices_item_data.to_dict()
            matrices.append(matrices_item)

        name = self.name

        organization = self.organization.to_dict()

        pair_formats = self.pair_formats

        statistics = self.statistics

        type_ = self.type_.to_dict()

        version = self.version

        comparison_formats: list[str] | Unset = UNSET
        if not isinstance(self.comparison_formats, Unset):
            comparison_formats = self.comparison_formats

        msa_formats: list[str] | Unset = UNSET
        if not isinstance(self.msa_formats, Unset):
            msa_formats = self.msa_formats

        signing: dict[str, Any] | None | Unset
        if isinstance(self.signing, Unset):
            signing = UNSET
        elif isinstance(self.signing, SigningKey):
            signing = self.signing.to_dict()
        else:
            signing = self.signing

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "columns": columns,
                "commit": commit,
                "formats": formats,
                "id": id,
                "letters": letters,
                "limits": limits,
                "matrices": matrices,
                "name": name,
                "organization": organization,
                "pair_formats": pair_formats,
                "statistics": statistics,
                "type": type_,
                "version": version,
            }
        )
        if comparison_formats is not UNSET:
            field_dict["comparison_formats"] = comparison_formats
        if msa_formats is not UNSET:
            field_dict["msa_formats"] = msa_formats
        if signing is not UNSET:
            field_dict["signing"] = signing

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.matrix_costs import MatrixCosts  # noqa: PLC0415
        from ..models.organization import Organization  # noqa: PLC0415
        from ..models.service_limits import ServiceLimits  # noqa: PLC0415
        from ..models.service_type import ServiceType  # noqa: PLC0415
        from ..models.signing_key import SigningKey  # noqa: PLC0415

        d = dict(src_dict)
        columns = cast(list[str], d.pop("columns"))

        commit = d.pop("commit")

        formats = cast(list[str], d.pop("formats"))

        id = d.pop("id")

        letters = d.pop("letters")

        limits = ServiceLimits.from_dict(d.pop("limits"))

        matrices = []
        _matrices = d.pop("matrices")
        for matrices_item_data in _matrices:
            matrices_item = MatrixCosts.from_dict(matrices_item_data)

            matrices.append(matrices_item)

        name = d.pop("name")

        organization = Organization.from_dict(d.pop("organization"))

        pair_formats = cast(list[str], d.pop("pair_formats"))

        statistics = cast(list[str], d.pop("statistics"))

        type_ = ServiceType.from_dict(d.pop("type"))

        version = d.pop("version")

        comparison_formats = cast(list[str], d.pop("comparison_formats", UNSET))

        msa_formats = cast(list[str], d.pop("msa_formats", UNSET))

        def _parse_signing(data: object) -> None | SigningKey | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                signing_type_0 = SigningKey.from_dict(data)

                return signing_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SigningKey | Unset, data)

        signing = _parse_signing(d.pop("signing", UNSET))

        service_info = cls(
            columns=columns,
            commit=commit,
            formats=formats,
            id=id,
            letters=letters,
            limits=limits,
            matrices=matrices,
            name=name,
            organization=organization,
            pair_formats=pair_formats,
            statistics=statistics,
            type_=type_,
            version=version,
            comparison_formats=comparison_formats,
            msa_formats=msa_formats,
            signing=signing,
        )

        service_info.additional_properties = d
        return service_info

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
