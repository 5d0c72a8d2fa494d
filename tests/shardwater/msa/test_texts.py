import numpy as np

from shardwater.msa.texts import Texts

TEXTS = [b"one", b"", b"three"]


def test_texts_are_found_by_number():
    texts = Texts.of(TEXTS)
    assert len(texts) == 3
    assert list(texts) == TEXTS
    assert texts[2] == b"three"
    assert texts.lengths.tolist() == [3, 0, 5]


def test_texts_are_taken_in_any_order_and_more_than_once():
    assert list(Texts.of(TEXTS).take(np.array([2, -1, 0, 2]))) == [b"three", b"", b"one", b"three"]


def test_there_may_be_no_text():
    texts = Texts.of([])
    assert len(texts) == 0
    assert list(texts) == []
    assert list(texts.take(np.array([-1]))) == [b""]
