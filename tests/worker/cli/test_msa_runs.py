"""Runs that are begun, gone on with, and not mixed."""

import errno
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shardwater.sequences.fasta import Record
from worker.cli.msa_outputs import UNFINISHED, Choice, MsaLines
from worker.cli.msa_queries import Query
from worker.cli.msa_runs import STATE, OtherRun, begun

CHOICE = Choice(("a3m",), then=False, pairs=False)
DEMO = {"name": "demo", "version": "1", "checksum": "c"}
ASKED = {"queries": "digest", "databases": [DEMO], "evalue": 0.1, "formats": ["a3m"]}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_same_request_goes_on_in_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "new" / "msas"
    with begun(out, CHOICE, ASKED) as run:
        assert (run.resumed, names(out)) == (False, {STATE})
        first = run.name
    (out / UNFINISHED).touch()
    with begun(out, CHOICE, ASKED) as run:
        assert (run.resumed, run.name) == (True, first)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"queries": "other"}, "was begun with other queries"),
        ({"evalue": 1}, "was begun with evalue 0.1, not 1"),
        ({"databases": [DEMO | {"version": "2"}]}, "was begun with databases demo@1, not demo@2"),
        ({"databases": []}, "was begun with databases demo@1, not none"),
        ({"formats": ["a3m", "m8"]}, "was begun with formats a3m, not a3m m8"),
    ],
)
@pytest.mark.parametrize("name", ["msas", "msas.ndjson"])
def test_another_request_is_refused(tmp_path: Path, name: str, changed: dict[str, Any], words: str) -> None:
    out = tmp_path / name
    leave(out)
    with pytest.raises(OtherRun, match=words), begun(out, CHOICE, {**ASKED, **changed}):
        pass


def leave(out: Path, line: bytes = b"{}\n") -> None:
    """Begin, and do not end."""
    with pytest.raises(ZeroDivisionError), begun(out, CHOICE, ASKED) as run:
        if isinstance(run.output, MsaLines):
            run.output.file.write(line)
        raise ZeroDivisionError


def test_two_do_not_write_at_a_time(tmp_path: Path) -> None:
    for out in (tmp_path / "msas", tmp_path / "msas.ndjson"):
        with begun(out, CHOICE, ASKED), pytest.raises(OtherRun, match="another command"), begun(out, CHOICE, ASKED):
            pass


def test_what_another_one_has_just_ended_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, lock = tmp_path / "out.ndjson", fcntl.flock
    leave(out)

    def ended_meanwhile(file: int, how: int) -> None:
        (tmp_path / ".out.ndjson.part").replace(out)
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", ended_meanwhile)
    with pytest.raises(OtherRun, match="has just written it"), begun(out, CHOICE, ASKED):
        pass
    assert out.read_bytes() == b"{}\n"


def test_a_folder_with_other_files_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(OtherRun, match="has other files"), begun(tmp_path, CHOICE, ASKED):
        pass
    assert names(tmp_path) == {"thesis.txt"}


@pytest.mark.parametrize("text", ["{}", "[" * 100_000, None], ids=["empty", "deep", "pipe"])
def test_a_state_that_cannot_be_read_is_told(tmp_path: Path, text: str | None) -> None:
    if text is None:
        os.mkfifo(tmp_path / STATE)
    else:
        (tmp_path / STATE).write_text(text)
    with pytest.raises(OtherRun, match="does not say"), begun(tmp_path, CHOICE, ASKED):
        pass


def test_another_files_link_is_not_written_into(tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("kept")
    (tmp_path / ".out.ndjson.part").hardlink_to(other)
    with pytest.raises(OtherRun, match="another file's link"), begun(tmp_path / "out.ndjson", CHOICE, ASKED):
        pass
    assert other.read_text() == "kept"


def test_who_begins_while_another_one_ends_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, replace = tmp_path / "out.ndjson", Path.replace

    def begun_meanwhile(path: Path, target: Path) -> Path:
        replaced = replace(path, target)
        if target == out:
            monkeypatch.setattr(Path, "replace", replace)
            leave(out, b'{"number": 1}\n')
        return replaced

    monkeypatch.setattr(Path, "replace", begun_meanwhile)
    with begun(out, CHOICE, ASKED):
        pass
    with begun(out, CHOICE, ASKED) as run:
        assert run.resumed


def test_lines_go_on_after_the_last_whole_one(tmp_path: Path) -> None:
    out = tmp_path / "msas.ndjson"
    out.write_text("of an earlier run")
    leave(out, b'{"number": 1}\n{"error": "x", "number": 2}\n{"numb')
    assert out.read_text() == "of an earlier run"
    with begun(out, CHOICE, ASKED) as run:
        assert isinstance(run.output, MsaLines)
        assert (run.resumed, run.output.done, run.output.failed) == (True, 2, 1)
        run.output.file.write(b'{"number": 3}\n')
    assert [json.loads(line)["number"] for line in out.read_text().splitlines()] == [1, 2, 3]
    assert names(tmp_path) == {"msas.ndjson"}


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_written_through_a_link_that_somebody_has_left(tmp_path: Path, there: bool) -> None:
    folder, other = tmp_path / "out", tmp_path / "other"
    folder.mkdir()
    out = folder / "msas.ndjson"
    if there:
        other.write_text("somebody's\n")
    for link in (f".{out.name}.part", f".{out.name}.new"):
        (folder / link).symlink_to(other)
    leave(out)
    assert (other.read_text() if there else other.exists()) == ("somebody's\n" if there else False)
    with begun(out, CHOICE, ASKED) as run:
        assert run.resumed
    assert out.read_bytes() == b"{}\n"
    assert names(folder) == {out.name}


@pytest.mark.parametrize("name", ["msas", "msas.ndjson"])
def test_a_full_disk_is_told_with_the_name_of_what_is_written(tmp_path: Path, name: str) -> None:
    class Full:
        query = Query(1, "q", (Record("q", b"MK"),))

        def written(self, *_: object) -> Iterator[bytes]:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as caught, begun(tmp_path / name, CHOICE, ASKED) as run:
        run.output.take(Full())
    assert str(caught.value.filename).startswith(str(tmp_path / name))


def test_lines_begin_anew_where_none_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "msas.ndjson"
    leave(out, b'{"numb')
    with begun(out, CHOICE, {**ASKED, "evalue": 1}) as run:
        assert (run.resumed, run.output.has) == (False, run.output.has)
    assert out.read_bytes() == b""
