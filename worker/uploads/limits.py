"""What may be uploaded and kept: published by /v1/service-info, enforced while an upload comes and as it is kept."""

from dataclasses import dataclass

from shardwater.errors import AlignError
from shardwater.sequences.checking import SequenceBounds


class UploadNotFound(AlignError):
    """An upload that never was, that is somebody else's, or whose time is over."""


@dataclass(frozen=True, slots=True)
class UploadLimits(SequenceBounds):
    """Bounds of one upload, of what an owner has, and of what is kept in all."""

    max_upload_records: int = 10_000_000
    max_upload_letters: int = 300_000_000
    max_upload_bytes: int = 2_000_000_000
    """As it comes, and unpacked."""
    max_owner_uploads: int = 1000
    max_owner_upload_bytes: int = 20_000_000_000
    max_kept_upload_bytes: int = 100_000_000_000
