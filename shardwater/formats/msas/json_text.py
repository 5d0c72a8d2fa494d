"""JSON: all that is known of an MSA, a row a line; places count from 1 and are included, as in a search's result.

Identity and coverage are in per cent; they are null, as bits and E-value, in a row of pairs that has no partner.
"""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from shardwater.formats.msas.reading import LIMITS, Gathered, Limits, Line, MsaFormatError, letters_of, lines_of
from shardwater.formats.msas.row_headers import Told
from shardwater.msa.msa import Msa, Row
from shardwater.msa.provenance import Provenance

FORMAT = "shardwater-msa/1"
_LAST = b"]}"
_WHOLE = "hit_from", "hit_to", "length", "score", "taxid"
_MOST = 1 << 31


def write_json(msa: Msa) -> Iterator[bytes]:
    """The MSA; of each row also the letters in A3M, as `row`."""
    head = {
        "format": FORMAT,
        "searched": msa.provenance.as_json() if msa.provenance else None,
        "query": {"header": msa.query.header, "length": msa.columns, "row": msa.query.residues.decode("ascii")},
        "organisms": {str(taxid): name for taxid, name in msa.organisms.items()},
    }
    yield f'{json.dumps(head)[:-1]}, "rows": ['.encode()
    for number, row in enumerate(msa):
        yield (",\n" if number else "\n").encode()
        yield json.dumps(_members(msa, number, row)).encode()
    yield b"\n%b\n" % _LAST


def _members(msa: Msa, number: int, row: Row) -> dict[str, Any]:
    coverage = (row.query_end - row.query_start) / msa.columns
    return {
        "name": row.name,
        "title": row.title,
        "length": row.length,
        "score": row.score,
        "bits": row.bits,
        "evalue": row.evalue,
        "identity": 100 * row.identity if row.name else None,
        "query_coverage": 100 * coverage if row.name else None,
        "query_from": row.query_start + 1,
        "query_to": row.query_end,
        "hit_from": row.subject_start + 1,
        "hit_to": row.subject_end,
        "taxid": row.taxid or None,
        "organism": msa.organisms.get(row.taxid),
        "representative": row.representative or None,
        "row": msa.a3m(number).decode("ascii"),
    }


def read_json(file: BinaryIO, limits: Limits = LIMITS) -> Msa:
    """An MSA as write_json has written it, line by line. Raises MsaFormatError and LimitExceeded."""
    lines = lines_of(file, limits)
    first = next(lines, Line(1, b""))
    head = _parsed(Line(first.number, first.text + _LAST))
    try:
        if head["format"] != FORMAT:
            raise MsaFormatError(f"its format is not {FORMAT}", 1)
        provenance = Provenance.from_json(head["searched"]) if head["searched"] else None
        organisms = {int(taxid): str(name) for taxid, name in head["organisms"].items()}
        gathered = Gathered(limits)
        gathered.query(str(head["query"]["header"]), _letters(head["query"]["row"], 1), 1)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise MsaFormatError(f"its first line is not that of {FORMAT}", 1) from None
    last = first
    for last in lines:
        if last.text == _LAST:
            return gathered.msa(organisms, provenance)
        _take(gathered, last)
    raise MsaFormatError("it ends before its rows do", last.number)


def _take(gathered: Gathered, line: Line) -> None:
    row = _parsed(Line(line.number, line.text.removesuffix(b",")))
    try:
        start, end, length, score, taxid = (int(row[name] or 0) for name in _WHOLE)
        bits, evalue = (None if row[name] is None else float(row[name]) for name in ("bits", "evalue"))
        if max(map(abs, (start, end, length, score, taxid))) >= _MOST:
            raise ValueError
        # Earlier versions knew of none.
        representative = str(row.get("representative") or "")
        header = f"{row['name']} {row['title']}".strip()
        told = Told(header, start - 1, end, length, bits, evalue, score, representative)
        letters = _letters(row["row"], line.number)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise MsaFormatError("it is no row with all its members", line.number) from None
    gathered.add(told, letters, line.number, taxid)


def _letters(value: Any, line: int) -> bytes:
    return letters_of(Line(line, str(value).encode("utf-8", "replace")))


def _parsed(line: Line) -> Any:
    try:
        return json.loads(line.text)
    except json.JSONDecodeError as error:
        raise MsaFormatError(error.msg, line.number, error.colno) from None
    except (ValueError, RecursionError):
        raise MsaFormatError("it is no JSON that can be read", line.number) from None
