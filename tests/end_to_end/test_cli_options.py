"""Options of the command line: BLAST+'s words, files of several kinds, and folders that are not there."""

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from shardwater import __version__
from tests.support.command_line import here, refused, search, search_here, shardwater
from tests.support.server import COMMAND, FASTA, PATIENCE_S, Server
from worker.cli.blast_flags import BLAST_FLAGS
from worker.cli.main import cli

ROOT = Path(__file__).parents[2]
OTHER_MASK = "but the command has another -mask: remove one of the two"


def test_unknown_word_with_one_dash_is_named_with_one_that_is_alike(small: Path, query: Path) -> None:
    for word, advice in (
        ("-evalues", "(did you mean -evalue?)"),
        ("-max_target_seq=3", "(did you mean -max_target_seqs?)"),
    ):
        assert f"No such option: {word.partition('=')[0]} {advice}" in " ".join(
            search(small, query, word).stderr.split()
        )


def test_value_may_begin_with_a_dash_and_follow_an_equals_sign(small: Path, query: Path) -> None:
    done = search(small, query, "-title", "-evalue", "-outfmt=6 qseqid", "-max_target_seqs=1", "-evalue=1000")
    assert (done.returncode, done.stdout) == (0, "q\n")


def test_packed_queries_are_read(small: Path, query: Path, tmp_path: Path) -> None:
    packed = gzip.compress(query.read_bytes())
    (tmp_path / "q.fasta.gz").write_bytes(packed)
    plain = search_here(small, query, "-outfmt", "6", "-evalue", "1000")
    assert search_here(small, tmp_path / "q.fasta.gz", "-outfmt", "6", "-evalue", "1000").stdout == plain.stdout != ""
    (tmp_path / "cut.gz").write_bytes(packed[:-9])
    assert "corrupt or truncated gzip file" in refused(search_here(small, tmp_path / "cut.gz"))


def test_filters_and_numbers_of_alignments_are_flags(small: Path, query: Path) -> None:
    def found(*flags: str) -> list[tuple[str, bool]]:
        [one] = json.loads(search_here(small, query, "-outfmt", "json", "-evalue", "1000", *flags).stdout)["results"]
        return [(hit["accession"], bool(hit["hsps"])) for hit in one["hits"]]

    assert found() == [("one", True), ("two", True), ("three", True)]
    assert found("-num_alignments", "1") == [("one", True), ("two", False), ("three", False)]
    assert found("-min_identity", "99", "-qcov_hsp_perc", "75") == [("one", True)]
    assert found("-statistics", "table", "-min_bits", "30") == [("one", True)]
    assert found("-num_threads", "1") == found()


def test_data_folder_is_that_of_the_environment_unless_a_server_is_named(
    server: Server, small: Path, query: Path
) -> None:
    environment = {"SHARDWATER_DATA": str(small)}
    flags = ["-query", query, "-outfmt", "6 sseqid", "-evalue", "1000", "-max_target_seqs", "1"]
    found = here("search", "-db", "small", *flags, environment=environment)
    assert (found.returncode, found.stdout) == (0, "one\n")
    there = here("search", "-db", "demo", *flags, "--server", server.url, environment=environment)
    assert (there.returncode, there.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ["db", "list"],
        ["db", "verify", "small"],
        ["key", "create", "--name", "lab"],
        ["key", "list"],
        ["purge"],
        ["search", "-db", "small", "-query", "-"],
    ],
)
def test_data_folder_that_is_not_there_is_refused_and_not_made(tmp_path: Path, command: list[str]) -> None:
    line = refused(here(*command, "--data", tmp_path / "typo", environment={"SHARDWATER_REDIS_URL": ""}))
    assert line == f"{tmp_path}/typo: no such folder; name the data folder by --data or SHARDWATER_DATA"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["--version"], ["search", "-version"]])
def test_version_is_shown(words: list[str]) -> None:
    done = shardwater(*words)
    assert (done.returncode, done.stderr) == (0, "")
    # Without the commit where nothing says it.
    assert re.fullmatch(rf"shardwater {re.escape(__version__)}( \([0-9a-f]{{12}}\))?\n", done.stdout)


def table(*arguments: object, **options: object) -> list[list[str]]:
    """The rows that a search writes; it may call a part of a query short."""
    done = here("search", "-outfmt", "6 std qlen", "-evalue", "1000", "-statistics", "table", *arguments, **options)
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "it is short" not in line] == []
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_part_of_the_query_is_searched_and_placed_in_the_whole(server: Server, small: Path, query: Path) -> None:
    # MKVLAAGWDEHHKLMCCCCC: of the second half only one is left that is like the first.
    [row] = table("-query", query, "-db", "small", "--data", small, "-query_loc", "9-15", "-max_target_seqs", "1")
    assert row[:10] == ["q", "one", "100.000", "7", "0", "0", "9", "15", "9", "15"]
    assert row[12] == "20"
    part = table("-query", "-", "-db", "small", "--data", small, "-max_target_seqs", "1", input=">q\nDEHHKLM\n")[0]
    assert row[10:12] == part[10:12]
    there = table("-query", query, "-db", "demo", "--server", server.url, "-query_loc", "9-15", "-max_target_seqs", "3")
    assert all(9 <= int(row[6]) <= int(row[7]) <= 15 for row in there)
    assert len(there) == 3
    for place in (("-db", "small", "--data", small), ("-db", "demo", "--server", server.url)):
        line = refused(here("search", "-query", query, *place, "-query_loc", "21-30"))
        assert line.endswith("21-30 is no part of record 1, which is 1-20")


