"""Text that spreadsheets would take for a formula."""

FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a formula begins with in spreadsheets, in Japanese ones in the wide form too."""


def as_text(cell: str) -> str:
    """The cell as it is, or with an apostrophe before it."""
    return f"'{cell}" if cell.lstrip().startswith(FORMULAS) else cell
