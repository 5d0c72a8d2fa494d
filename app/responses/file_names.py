"""The names of files that are downloaded: by the title of the job, in letters that every system takes."""

from shardwater.formats.file_names import safe


def file_name(title: str, search: str, query: str = "", *, selected: bool = False) -> str:
    """A name without its ending; `query` is the number and id of the only query in the file."""
    parts = (safe(title) or search, safe(query), "selected" if selected else "")
    return ".".join(part for part in parts if part)
