"""How AlphaFold 3 reads what jackhmmer writes, by its published rules (alphafold3.data: parsers, jackhmmer, msa)."""

import re
from dataclasses import dataclass

SPECIES = re.compile(r"(?:tr|sp)\|(?:[A-Z0-9]{6,10})(?:_\d+)?\|(?:[A-Z0-9]{1,10}_)(?P<species>[A-Z0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class A3mRow:
    """A row of the A3M that it makes of Stockholm."""

    name: str
    title: str
    letters: str

    @property
    def species(self) -> str:
        """By which it pairs chains; '' where the name has none."""
        found = SPECIES.match(self.name)
        return found["species"] if found else ""


def a3m_of(stockholm: str, most: int) -> list[A3mRow]:
    """What it makes of the first rows: columns in which the query has `-` are insertions of the others."""
    rows: dict[str, str] = {}
    for line in stockholm.splitlines():
        if not line.strip() or line.startswith(("#", "//")):
            continue
        name, letters = line.split(maxsplit=1)
        if name in rows or len(rows) < most:
            rows[name] = rows.get(name, "") + letters
    titles = {}
    for line in stockholm.splitlines():
        columns = line.split(maxsplit=3)
        if line.startswith("#=GS") and columns[2] == "DE" and columns[1] in rows:
            titles[columns[1]] = columns[3] if len(columns) == 4 else ""
    query = next(iter(rows.values()))
    found = []
    for name, letters in rows.items():
        pairs = zip(letters, query, strict=True)
        kept = [letter if own != "-" else letter.lower() for letter, own in pairs if own != "-" or letter != "-"]
        found.append(A3mRow(name, titles.get(name, ""), "".join(kept)))
    return found


def figures_of(table: str) -> dict[str, tuple[float, float]]:
    """E-value and bit score by name, as it reads them to merge the MSAs of several databases."""
    found = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            evalue, bits = line.split(maxsplit=6)[4:6]
            found[line.partition(" ")[0]] = (float(evalue), float(bits))
    return found
