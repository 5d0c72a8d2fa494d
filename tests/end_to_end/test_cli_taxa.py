"""What the command line says of taxids."""

from pathlib import Path

from tests.support.command_line import here
from tests.support.taxonomies import build_with_taxa

SEQUENCE = "MKVLAAWQHISSTRENDLGG" * 2


def test_that_a_database_has_no_tree_is_said_once(tmp_path: Path) -> None:
    build_with_taxa(tmp_path, [("a OX=562", SEQUENCE), ("b OX=9606", SEQUENCE)], tree=False)
    query = tmp_path / "q.fasta"
    query.write_text(f">a\n{SEQUENCE}\n>b\n{SEQUENCE}\n>c\n{SEQUENCE}\n")
    data = tmp_path / "data"
    done = here("search", "-query", query, "-db", "taxa", "--data", data, "-taxids", 562, "-outfmt", 6)
    assert done.returncode == 0
    [told] = [line for line in done.stderr.splitlines() if "no tree of taxids" in line]
    assert told.startswith("shardwater: warning: no tree of taxids in taxa: each taxid stands there for ")
