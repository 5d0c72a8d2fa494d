import numpy as np
import pytest

from shardwater.search import repeats
from shardwater.search.repeats import LEAST_CERTAIN, LONGEST_PERIOD, KnownRepeats
from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking import tantan

REPEATED = b"MKVLAADTGLAV" + b"PQGTSEK" * 6 + b"HIRNWFYCDMKL"
PLAIN = b"MKVLAADTGLAVHIRNWFYCDMKLQE"


def test_masks_are_those_of_tantan() -> None:
    masks = KnownRepeats().of([PLAIN, REPEATED])
    expected = tantan.repeats([encode(PLAIN), encode(REPEATED)], LONGEST_PERIOD, LEAST_CERTAIN)
    assert [masks[each].tolist() for each in (PLAIN, REPEATED)] == [each.tolist() for each in expected]
    assert masks[REPEATED].any()
    assert not masks[PLAIN].any()


def test_each_sequence_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = list[bytes]()

    def counted(codes: list[np.ndarray], *_: object) -> list[np.ndarray]:
        looked_at.extend(each.tobytes() for each in codes)
        return [np.zeros(len(each), np.bool_) for each in codes]

    monkeypatch.setattr(tantan, "repeats", counted)
    found = KnownRepeats()
    assert list(found.of([PLAIN, REPEATED, PLAIN])) == [PLAIN, REPEATED]
    again = KnownRepeats(found.masks)
    assert set(again.of([REPEATED, PLAIN, REPEATED[1:]])) == {REPEATED, PLAIN, REPEATED[1:]}
    assert sorted(looked_at) == sorted(encode(each).tobytes() for each in (PLAIN, REPEATED, REPEATED[1:]))


def test_what_is_known_is_believed() -> None:
    found = KnownRepeats()
    found.of([PLAIN])
    [digest] = found.masks
    assert KnownRepeats({digest: np.ones(len(PLAIN), np.bool_)}).of([PLAIN])[PLAIN].all()


def test_what_is_known_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "MOST_LETTERS", len(REPEATED) + len(PLAIN) - 1)
    found = KnownRepeats()
    masks = found.of([REPEATED, PLAIN])
    assert len(found.masks) == 1
    again = KnownRepeats(found.masks)
    assert {each: mask.tolist() for each, mask in again.of([PLAIN, REPEATED]).items()} == {
        each: mask.tolist() for each, mask in masks.items()
    }
    assert len(again.masks) == 1


def test_a_mask_of_other_letters_is_looked_for_anew() -> None:
    sound = KnownRepeats()
    sound.of([REPEATED, b""])
    damaged = KnownRepeats({digest: np.ones(3, np.bool_) for digest in sound.masks})
    masks = damaged.of([REPEATED, b""])
    assert (masks[REPEATED].tolist(), len(masks[b""])) == (sound.of([REPEATED])[REPEATED].tolist(), 0)
    assert {name: mask.tolist() for name, mask in damaged.masks.items()} == {
        name: mask.tolist() for name, mask in sound.masks.items()
    }
