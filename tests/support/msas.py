"""MSAs written by hand: rows with insertions, deletions, ends outside, strange letters; and families made by chance."""

from dataclasses import replace

import numpy as np

from shardwater.msa.msa import FIGURES, Msa
from shardwater.msa.provenance import Provenance
from shardwater.msa.stacking import NewRow, stacked
from shardwater.msa.texts import Texts
from shardwater.search.databases import SearchedDatabase
from shardwater.search.hits import Hsp
from shardwater.search.merge import Certificate, CertifiedShard
from shardwater.sequences.fasta import Record
from shardwater.software import Software

RESIDUES = np.frombuffer(b"ACDEFGHIKLMNPQRSTVWY", np.uint8)
PROVENANCE = Provenance(
    Software("1.2.3", "unknown"),
    (SearchedDatabase("swiss", "2026_01", "0" * 64, 12, 3456), SearchedDatabase("env", "7", "1" * 64, 5, 600)),
    Certificate(True, 17, 4056, 40560, (CertifiedShard(0, 17, 4056, 40560, "cpu"),)),
    parameters={"iterations": 3, "filter": "none"},
)
ORGANISMS = {9606: "Homo sapiens", 10090: "Mus musculus"}


def aligned(qseq, hseq, query_from=1, hit_from=1):
    """An HSP of two rows."""
    pairs = list(zip(qseq, hseq, strict=True))
    kinds = ["D" if q == "-" else "I" if h == "-" else "=" if q.upper() == h.upper() else "X" for q, h in pairs]
    cigar, count = "", 0
    for kind, after in zip(kinds, [*kinds[1:], ""], strict=True):
        count += 1
        if kind != after:
            cigar, count = f"{cigar}{count}{kind}", 0
    return Hsp(
        query_from,
        query_from - 1 + sum(kind != "D" for kind in kinds),
        hit_from,
        hit_from - 1 + sum(kind != "I" for kind in kinds),
        kinds.count("="),
        kinds.count("="),
        kinds.count("D") + kinds.count("I"),
        len(kinds),
        cigar,
        qseq,
        "",
        hseq,
    )


def member(header, hsp, length=99, score=50, bits=23.5, evalue=1e-5, taxid=0):
    return NewRow(header, length, hsp, score, bits, evalue, taxid)


# The columns of the query:        M   K  T  A Y I A K Q R
QUERY = Record("q1 my query", b"MKTAYIAKQR")
MEMBERS = (
    member("sp|P1|A_HUMAN Alpha OS=Homo sapiens OX=9606", aligned("MKTAYIAKQR", "MKTAYIAKQR", 1, 5), taxid=9606),
    member("P2", aligned("KT--AYIAK", "KSWWAY-AR", 2, 11), bits=7.5, evalue=0.25, taxid=10090),
    member("P3 gamma\tchain", aligned("MKTAY-IA", "mkuBYcI*"), evalue=None, bits=None),
    member("P2", aligned("MKT-A", "MKTWA", 1, 70), score=20, bits=3.0, evalue=12.0, taxid=10090),
)
MSA = stacked(QUERY, MEMBERS, ORGANISMS, PROVENANCE)
ROWS = (b"MKTAYIAKQR", b"-KSwwAY-AR--", b"MKUBYcIX---", b"MKTwA------")


def of_rows(query, *rows, taxids=None):
    """An MSA of rows in A3M, named r1, r2, ..., about which nothing else is known but taxids."""
    figures = np.zeros(len(rows), FIGURES)
    letters = []
    for number, row in enumerate(rows):
        body = row.strip("-")
        start = len(row) - len(row.lstrip("-")) if body else 0
        columns = sum(not letter.islower() for letter in body)
        figures[number] = (np.nan, np.nan, start, start + columns, *[0] * 9)
        letters.append(body.encode())
    if taxids:
        figures["taxid"] = taxids
    headers = Texts.of(b"r%d" % (number + 1) for number in range(len(rows)))
    return Msa(Record("q", query.encode()), figures, headers, Texts.of(letters))


def family(rows, columns=120, seed=1, clades=5):
    """A query and rows by chance that are more or less like it, some of them of a part alone."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 20, columns)
    ancestors = [
        np.where(rng.random(columns) < each, query, rng.integers(0, 20, columns))
        for each in np.linspace(0.1, 0.9, clades)
    ]
    found = []
    for number in range(rows):
        letters = np.where(
            rng.random(columns) < rng.uniform(0.4, 1.0), ancestors[number % clades], rng.integers(0, 20, columns)
        )
        text = RESIDUES[letters].tobytes().decode()
        if number % 4 == 0:
            begin = int(rng.integers(0, columns // 2))
            text = "-" * begin + text[begin : begin + columns // 2] + "-" * (columns - begin - columns // 2)
        found.append(text)
    return of_rows(RESIDUES[query].tobytes().decode(), *found)


def rows_of(msa):
    """The rows as A3M writes them."""
    return [msa.a3m(number) for number in range(len(msa))]


def without_provenance(msa):
    return replace(msa, provenance=None)