def test_listed_sequences_alone_are_searched(small: Path, query: Path, tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("\ufeffthree\n# chosen\n\ntwo\ntwo\n")
    flags = ["-query", query, "-db", "small", "--data", small, "-seqidlist", tmp_path / "ids"]
    assert [row[1] for row in table(*flags)] == ["two", "three"]
    done = here("search", *flags, "-outfmt", "json", "-evalue", "1000", "-statistics", "table")
    result = json.loads(done.stdout)
    assert result["database"]["name"] == "small (2 of 3 sequences)"
    certificate = result["certificate"]
    assert (certificate["exact"], certificate["subjects"], certificate["residues"]) == (True, 2, 36)
    assert certificate["cells"] == 36 * 20
    fasta = here("search", *flags, "-outfmt", "fasta", "-evalue", "1000", "-statistics", "table")
    assert fasta.stdout.startswith(">two\nMKVLAAGWMKVLAAGW\n>three\n")
    (tmp_path / "ids").write_text("two\nnobody\n")
    assert refused(here("search", *flags)) == f"{tmp_path}/ids: line 2: no sequence 'nobody' in small"
    (tmp_path / "ids").write_text("\n")
    assert refused(here("search", *flags)) == f"{tmp_path}/ids: no accession in it"


def test_fasta_file_is_searched_without_a_database(query: Path, tmp_path: Path) -> None:
    (tmp_path / "subjects.fasta").write_text(FASTA)
    rows = table("-query", query, "-subject", tmp_path / "subjects.fasta", cwd=tmp_path)
    assert [row[1] for row in rows] == ["one", "two", "three"]
    assert [path.name for path in tmp_path.iterdir()] == ["subjects.fasta"]
    (tmp_path / "subjects.fasta").write_text(f"{FASTA}>dna\n{'ACGTNACGGT' * 30}\n")
    done = here("search", "-query", query, "-subject", tmp_path / "subjects.fasta", "-outfmt", "6")
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["one", "two", "three"]
    [warning] = [line for line in done.stderr.splitlines() if "DNA" in line]
    assert warning.startswith("shardwater: warning: 1 of 4 records looks like DNA")
    (tmp_path / "subjects.fasta").write_text(">a\nMK1\n")
    line = refused(here("search", "-query", query, "-subject", tmp_path / "subjects.fasta"))
    assert line.startswith(f"{tmp_path}/subjects.fasta: record 1, line 2, column 3: ")


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["-db", "small", "-subject", "x"],
        ["-subject", "x", "-seqidlist", "x"],
        ["-db", "small", "--server", "http://x", "-seqidlist", "x"],
        ["-db", "small", "--server", "http://x", "--data", "x"],
    ],
)
def test_flags_that_contradict_each_other_are_refused(query: Path, flags: list[str]) -> None:
    done = here("search", "-query", query, *flags)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-evalue", "0"], "Invalid value for -evalue: a number above 0 is needed"),
        (["-gapopen", "-1"], "Invalid value for -gapopen: 0 or more is needed"),
        (["-ungapped"], "-ungapped: not supported: alignments always have gaps"),
        (["-seg", "10 1 2"], "-seg: not supported: '10 1 2'. Use yes (SEG with 12 2.2 2.5) or no"),
        (["-searchsp", "5"], "-searchsp: not supported: E-values weigh the length of each sequence. Use -dbsize"),
        (["-dbsize", "-1"], "Invalid value for '-dbsize' / '--dbsize'"),
        (["-sorthits", "3"], "-sorthits: not supported: use 0 (by E-value) or 1 (by score), or sort the table"),
        (["-word_size"], "-word_size needs a value"),
        (["-seg", "yes", "--mask=tantan"], f"-seg yes means -mask seg, {OTHER_MASK}"),
        (["-lcase_masking", "-seg", "yes"], f"-seg yes means -mask seg, {OTHER_MASK}"),
        (
            ["-subject_besthit", "-max_hsps", "5"],
            "-subject_besthit means -max_hsps 1, but the command has another -max_hsps",
        ),
        (
            ["-composition=none", "-comp_based_stats", "2"],
            "-comp_based_stats 2 means -composition adjusted, but the command has another -composition",
        ),
        (
            ["-comp_based_stats", "D", "-comp_based_stats", "0"],
            "-comp_based_stats 0 means -composition none, but the command has another -composition",
        ),
        (["-sum_stats", "true"], "-sum_stats: not supported: E-values are for single alignments"),
    ],
)
def test_wrong_value_of_a_flag_is_told_in_a_sentence(
    small: Path, query: Path, arguments: list[str], sentence: str
) -> None:
    done = search_here(small, query, *arguments, environment={"COLUMNS": "200"})
    assert (done.returncode, sentence in done.stderr) == (2, True)


