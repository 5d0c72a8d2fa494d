import numpy as np
import pytest

from shardwater.sequences.alphabet import LETTERS, count_replaced, decode, encode


def test_letters_are_coded_in_the_order_of_the_matrices():
    assert encode(b"ARNDCQEGHILKMFPSTWYVBZX*").tolist() == list(range(24))


def test_lower_case_is_coded_as_upper_case():
    assert encode(b"arndcqeghilkmfpstwyvbzx").tolist() == list(range(23))


@pytest.mark.parametrize("letter", [b"U", b"u", b"O", b"J", b"-", b" ", b"7", b"\x00", b"\xff"])
def test_a_letter_without_a_row_is_coded_as_x(letter):
    assert encode(letter).tolist() == [22]


def test_stop_is_a_letter_of_its_own():
    assert encode(b"M*").tolist() == [12, 23]


def test_codes_are_bytes():
    assert encode(b"MKV").dtype == np.uint8


def test_no_residues_give_no_codes():
    assert encode(b"").tolist() == []
    assert decode(encode(b"")) == b""
    assert count_replaced(b"") == {}


def test_every_code_decodes_to_its_letter():
    assert decode(np.arange(24, dtype=np.uint8)) == LETTERS.encode()


def test_a_replaced_letter_decodes_to_x():
    assert decode(encode(b"mkUv")) == b"MKXV"


def test_replaced_residues_are_counted_by_upper_case_letter_in_letter_order():
    assert count_replaced(b"MuUKOJjjXB*") == {"J": 3, "O": 1, "U": 2}


def test_x_b_z_and_stop_are_not_counted_as_replaced():
    assert count_replaced(b"XxBbZz*") == {}
