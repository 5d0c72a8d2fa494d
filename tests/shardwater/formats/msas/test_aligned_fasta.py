import io

import pytest

from shardwater.formats.msas.aligned_fasta import read_aligned_fasta, write_aligned_fasta
from shardwater.formats.msas.reading import MsaFormatError
from tests.support.msas import MSA, rows_of


def test_all_rows_have_all_columns():
    lines = b"".join(write_aligned_fasta(MSA)).splitlines()
    assert lines[1::2] == [b"MKT--AY-IAKQR", b"MKT--AY-IAKQR", b"-KSWWAY--AR--", b"MKU--BYCIX---", b"MKTW-A-------"]
    assert lines[4].startswith(b">P2\t8\t0.444")


def test_the_first_rows_gaps_are_insertions_of_the_others():
    found = read_aligned_fasta(io.BytesIO(b">q\nM-K\n.T\n>r\nMaK\nwt\n>s\n--*-T\n"))
    assert found.query.residues == b"MKT"
    assert rows_of(found) == [b"MaKwT", b"-XT"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (b"", (1, None), "there is no row"),
        (b">q\nMKT\n>r\nMK\n", (4, None), "the row has 2 columns, the first one 3"),
        (b">q\nMKT\n>r\nM K;\n", (4, 4), "';' is no letter"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, where, what):
    with pytest.raises(MsaFormatError, match="line") as caught:
        read_aligned_fasta(io.BytesIO(text))
    assert (caught.value.line, caught.value.column) == where
    assert what in str(caught.value)
