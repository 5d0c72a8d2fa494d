"""The parts of a result as plain JSON, as json.loads would give them."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def plain_of(value: Any) -> Any:
    """A value of a result: what pydantic would write, without the text between."""
    if is_dataclass(value):
        # Python keeps some words to itself: such a member has a line after its name, which the JSON has not.
        return {
            each.name.rstrip("_"): plain_of(getattr(value, each.name))
            for each in fields(value)
            if not _is_left_out(each.metadata, getattr(value, each.name))
        }
    if isinstance(value, (list, tuple)):
        return [plain_of(each) for each in value]
    return value


def _is_left_out(metadata: Mapping[str, Any], value: Any) -> bool:
    """What pydantic, too, makes of a field's metadata."""
    return metadata.get("exclude", False) or ("exclude_if" in metadata and metadata["exclude_if"](value))
