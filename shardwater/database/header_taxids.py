"""Taxids as headers of FASTA records have them: `OX=9606` in UniProt's, `TaxID=9606` in UniRef's."""

import numpy as np
import numpy.typing as npt

Taxids = npt.NDArray[np.uint32]

NO_TAXID = 0
"""In place of a taxid where nobody has named one."""
LARGEST = 2**32 - 1
MOST_DIGITS = 10
_KEYS = (b"OX", b"TaxID")
_MARK = ord("=")
_ZERO = ord("0")
_IS_BLANK = np.isin(np.arange(256), list(b" \t\n\v\f"))
_END = ord("\n")


def taxids_in(codes: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> Taxids:
    """The taxid of each header, NO_TAXID where it has none; of several the first.

    codes: text in which headers alone have a '='; starts: where each of them begins. A taxid is a word of its own after
    its key, from 1 to LARGEST.
    """
    found = np.zeros(len(starts), np.uint32)
    marks = np.flatnonzero(codes == _MARK)
    places = np.sort(np.concatenate([_after(codes, marks, key) for key in _KEYS]))
    if len(places):
        values = _numbers(codes, places)
        headers = np.searchsorted(starts, places, side="right") - 1
        known = values != NO_TAXID
        # Of equal places the last one that is written stays.
        found[headers[known][::-1]] = values[known][::-1]
    return found


def _after(codes: npt.NDArray[np.uint8], marks: npt.NDArray[np.int64], key: bytes) -> npt.NDArray[np.int64]:
    """The places behind the marks before which this key stands as a word."""
    marks = marks[marks > len(key)]
    for back, letter in enumerate(reversed(key), start=1):
        marks = marks[codes[marks - back] == letter]
    return marks[_IS_BLANK[codes[marks - len(key) - 1]]] + 1


def _numbers(codes: npt.NDArray[np.uint8], places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number that begins at each place, up to the next blank; NO_TAXID where there is none in bounds."""
    values = np.zeros(len(places), np.int64)
    is_open = np.ones(len(places), np.bool_)
    is_whole = np.zeros(len(places), np.bool_)
    for step in range(MOST_DIGITS + 1):
        at = places + step
        letters = np.where(at < len(codes), codes[np.minimum(at, len(codes) - 1)], _END)
        is_digit = is_open & (letters >= _ZERO) & (letters < _ZERO + 10)
        is_whole |= is_open & _IS_BLANK[letters]
        values = np.where(is_digit, 10 * values + letters - _ZERO, values)
        is_open = is_digit
    return np.where(is_whole & (values <= LARGEST), values, NO_TAXID)
