"""`shardwater jackhmmer` as AlphaFold 3 calls it, on a data folder and through a server."""

from pathlib import Path

import pytest

from tests.support.alphafold import a3m_of, figures_of
from tests.support.command_line import Done, here, refused, shardwater
from tests.support.server import Server

EVALUE = 1e-4
LIMIT = 21


@pytest.fixture(scope="module")
def chain(queries: str) -> str:
    """One real protein, with some dozens of hits."""
    return "".join(queries.split(">")[2].splitlines()[1:])


def called(folder: Path, chain: str, *more: object, database: str = "demo.fasta", **options: object) -> Done:
    """Run it with the flags that AlphaFold 3 gives, which has made the files it wants before."""
    query, alignment, table = folder / "query.fasta", folder / "output.sto", folder / "tblout.txt"
    lines = (chain[start : start + 80] for start in range(0, len(chain), 80))
    query.write_text(">query\n" + "".join(f"{line}\n" for line in lines))
    for file in (alignment, table):
        file.touch()
    usual = ["-o", "/dev/null", "-A", alignment, "--noali", "--F1", 0.0005, "--F2", "5e-05", "--F3", "5e-07"]
    wanted = ["--cpu", 8, "-N", 1, "--tblout", table, "-E", EVALUE, "--incE", EVALUE, "-Z", 10**6, "--seq_limit", LIMIT]
    return here("jackhmmer", *usual, *wanted, *more, query, folder / database, **options)


def test_the_flag_that_alphafold_tries_is_there() -> None:
    done = shardwater("jackhmmer", "-h", "--seq_limit", "1")
    assert (done.returncode, done.stderr) == (0, "")


def test_alphafold_reads_what_is_written(data: Path, server: Server, chain: str, tmp_path: Path) -> None:
    done = called(tmp_path, chain, environment={"SHARDWATER_DATA": str(data)})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    rows = a3m_of((tmp_path / "output.sto").read_text(), LIMIT)
    assert (rows[0].name, rows[0].letters) == ("query", chain)
    assert len(rows) == LIMIT
    assert {len([letter for letter in row.letters if not letter.islower()]) for row in rows} == {len(chain)}
    figures = figures_of((tmp_path / "tblout.txt").read_text())
    names = [row.name.partition("/")[0] for row in rows[1:]]
    assert [*figures][: LIMIT - 1] == names
    assert list(figures.values()) == sorted(figures.values(), key=lambda each: each[0])
    assert max(evalue for evalue, _ in figures.values()) <= EVALUE
    [found] = server.search(f">query\n{chain}", evalue=EVALUE, max_target_seqs=LIMIT - 1)["results"]
    assert names == [hit["accession"] for hit in found["hits"]]
    assert [row.title for row in rows[1:]] == [hit["title"] for hit in found["hits"]]
    assert [row.species for row in rows[1:]] == [name.rpartition("_")[2] for name in names]


def test_a_server_finds_the_same(data: Path, server: Server, chain: str, tmp_path: Path) -> None:
    written = []
    for place in ({"SHARDWATER_DATA": str(data)}, {"SHARDWATER_SERVER": server.url}):
        assert called(tmp_path, chain, "-N", 2, environment=place).returncode == 0
        written.append([(tmp_path / name).read_text().splitlines() for name in ("output.sto", "tblout.txt")])
    (ours, our_table), (theirs, their_table) = written
    assert our_table == their_table
    # What was searched is the same, in as many shards as there are workers.
    assert [line for line in ours if "#=GF CC" not in line] == [line for line in theirs if "#=GF CC" not in line]
    assert len(our_table) == LIMIT - 1 + 3


def test_more_is_listed_than_is_included(data: Path, chain: str, tmp_path: Path) -> None:
    done = called(tmp_path, chain, "-E", 10, "--incE", 1e-60, environment={"SHARDWATER_DATA": str(data)})
    assert done.returncode == 0
    figures = figures_of((tmp_path / "tblout.txt").read_text())
    rows = a3m_of((tmp_path / "output.sto").read_text(), LIMIT)
    assert len(rows) - 1 == sum(evalue <= 1e-60 for evalue, _ in figures.values()) < len(figures)


def test_query_alone_where_one_row_is_wanted(data: Path, chain: str, tmp_path: Path) -> None:
    done = called(tmp_path, chain, "--seq_limit", 1, environment={"SHARDWATER_DATA": str(data)})
    assert done.returncode == 0
    [row] = a3m_of((tmp_path / "output.sto").read_text(), LIMIT)
    assert row.letters == chain


@pytest.mark.parametrize("name", ["demo.fa.gz", "demo.faa", "demo", "other.fasta"])
def test_a_file_stands_for_a_database(data: Path, chain: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "other.fasta.shardwater").write_text("demo\n")
    done = called(tmp_path, chain[:60], database=name, environment={"SHARDWATER_DATA": str(data)})
    assert done.returncode == 0
    assert "GF CC" in (tmp_path / "output.sto").read_text()


def test_what_is_wrong_is_said(data: Path, server: Server, chain: str, tmp_path: Path) -> None:
    here_, there = {"SHARDWATER_DATA": str(data)}, {"SHARDWATER_SERVER": server.url}
    assert "no database 'none'" in refused(called(tmp_path, chain, database="none.fasta", environment=here_))
    assert "no database" in refused(called(tmp_path, chain, database="none.fasta", environment=there))
    for place in (here_, there):
        assert "'1' is not an amino acid letter" in refused(called(tmp_path, "MK1", environment=place))
        assert "one query is searched for, not 2" in refused(called(tmp_path, "MK\n>b\nMK", environment=place))
    wrong = called(tmp_path, chain, "-E", 0, environment=here_)
    assert (wrong.returncode, "-E" in wrong.stderr) == (2, True)
