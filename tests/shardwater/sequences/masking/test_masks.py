"""Masks by the name of their rule."""

from shardwater.sequences.masking.masks import masks_of, runs_of

BOTH = b"MKTAYIAKQRqisfvksHFSRLEERLGLIEVWAPILHCRVGDGTNDNLSGAWKAVNVKC" + b"Q" * 30 + b"W"


def places(mask, sequence=BOTH):
    [found] = masks_of([sequence], mask)
    return runs_of(found).tolist()


def test_each_rule_masks_its_own():
    assert places("none") == []
    assert places("soft") == [[10, 17]]
    assert places("seg") == [[59, 89]]
    [[first, end]] = places("tantan")
    assert (60 <= first <= 61, 88 <= end <= 90) == (True, True)


def test_soft_is_lower_case_alone():
    assert places("soft", b"aB*z-X{`@[") == [[0, 1], [3, 4]]


def test_runs_reach_to_either_end():
    assert places("soft", b"aaBaa") == [[0, 2], [3, 5]]
    assert places("soft", b"") == []
