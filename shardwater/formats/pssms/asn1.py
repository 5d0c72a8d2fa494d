"""PSI-BLAST's own text of a PSSM: ASN.1, `PssmWithParameters` (NCBI's scoremat.asn), as -out_pssm and -in_pssm have it.

Columns are positions of the query, rows the 28 letters of NCBIstdaa. Scores that are none are -32768 there.
"""

from collections.abc import Iterator

import numpy as np

from shardwater.errors import ScoringError
from shardwater.formats.pssms.asn1_notation import Asn1Error, Block, octets, quoted, read_value, string
from shardwater.formats.pssms.saved import SavedPssm, Shares
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Scores, Scoring
from shardwater.sequences.alphabet import LETTERS, X_CODE
from shardwater.sequences.fasta import Record
from shardwater.statistics.background import RESIDUES
from shardwater.statistics.evalue import published_row

KIND = "PssmWithParameters"
STDAA = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ"
"""NCBIstdaa's letters, by code."""
NO_SCORE = -32_768
DIGITS = 15
"""Of a mantissa, at most."""

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
        yield ",\n".join(f"        {_real(value)}" for value in table.ravel().tolist())
        yield "\n      }\n    },\n"
    yield "    finalData {\n      scores {\n"
    scores = np.full((len(pssm), len(STDAA)), NO_SCORE)
    scores[:, _PLACES], scores[:, _OTHERS] = pssm.scores, pssm.scores[:, [X_CODE]]
    yield ",\n".join(f"        {value}" for value in scores.ravel().tolist())
    yield "\n      }"
    row = published_row(saved.scoring)
    if row is not None:
        yield f",\n      lambda {_real(row.lambda_)},\n      kappa {_real(row.kappa)},\n      h {_real(row.entropy)}"
    yield (
        f"\n    }}\n  }},\n  params {{\n    pseudocount 0,\n    rpsdbparams {{\n"
        f'      matrixName "{saved.scoring.matrix}",\n      gapOpen {saved.scoring.gap_open},\n'
        f"      gapExtend {saved.scoring.gap_extend}\n    }}\n  }}\n}}\n"
    )


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
    query = _query(pssm)
    if len(query.residues) != positions:
        raise Asn1Error(f"the query has {len(query.residues):,} residues, and the PSSM {positions:,} columns")
    scoring = _scoring(whole)
    made = _by_code(_numbers(pssm.block("finalData", "scores"), positions), scoring)
    return SavedPssm(Record(query.header, query.residues, pssm=made), scoring, _expected(pssm, positions))


def _query(pssm: Block) -> Record:
    """The query's record: its header is the id, unless that is local, and the title."""
    sequence = pssm.block("query")
    codes = octets(sequence.block("inst").word("seq-data"))
    if not codes or max(codes) >= len(STDAA) or 0 in codes:
        raise Asn1Error("the query's letters are not those of NCBIstdaa, or there are none")
    titles = sequence.find("descr")
    title = titles.find("title") if isinstance(titles, Block) else None
    header = string(title) if isinstance(title, str) else ""
    return Record(header.strip() or "query_1", "".join(STDAA[code] for code in codes).encode())


def _scoring(whole: Block) -> Scoring:
    """What the PSSM says of matrix and gap costs; the usual ones where it says nothing."""
    params = whole.find("params")
    used = params.find("rpsdbparams") if isinstance(params, Block) else None
    if not isinstance(used, Block):
        return Scoring.recommended("BLOSUM62")
    usual = Scoring.recommended(string(used.word("matrixName")))
    costs = [used.find(name) for name in ("gapOpen", "gapExtend")]
    if costs[0] is None or costs[1] is None:
        return usual
    return Scoring(usual.matrix, _number(costs[0]), _number(costs[1]))


def _expected(pssm: Block, positions: int) -> Shares | None:
    between = pssm.find("intermediateData")
    ratios = between.find("freqRatios") if isinstance(between, Block) else None
    if not isinstance(ratios, Block):
        return None
    values = np.array([_real_value(element[-1]) for element in ratios.elements])
    if len(values) != positions * len(STDAA):
        raise Asn1Error(f"there are {len(values):,} freqRatios for {positions:,} columns of {len(STDAA)}")
    return values.reshape(positions, len(STDAA))[:, _PLACES[:RESIDUES]]


def _real_value(value: str | Block) -> float:
    if isinstance(value, str) or len(value.elements) != 3:
        raise Asn1Error("a real number stands as { mantissa, base, exponent }")
    mantissa, base, exponent = (_number(element[-1]) for element in value.elements)
    if base not in (2, 10) or abs(exponent) > 1100 or abs(mantissa) > 1 << 63:
        raise Asn1Error("a real number of base 2 or 10 within the range of doubles is needed")
    try:
        return float(f"{mantissa}e{exponent}") if base == 10 else float(mantissa) * 2.0**exponent
    except OverflowError:
        raise Asn1Error("a real number is beyond the range of doubles") from None


def _numbers(block: Block, positions: int) -> Scores:
    """All scores, (positions, 28), none of them further from 0 than 32,768."""
    values = [_number(element[-1]) for element in block.elements]
    if len(values) != positions * len(STDAA):
        raise Asn1Error(f"there are {len(values):,} scores for {positions:,} columns of {len(STDAA)}")
    if values and (min(values) < NO_SCORE or max(values) > -NO_SCORE):
        raise Asn1Error(f"a score is further from 0 than {-NO_SCORE:,}")
    return np.array(values, np.int32).reshape(positions, len(STDAA))


def _number(word: str | Block) -> int:
    # Longer ones are none of ours, and take long to read.
    if not isinstance(word, str) or len(word) > 20 or not word.removeprefix("-").isdecimal():
        raise Asn1Error(f"{word[:20]!r} is no whole number" if isinstance(word, str) else "a block stands for a number")
    return int(word)


def _by_code(scores: Scores, scoring: Scoring) -> Pssm:
    """Scores by residue code; those of the other letters that PSI-BLAST leaves out follow from the residues'."""
    given = scores[:, _PLACES]
    if (given[:, :RESIDUES] == NO_SCORE).any():
        raise ScoringError("a residue has no score at some position")
    made = Pssm.of_residues(given[:, :RESIDUES].astype(np.float64), int(scoring.scores.min()))
    return Pssm(np.where(given == NO_SCORE, made.scores, np.maximum(given, -MOST_PSSM)))
