"""Taxids in headers: UniProt's and UniRef's, and what only looks like them."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.database.header_taxids import taxids_in


def found(*headers: bytes) -> list[int]:
    """The taxid of each header, all in one text."""
    text = b"".join(b">" + header + b"\nMKV\n" for header in headers)
    starts = np.array([place.start() for place in re.finditer(b"(?:^|(?<=\n))>", text)], np.int64)
    return taxids_in(np.frombuffer(text, np.uint8), starts).tolist()


@pytest.mark.parametrize(
    ("header", "taxid"),
    [
        (b"sp|P12345|A_HUMAN Aspartate OS=Homo sapiens OX=9606 GN=G PE=1 SV=2", 9606),
        (b"UniRef90_A0 n=1 Tax=Some fish TaxID=1572043 RepID=A0", 1572043),
        (b"a OX=7", 7),
        (b"a\tOX=7\tb", 7),
        (b"a OX=4294967295", 4294967295),
        (b"a OX=4294967296", 0),
        (b"a OX=99999999999", 0),
        (b"a OX=00000000009", 0),
        (b"a OX=9606x", 0),
        (b"a OX=", 0),
        (b"a OX= 9606", 0),
        (b"a TaxID=N/A OX=5", 5),
        (b"a OX=0 TaxID=8", 8),
        (b"OX=9606", 0),
        (b"aOX=9606", 0),
        (b"a BOX=9606 MyTaxID=5", 0),
        (b"a OX=1 OX=2 TaxID=3", 1),
        (b"a TaxID=3 OX=2", 3),
        (b"=", 0),
        (b"a X=1 D=2", 0),
        (b"plain", 0),
    ],
)
def test_a_header_has_the_first_taxid_that_is_a_word_after_its_key(header: bytes, taxid: int) -> None:
    assert found(header) == [taxid]
    assert found(b"x OX=1", header, b"y TaxID=2") == [1, taxid, 2]


@given(st.lists(st.text("OXTaxID= 019a", max_size=20).map(str.encode), min_size=1, max_size=5))
def test_taxids_are_those_of_a_regular_expression(headers: list[bytes]) -> None:
    expected = []
    for header in headers:
        numbers = [int(number) for number in re.findall(rb"[ \t](?:OX|TaxID)=(\d{1,10})(?![^ ])", header)]
        expected.append(next((number for number in numbers if 0 < number < 2**32), 0))
    assert found(*headers) == expected
