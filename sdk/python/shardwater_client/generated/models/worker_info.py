from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.worker_state import WorkerState, check_worker_state

T = TypeVar("T", bound="WorkerInfo")


@_attrs_define
class WorkerInfo:
    """A worker: of a shard, or of pairs alone, which needs no database."""

    cells_per_second: float
    """ In a long query, by what its searches have taken. """
    database: None | str
    """ null of a worker without a database, as are version, shard and shards. """
    device_memory_bytes: int | None
    """ The device's memory in use, by whomever; null without one. """
    device_memory_total_bytes: int | None
    """ The device's memory; null without one. """
    engine: str
    """ What computes: `cpu`, or the device's name. """
    heartbeat_age_s: float
    host: str
    memory_bytes: int
    """ What the process holds of the machine's memory. """
    name: str
    pid: int
    shard: int | None
    shards: int | None
    """ Of how many it is one. """
    software: str
    """ The version of Shardwater that it runs. """
    state: WorkerState
    version: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells_per_second = self.cells_per_second

        database: None | str
        database = self.database

        device_memory_bytes: int | None
        device_memory_bytes = self.device_memory_bytes

        device_memory_total_bytes: int | None
        device_memory_total_bytes = self.device_memory_total_bytes

        engine = self.engine

        heartbeat_age_s = self.heartbeat_age_s

        host = self.host

        memory_bytes = self.memory_bytes

        name = self.name

        pid = self.pid

        shard: int | None
        shard = self.shard

        shards: int | None
        shards = self.shards

        software = self.software

        state: str = self.state

        version: None | str
        version = self.version

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells_per_second": cells_per_second,
                "database": database,
                "device_memory_bytes": device_memory_bytes,
                "device_memory_total_bytes": device_memory_total_bytes,
                "engine": engine,
                "heartbeat_age_s": heartbeat_age_s,
                "host": host,
                "memory_bytes": memory_bytes,
                "name": name,
                "pid": pid,
                "shard": shard,
                "shards": shards,
                "software": software,
                "state": state,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        cells_per_second = d.pop("cells_per_second")

        def _parse_database(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        database = _parse_database(d.pop("database"))

        def _parse_device_memory_bytes(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        device_memory_bytes = _parse_device_memory_bytes(d.pop("device_memory_bytes"))

        def _parse_device_memory_total_bytes(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        device_memory_total_bytes = _parse_device_memory_total_bytes(d.pop("device_memory_total_bytes"))

        engine = d.pop("engine")

        heartbeat_age_s = d.pop("heartbeat_age_s")

        host = d.pop("host")

        memory_bytes = d.pop("memory_bytes")

        name = d.pop("name")

        pid = d.pop("pid")

        def _parse_shard(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        shard = _parse_shard(d.pop("shard"))

        def _parse_shards(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        shards = _parse_shards(d.pop("shards"))

        software = d.pop("software")

        state = check_worker_state(d.pop("state"))

        def _parse_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        version = _parse_version(d.pop("version"))

        worker_info = cls(
            cells_per_second=cells_per_second,
            database=database,
            device_memory_bytes=device_memory_bytes,
            device_memory_total_bytes=device_memory_total_bytes,
            engine=engine,
            heartbeat_age_s=heartbeat_age_s,
            host=host,
            memory_bytes=memory_bytes,
            name=name,
            pid=pid,
            shard=shard,
            shards=shards,
            software=software,
            state=state,
            version=version,
        )

        worker_info.additional_properties = d
        return worker_info

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
