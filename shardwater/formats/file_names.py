"""Names of files that users' own words are part of."""

import re
import unicodedata

LONGEST = 60
"""Of a title or an id in a name, in letters."""


def safe(text: str) -> str:
    """A text as part of a file's name: ASCII letters, digits, dots, hyphens and underscores, no dot first."""
    # Python sorts marks that combine with a letter in quadratic time; what is cut off here would be later.
    plain = unicodedata.normalize("NFKD", text[: 2 * LONGEST]).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain)[:LONGEST].strip("._-")
