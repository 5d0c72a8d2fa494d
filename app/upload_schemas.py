"""Shapes of uploads over HTTP."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field


class Upload(BaseModel):
    """Sequences that were uploaded, for work whose input is larger than a request."""

    id: str
    kind: Literal["protein", "dna"] = Field(description="Its alphabet: the one that was said, or else guessed.")
    records: int
    letters: int = Field(description="Of all records.")
    bytes: int = Field(description="Of its text, unpacked.")
    sha256: str = Field(description="Of its text, unpacked, as `sha256sum` prints it.")
    created_at: datetime
    expires_at: datetime = Field(description="When it is removed, unless work needs it longer.")


class UploadPage(BaseModel):
    """A page of uploads, newest first."""

    items: list[Upload]
    next_page_token: str = Field(description="For the next page; empty on the last one.")


class UploadBounds(BaseModel):
    """What may be uploaded and kept; an upload is kept as long as a search."""

    max_upload_bytes: int = Field(description="Of one upload, as it comes and unpacked.")
    max_upload_records: int
    max_upload_letters: int = Field(description="Of one sequence.")
    max_owner_uploads: int = Field(description="That one owner has.")
    max_owner_upload_bytes: int = Field(description="Of all uploads of one owner, unpacked.")
    max_kept_upload_bytes: int = Field(description="Of all uploads, unpacked.")
