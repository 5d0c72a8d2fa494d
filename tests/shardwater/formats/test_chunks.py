from shardwater.formats.chunks import in_chunks


def test_small_pieces_are_joined_and_large_ones_cut():
    pieces = ["ab", "c", b"d", "é" * 5, "x"]
    assert list(in_chunks(pieces, 4)) == [b"abcd", "éé".encode(), "éé".encode(), "éx".encode()]


def test_nothing_gives_nothing():
    assert list(in_chunks([])) == []
    assert list(in_chunks(["", b""])) == []


def test_pieces_are_taken_only_as_they_are_needed():
    def pieces():
        yield "abcd"
        raise AssertionError

    assert next(in_chunks(pieces(), 4)) == b"abcd"
