"""The names of files that are downloaded: by the title of the job, in letters that every system takes."""

import re
import unicodedata

LONGEST = 60
"""Of a title or an id in a name, in letters."""


def file_name(title: str, search: str, query: str = "", *, selected: bool = False) -> str:
    """A name without its ending; `query` is the number and id of the only query in the file."""
    parts = (safe(title) or search, safe(query), "selected" if selected else "")
    return ".".join(part for part in parts if part)


def safe(text: str) -> str:
    """A text as part of a file's name: ASCII letters, digits, dots, hyphens and underscores, no dot first."""
    # Python sorts marks that combine with a letter in quadratic time; what is cut off here would be later.
    plain = unicodedata.normalize("NFKD", text[: 2 * LONGEST]).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain)[:LONGEST].strip("._-")
