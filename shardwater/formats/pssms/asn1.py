"""PSI-BLAST's own text of a PSSM: ASN.1, `PssmWithParameters` (NCBI's scoremat.asn), as -out_pssm and -in_pssm have it.

Columns are positions of the query, rows the 28 letters of NCBIstdaa. Scores that are none are -32768 there.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.formats.pssms.asn1_notation import Asn1Error, Block, numbers, octets, quoted, read_value, string
from shardwater.formats.pssms.saved import SavedPssm, query_of
from shardwater.plural import plural
from shardwater.scoring.pssm import MOST_PSSM, STOP, Pssm
from shardwater.scoring.scoring import Scores, Scoring
from shardwater.sequences.alphabet import LETTERS, X_CODE
from shardwater.statistics.background import RESIDUES

KIND = "PssmWithParameters"
STDAA = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ"
"""NCBIstdaa's letters, by code."""
NO_SCORE = -32_768
DIGITS = 9
"""Of a mantissa, at most: what numbers of 32 bits have."""

_PLACES = [STDAA.index(letter) for letter in LETTERS]
_OTHERS = [place for place, letter in enumerate(STDAA) if letter not in LETTERS and letter != "-"]


def write_asn1(saved: SavedPssm) -> Iterator[str]:
    """The text, in parts."""
    query, pssm = saved.query, saved.query.pssm
    assert pssm is not None
    codes = "".join(f"{STDAA.index(letter):02X}" for letter in query.residues.decode().upper())
    yield (
        f"{KIND} ::= {{\n  pssm {{\n    isProtein TRUE,\n    numRows {len(STDAA)},\n    numColumns {len(pssm)},\n"
        f"    byRow FALSE,\n    query seq {{\n      id {{\n        local str {quoted(query.id or 'query')}\n      }},\n"
        f"      descr {{\n        title {quoted(query.header)}\n      }},\n      inst {{\n        repr raw,\n"
        f"        mol aa,\n        length {len(pssm)},\n        seq-data ncbistdaa '"
    )
    yield "\n".join(codes[start : start + 78] for start in range(0, len(codes), 78)) + "'H\n      }\n    },\n"
    if saved.expected is not None:
        yield "    intermediateData {\n      freqRatios {\n"
        table = np.zeros((len(pssm), len(STDAA)))
        table[:, _PLACES[:RESIDUES]] = saved.expected
        yield from _listed(table, _real)
        yield "\n      }\n    },\n"
    yield "    finalData {\n      scores {\n"
    scores = np.full((len(pssm), len(STDAA)), NO_SCORE)
    scores[:, _PLACES], scores[:, _OTHERS] = pssm.scores, pssm.scores[:, [X_CODE]]
    yield from _listed(scores, str)
    yield "\n      }"
    row = saved.row
    if row is not None:
        yield f",\n      lambda {_real(row.lambda_)},\n      kappa {_real(row.kappa)},\n      h {_real(row.entropy)}"
    yield (
        f"\n    }}\n  }},\n  params {{\n    pseudocount 0,\n    rpsdbparams {{\n"
        f'      matrixName "{saved.matrix}",\n      gapOpen {saved.gap_open},\n'
        f"      gapExtend {saved.gap_extend}\n    }}\n  }}\n}}\n"
    )


def _listed(table: npt.NDArray[np.generic], write: Callable[[Any], str]) -> Iterator[str]:
    """All values, in parts of a column each."""
    for number, column in enumerate(table):
        yield (",\n" if number else "") + ",\n".join(f"        {write(value)}" for value in column.tolist())


def _real(value: float) -> str:
    """A number as mantissa, base and exponent."""
    if value == 0:
        return "{ 0, 10, 0 }"
    mantissa, exponent = f"{value:.{DIGITS - 1}e}".split("e")
    digits = mantissa.replace(".", "").rstrip("0")
    return f"{{ {digits}, 10, {int(exponent) - (len(digits.lstrip('-')) - 1)} }}"


def read_asn1(text: str) -> SavedPssm:
    """A PSSM with its query, as PSI-BLAST writes it. Raises Asn1Error and ScoringError.

    One without scores, as a checkpoint of frequencies alone, is none.
    """
    whole = read_value(text, KIND)
    pssm = whole.block("pssm")
    if (rows := _number(pssm.word("numRows"))) != len(STDAA) or pssm.find("byRow") not in (None, "FALSE"):
        raise Asn1Error(f"a PSSM of proteins has {len(STDAA)} rows, and its scores stand column by column; here {rows}")
    positions = _number(pssm.word("numColumns"))
    header, residues = _query(pssm)
    if len(residues) != positions:
        raise Asn1Error(f"the query has {plural(len(residues), 'residue')}, and the PSSM {plural(positions, 'column')}")
    made = _by_code(_scores(pssm.block("finalData").word("scores"), positions))
    return SavedPssm(query_of(header, residues, made), *_scoring(whole))


def _query(pssm: Block) -> tuple[str, str]:
    """The query's title and its letters."""
    sequence = pssm.block("query")
    codes = octets(sequence.block("inst").word("seq-data"))
    if not codes or max(codes) >= len(STDAA) or 0 in codes:
        raise Asn1Error("the query's letters are not those of NCBIstdaa, or there are none")
    titles = sequence.find("descr")
    title = titles.find("title") if isinstance(titles, Block) else None
    return string(title) if isinstance(title, str) else "", "".join(STDAA[code] for code in codes)


def _scoring(whole: Block) -> tuple[str, int, int]:
    """What the PSSM says of matrix and gap costs; the usual ones where it says nothing."""
    params = whole.find("params")
    used = params.find("rpsdbparams") if isinstance(params, Block) else None
    matrix = string(used.word("matrixName")) if isinstance(used, Block) else "BLOSUM62"
    costs = [used.find(name) for name in ("gapOpen", "gapExtend")] if isinstance(used, Block) else [None]
    if None in costs:
        usual = Scoring.recommended(matrix)
        return usual.matrix, usual.gap_open, usual.gap_extend
    gap_open, gap_extend = map(_number, costs)
    return matrix, gap_open, gap_extend


def _scores(word: str, positions: int) -> Scores:
    """All scores, (positions, 28), none of them further from 0 than 32,768."""
    if (given := word.count(",") + 1) != positions * len(STDAA):
        raise Asn1Error(f"there are {given:,} scores for {positions:,} columns of {len(STDAA)}")
    values = numbers(word)
    if min(values) < NO_SCORE or max(values) > -NO_SCORE:
        raise Asn1Error(f"a score is further from 0 than {-NO_SCORE:,}")
    return np.array(values, np.int32).reshape(positions, len(STDAA))


def _number(word: str | Block | None) -> int:
    # Longer ones are none of ours, and take long to read.
    if not isinstance(word, str) or len(word) > 20 or not word.removeprefix("-").isdecimal():
        raise Asn1Error(f"{word[:20]!r} is no whole number" if isinstance(word, str) else "a block stands for a number")
    return int(word)


def _by_code(scores: Scores) -> Pssm:
    """Scores by residue code; those of the other letters that PSI-BLAST leaves out follow from the residues'."""
    given = scores[:, _PLACES]
    if (given[:, :RESIDUES] == NO_SCORE).any():
        raise ScoringError("a residue has no score at some position")
    made = Pssm.of_residues(given[:, :RESIDUES].astype(np.float64), STOP)
    return Pssm(np.where(given == NO_SCORE, made.scores, np.maximum(given, -MOST_PSSM)))
