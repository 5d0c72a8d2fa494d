"""Rules for links: read from YAML, refused where they could lead astray, shipped with the usual sites."""

import re
from pathlib import Path

import pytest

from app.page.link_rules import LinkRule, Links
from worker.settings import SettingsError

RULE = {"label": "Site", "pattern": "^(A)(B)", "url": "https://site.example/{1}?to={accession}&at={hit_from}-{hit_to}"}


def written(folder: Path, text: str) -> str:
    path = folder / "links.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_rules_are_read_in_their_order(tmp_path: Path) -> None:
    text = """
- {label: One, pattern: 'x', url: 'https://one.example/{accession}'}
- {label: Two, field: title, pattern: 'GN=(\\w+)', url: '/genes/{1}'}
"""
    rules = Links.read(written(tmp_path, text)).rules
    assert [(rule.label, rule.field) for rule in rules] == [("One", "accession"), ("Two", "title")]


def test_an_empty_file_means_no_links(tmp_path: Path) -> None:
    assert Links.read(written(tmp_path, "# nothing\n")).rules == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pattern": "(["}, "unterminated"),
        ({"pattern": "a" * 501}, "at most 500"),
        ({"pattern": "(?P<id>A)"}, "named groups"),
        ({"pattern": "(?i)a"}, "inline flags"),
        ({"url": "javascript:alert({1})"}, "https://HOST/"),
        ({"url": "//site.example/{1}"}, "https://HOST/"),
        ({"url": "https://{1}.example/"}, "no placeholder before the path"),
        ({"url": "https://site.example{1}/"}, "no placeholder before the path"),
        ({"url": "/{1}/{2}"}, "no placeholder before the path or as its beginning"),
        ({"url": "/{accession}"}, "no placeholder before the path or as its beginning"),
        ({"url": "/\\site.example"}, "https://HOST/"),
        ({"url": "https://site.example@other.example/{1}"}, "https://HOST/"),
        ({"url": "https://user:password@site.example/"}, "https://HOST/"),
        ({"url": "https://site.example/{3}"}, "there is no {3}"),
        ({"field": "sequence"}, "accession"),
        ({"colour": "red"}, "Extra inputs"),
    ],
)
def test_a_rule_that_will_not_do_stops_the_start(tmp_path: Path, change: dict[str, str], said: str) -> None:
    members = ", ".join(f"{name}: '{value}'" for name, value in {**RULE, **change}.items())
    path = written(tmp_path, f"- {{label: Fine, pattern: a, url: /a}}\n- {{{members}}}\n")
    with pytest.raises(SettingsError) as refused:
        Links.read(path)
    assert "SHARDWATER_LINKS" in str(refused.value)
    assert "rule 2" in str(refused.value)
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["- [", "label: One", "\udcff"])
def test_a_file_that_is_no_list_of_rules_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "links.yaml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SettingsError, match="SHARDWATER_LINKS"):
        Links.read(str(path))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        Links.read(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    ("accession", "expected"),
    [
        ("sp|P02232|LGB1_VICFA", {"UniProt": "P02232", "AlphaFold": "P02232", "InterPro": "P02232"}),
        (
            "tr|A0A024R1R8|A0A024R1R8_HUMAN",
            {"UniProt": "A0A024R1R8", "AlphaFold": "A0A024R1R8", "InterPro": "A0A024R1R8"},
        ),
        ("sp|P04637-2|P53_HUMAN", {"UniProt": "P04637-2"}),
        ("UniRef90_P02232", {"UniRef": "UniRef90_P02232"}),
        ("WP_000123456.1", {"NCBI": "WP_000123456.1"}),
        ("ref|NP_000537.3|", {"NCBI": "NP_000537.3"}),
        ("AAA12345.1", {"NCBI": "AAA12345.1"}),
        ("pdb|1A00|A", {"PDB": "1A00"}),
        ("1a00_A", {"PDB": "1a00"}),
        ("protein_17", {}),
    ],
)
def test_the_shipped_rules_know_the_usual_accessions(accession: str, expected: dict[str, str]) -> None:
    def first(rule: LinkRule) -> str | None:
        found = re.search(rule.pattern, accession)
        return found[1] if found else None

    found = {rule.label: first(rule) for rule in Links.read("").rules}
    assert {label: group for label, group in found.items() if group} == expected