def test_flag_that_is_refused_beside_another_word_is_not_warned_of(small: Path, query: Path) -> None:
    for flags in (["-subject_besthit", "--max_hsps=2"], ["-comp_based_stats", "1", "-composition", "none"]):
        done = search_here(small, query, *flags)
        assert (done.returncode, "warning" in done.stderr) == (2, False)


def test_flags_that_ask_for_what_is_done_anyway_are_taken(small: Path, query: Path) -> None:
    for value in ("0", "f"):
        flags = ["-outfmt=6 qseqid", "-max_target_seqs=1", "-statistics=table", "-seg=no", "-comp_based_stats", value]
        flags += ["-sum_stats", value]
        done = search_here(small, query, *flags)
        assert (done.returncode, done.stdout, done.stderr) == (0, "q\n", "")
    size = search_here(small, query, "-dbsize", "0", "-outfmt", "json")
    assert "dbsize" not in json.loads(size.stdout)["parameters"]
    flags = ["-comp_based_stats=0", "-composition=adjusted"]
    both = search_here(small, query, *flags, environment={"COLUMNS": "200"})
    assert "-comp_based_stats 0 means -composition none, but the command has another -composition" in both.stderr


def test_flags_that_cannot_change_an_exact_search_are_warned_of(small: Path, query: Path) -> None:
    flags = ["-word_size", "3", "-threshold=11", "-html", "-sorthits", "0", "-parse_deflines", "-comp_based_stats", "2"]
    table = ["-outfmt", "6 qseqid sseqid score evalue", "-title", "-html"]
    plain, done = search_here(small, query, *table), search_here(small, query, *flags, *table)
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    warned = [line.removeprefix("shardwater: warning: ").split(":")[0] for line in done.stderr.splitlines()]
    assert warned[:5] == ["-word_size", "-threshold", "-html", "-parse_deflines", "-comp_based_stats"]
    assert done.stderr.endswith(plain.stderr)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (["-seg", "yes"], {"mask": "seg"}),
        (["-seg=12 2.2 2.5"], {"mask": "seg"}),
        (["-lcase_masking"], {"mask": "soft"}),
        (["-comp_based_stats", "F", "-composition", "none"], {"composition": "none"}),
        (["-num_descriptions", "2"], {"max_target_seqs": 2}),
        (["-sorthits", "1"], {"order": "score"}),
        (["-dbsize=5000", "-searchsp", "0"], {"dbsize": 5000}),
        (["-subject_besthit", "-max_hsps", "1"], {"max_hsps": 1}),
        (["-comp_based_stats", "3", "-sum_stats=False"], {"composition": "adjusted"}),
    ],
)
def test_flags_of_blast_are_put_in_our_words(
    small: Path, query: Path, theirs: list[str], ours: dict[str, object]
) -> None:
    done = search_here(small, query, *theirs, "-outfmt", "json")
    parameters = json.loads(done.stdout)["parameters"]
    assert {name: parameters[name] for name in ours} == ours


# What `blastp -help` and `psiblast -help` of BLAST+ 2.12 list, without -h and -help.
OF_BLAST = """
best_hit_overhang best_hit_score_edge comp_based_stats culling_limit db db_hard_mask db_soft_mask dbsize entrez_query
evalue export_search_strategy gap_trigger gapextend gapopen gilist html ignore_msa_master import_search_strategy in_msa
in_pssm inclusion_ethresh ipglist lcase_masking line_length matrix max_hsps max_target_seqs msa_master_idx mt_mode
negative_gilist negative_ipglist negative_seqidlist negative_taxidlist negative_taxids num_alignments num_descriptions
num_iterations num_threads out out_ascii_pssm out_pssm outfmt parse_deflines phi_pattern pseudocount qcov_hsp_perc query
query_loc remote save_each_pssm save_pssm_after_last_round searchsp seg seqidlist show_gis soft_masking sorthits
sorthsps subject subject_besthit subject_loc sum_stats task taxidlist taxids threshold ungapped use_sw_tback
version window_size word_size xdrop_gap xdrop_gap_final xdrop_ungap
"""


def test_every_flag_of_blastp_and_psiblast_is_known_and_documented() -> None:
    options = {name for option in get_command(cli).commands["search"].params for name in option.opts}
    assert {f"-{name}" for name in OF_BLAST.split()} - options - BLAST_FLAGS.keys() == set()
    assert options & BLAST_FLAGS.keys() == set()
    documented = (ROOT / "docs" / "formats.md").read_text().partition("## Flags of BLAST+")[2].partition("\n## ")[0]
    assert [name for name in OF_BLAST.split() if f"`-{name}`" not in documented] == []


@pytest.mark.parametrize("form", ["6", "json"])
def test_full_disk_behind_standard_output_is_named(small: Path, query: Path, form: str) -> None:
    """A table may wait in a buffer until the command's end; json is more than that holds."""
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "search", "-query", str(query), "-db", "small", "--data", str(small), "-outfmt", form]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (1, "shardwater: standard output: No space left on device\n")
