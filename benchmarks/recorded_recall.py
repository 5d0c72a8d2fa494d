"""How many rows of an MSA that another service has made are found again, among proteins that are none of it:

    python benchmarks/recorded_recall.py RECORDED.a3m PROTEINS [--limits 1e-10 1e-5 1e-3 0.1 10]

The A3M has the query first; of a row's header the fourth field between tabs is its E-value, as ColabFold's servers
write it. All rows without their gaps are subjects of one database, beside the proteins (FASTA). It is searched as for
ColabFold's clients, in three rounds that include what has an E-value to 0.1, but reported to the largest limit. Printed
is, for each limit, how many rows the other service has to that E-value, how many of these we have to the same one, and
how many of the proteins.
"""

import argparse
import gzip
import tempfile
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.formats.fasta import fasta_text
from shardwater.sequences.fasta import Record, read_fasta
from worker.cli.run_search import Destination, search_here
from worker.cli.subjects import Subjects, open_subjects
from worker.jobs.chain_requests import ChainRequest

LIMITS = (1e-10, 1e-5, 1e-3, 0.1, 10)
INCLUDED, ROUNDS, MOST = 0.1, 3, 50_000


def main() -> None:
    """Search and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorded", type=Path, metavar="RECORDED.a3m")
    parser.add_argument("proteins", type=Path, metavar="PROTEINS")
    parser.add_argument("--limits", type=float, nargs="+", default=LIMITS)
    options = parser.parse_args()
    query, *rows = read_fasta(_without_gaps(_text(options.recorded)))
    theirs = {_name(number): float(row.header.split("\t")[3]) for number, row in enumerate(rows)}
    with tempfile.TemporaryDirectory() as folder:
        fasta = Path(folder, "rows.fasta")
        fasta.write_text("".join(fasta_text(_name(number), row.residues.upper()) for number, row in enumerate(rows)))
        built = build_database([fasta, options.proteins], Path(folder), name="both").manifest
        print(f"{len(rows):,} rows among {built.subjects:,} subjects, {built.residues:,} residues\n")
        ours = found_here(query, Path(folder), max(options.limits))
    print("| E-value to | recorded | of these found | recall | proteins found |\n|---|---|---|---|---|")
    for limit in options.limits:
        told = {name for name, evalue in theirs.items() if evalue <= limit}
        found = {name for name, evalue in ours.items() if evalue <= limit}
        both, others = len(told & found), len(found - theirs.keys())
        print(f"| {limit:g} | {len(told):,} | {both:,} | {both / max(1, len(told)):.1%} | {others:,} |")


def found_here(query: Record, data: Path, evalue: float) -> dict[str, float]:
    """E-values of the last round, by the subject's name."""
    chain = ChainRequest(
        residues=query.residues.decode(),
        database="both",
        iterations=ROUNDS,
        evalue=evalue,
        inclusion_evalue=INCLUDED,
        max_sequences=MOST,
        filter="none",
    )
    with open_subjects(Subjects(data, ("both",))) as opened:
        [one] = search_here([chain.query], chain.parameters, opened, Destination(None, 0)).result.results
    print(f"included, round by round: {', '.join(f'{each.included:,}' for each in one.rounds)}\n")
    return {hit.accession: hit.evalue for hit in one.hits if hit.evalue is not None}


def _name(number: int) -> str:
    return f"recorded|{number}"


def _without_gaps(a3m: bytes) -> bytes:
    lines = a3m.splitlines(keepends=True)
    return b"".join(line if line.startswith(b">") else line.replace(b"-", b"") for line in lines)


def _text(file: Path) -> bytes:
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


if __name__ == "__main__":
    main()
