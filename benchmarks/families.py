"""A database with families as large as Swiss-Prot's, of a part of it: `python benchmarks/families.py FASTA FOLDER`.

Each protein of the FASTA file is written as it is, and with copies of which 10 to 70 % of the residues have been
drawn anew by Swiss-Prot's frequencies; one residue of 50 is left out. So every family has as many more members. The
chains to search for are stretches of 300 residues, cut from some of them, a tenth of whose residues are drawn
anew. Everything follows from the seed. FOLDER gets families.fasta and chains.fasta.
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.sequences.fasta import Record, read_fasta
from shardwater.statistics.background import background

LETTERS = np.frombuffer(b"ARNDCQEGHILKMFPSTWYV", np.uint8)
LEAST_CHANGED, MOST_CHANGED, LEFT_OUT = 0.1, 0.7, 0.02
OF_CHAINS = 0.1

Letters = npt.NDArray[np.uint8]


def changed(letters: Letters, share: float | npt.NDArray[np.float64], rng: np.random.Generator) -> Letters:
    """The same with this share of its residues, or of each one, drawn anew."""
    drawn = LETTERS[rng.choice(len(LETTERS), len(letters), p=background())]
    return np.where(rng.random(len(letters)) < share, drawn, letters)


def written(header: str, letters: Letters) -> bytes:
    """A record of FASTA."""
    return b">%b\n%b\n" % (header.encode(), letters.tobytes())


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fasta", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=4, help="of each protein, changed")
    parser.add_argument("--chains", type=int, default=1000)
    parser.add_argument("--residues", type=int, default=300, help="of a chain")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    opened = gzip.open if options.fasta.suffix == ".gz" else open
    with opened(options.fasta, "rb") as file:
        records = read_fasta(file.read())
    rng = np.random.default_rng(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    with (options.folder / "families.fasta").open("wb") as out:
        for record in records:
            letters = np.frombuffer(record.residues, np.uint8)
            out.write(written(record.header, letters))
            for number in range(1, options.copies + 1):
                kept = letters[rng.random(len(letters)) >= LEFT_OUT]
                share = rng.uniform(LEAST_CHANGED, MOST_CHANGED)
                out.write(written(f"{record.id}.{number}", changed(kept, share, rng)))
    write_chains(records, options.folder / "chains.fasta", options.chains, options.residues, rng)


def write_chains(records: list[Record], path: Path, count: int, residues: int, rng: np.random.Generator) -> None:
    """So many chains of so many residues."""
    long = [record for record in records if len(record.residues) >= residues]
    with path.open("wb") as out:
        for number in rng.permutation(len(long))[:count].tolist():
            letters = np.frombuffer(long[number].residues, np.uint8)
            first = int(rng.integers(len(letters) - residues + 1))
            out.write(written(f"chain_{long[number].id}", changed(letters[first : first + residues], OF_CHAINS, rng)))


if __name__ == "__main__":
    main()
